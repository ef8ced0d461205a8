package dev.penstock.blackbox.docs;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The blocks of code of the pages, and the regions of tested sources that they show.
final class Snippets {
  static final Path ROOT =
      Path.of(Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."));

  private static final String YOUR_CODE =
      "blackbox/src/test/java/dev/penstock/blackbox/docs/YourCode.java";

  /// A block of code with its name, below the fold of its imports.
  static final Pattern BLOCK =
      Pattern.compile(
          """
          (?m)(?:^<details><summary>Imports</summary>

          ```java
          (?<imports>[^`]*)```

          </details>

          )?(?:^<!-- snippet: (?<name>\\S+) -->
          )?^```(?<language>java|kotlin|scala|jshell)
          (?<code>(?s).*?)^```$\
          """);

  private static final Pattern REGION =
      Pattern.compile("(?ms)^ *// @start region=(\\S+)\\n(.*?)^ *// @end$");
  private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?[\\w.]*?(\\w+);");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern STAND_IN =
      Pattern.compile("(?m)^  (void (\\w+)\\(Object\\.\\.\\. \\w+\\)) \\{$");
  private static final Pattern TEXT_OR_COMMENT =
      Pattern.compile("\"(?:\\\\.|[^\"\\\\\\n])*\"|//.*");

  /// [CsvToModelTest] runs that of the tutorial, [ReadmeTest] that of the README, tests of their
  /// modules those of other modules, and those of `languages` the other scripts.
  private static final List<String> SOURCES =
      List.of(
          "blackbox/src/test/java/dev/penstock/blackbox/docs/ReadmeSnippets.java",
          "blackbox/src/test/java/dev/penstock/blackbox/docs/CookbookSnippets.java",
          "blackbox/src/test/java/dev/penstock/blackbox/docs/FirstTraining.java",
          "blackbox/src/test/java/dev/penstock/blackbox/docs/CsvToModel.java",
          "blackbox/src/test/java/dev/penstock/blackbox/docs/LossPlot.java",
          "blackbox/src/test/java/dev/penstock/blackbox/docs/BadStep.java",
          "blackbox/src/test/java/dev/penstock/blackbox/docs/BadStepSnippets.java",
          "blackbox/src/test/java/dev/penstock/blackbox/cases/OwnProvidersTest.java",
          "blackbox/src/test/java/dev/penstock/blackbox/cases/WorkerLocalTest.java",
          "blackbox/src/test/java/dev/penstock/blackbox/cases/WorkersAsTorchTest.java",
          "examples/src/main/java/dev/penstock/examples/PortedTraining.java",
          "examples/src/main/java/dev/penstock/examples/TrainWithXgboost.java",
          "examples/src/main/java/dev/penstock/examples/ScoreEveryNight.java",
          "examples/src/main/java/dev/penstock/examples/Predictions.java",
          "spark/src/test/java/dev/penstock/spark/SparkSnippets.java",
          "metrics/src/test/java/dev/penstock/metrics/MetricsSnippets.java",
          "tokens/src/test/java/dev/penstock/tokens/TokensSnippets.java",
          "consumers/src/service/FlightService.java",
          "consumers/src/series/SeriesFormat.java",
          "consumers/src/series/SeriesFormatTest.java",
          "consumers/src/mem/MemStorage.java",
          "consumers/src/mem/MemStorageTest.java",
          "examples/scripts/MeanDelay.java",
          "examples/scripts/ReadFlights.java",
          "examples/scripts/first-look.jsh",
          "languages/src/test/kotlin/dev/penstock/languages/KotlinFlights.kt",
          "languages/src/test/kotlin/dev/penstock/languages/KotlinRows.kt",
          "languages/src/test/scala/dev/penstock/languages/ScalaFlights.scala",
          "languages/src/test/scala/dev/penstock/languages/ScalaRows.scala");

  private Snippets() {}

  /// What a page shows of a region.
  ///
  /// @param imports what the code needs before it in JShell
  record Region(String imports, String code) {
    String page(String name, String language) {
      String fold =
          imports.isEmpty()
              ? ""
              : """
              <details><summary>Imports</summary>

              ```java
              %s```

              </details>

              """
                  .formatted(imports);
      return "%s<!-- snippet: %s -->\n```%s\n%s```".formatted(fold, name, language, code);
    }
  }

  static Map<String, Region> regions() throws IOException {
    Map<String, Region> regions = new TreeMap<>();
    for (String source : SOURCES) {
      String text = Files.readString(ROOT.resolve(source));
      Map<String, String> imports = source.endsWith(".java") ? imports(source, text) : Map.of();
      Matcher region = REGION.matcher(text);
      while (region.find()) {
        String code = region.group(2).stripTrailing().stripIndent() + "\n";
        regions.put(region.group(1), new Region(needed(imports, code), code));
      }
    }
    return regions;
  }

  /// The lines that a region of a source may need, each by the name that needs it: what the source
  /// imports, the public classes of its package, and what stands for the reader's code.
  private static Map<String, String> imports(String source, String text) throws IOException {
    Map<String, String> lines = new LinkedHashMap<>();
    IMPORT.matcher(text).results().forEach(line -> lines.put(line.group(1), line.group()));
    Matcher ofPackage = PACKAGE.matcher(text);
    if (ofPackage.find()) {
      Path main = ROOT.resolve(source.replaceFirst("src/.*", "src/main/java"));
      Path folder = main.resolve(ofPackage.group(1).replace('.', '/'));
      for (Path file : Files.isDirectory(folder) ? list(folder) : List.<Path>of()) {
        String name = file.getFileName().toString().replace(".java", "");
        Pattern declaration = Pattern.compile("(?m)^public [a-z ]+ " + name + "\\b");
        if (declaration.matcher(Files.readString(file)).find()) {
          lines.put(name, "import " + ofPackage.group(1) + "." + name + ";");
        }
      }
    }
    if (text.contains(" extends YourCode ")) {
      STAND_IN
          .matcher(Files.readString(ROOT.resolve(YOUR_CODE)))
          .results()
          .forEach(line -> lines.put(line.group(2), "\n" + line.group(1) + " {} // your code"));
    }
    return lines;
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  /// The lines for the names that code uses, none where it shows its imports itself.
  private static String needed(Map<String, String> lines, String code) {
    if (code.contains("import ")) {
      return "";
    }
    String names = TEXT_OR_COMMENT.matcher(code).replaceAll("");
    return lines.entrySet().stream()
        .filter(
            line -> Pattern.compile("(?<![.\\w])" + line.getKey() + "\\b").matcher(names).find())
        .map(line -> line.getValue() + "\n")
        .collect(joining());
  }

  /// The README and the pages of the documentation.
  static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(
              Stream.of(ROOT.resolve("README.md")),
              docs.filter(path -> path.toString().endsWith(".md")).sorted())
          .toList();
    }
  }
}
