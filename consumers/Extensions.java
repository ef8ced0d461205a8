import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Makes the projects of the pages for those who write a format or a store, and runs their tests.
final class Extensions {
  private static final String FORMAT = "write-a-format";
  private static final String STORE = "write-a-store";
  private static final Pattern TESTS = Pattern.compile("<testsuite [^>]*\\btests=\"(\\d+)\"");

  private final Consumers consumers;

  Extensions(Consumers consumers) {
    this.consumers = consumers;
  }

  /// Returns what went wrong; a test that fails ends the build.
  List<String> check() throws Exception {
    String pom = consumers.blocks(page(FORMAT), "xml").getFirst();
    write(FORMAT, pom, "series", "format.FileFormat");
    write(STORE, pom.replace(">series<", ">mem<"), "mem", "storage.Storage");
    consumers.maven(List.of(FORMAT, STORE), "test");
    List<String> faults = new ArrayList<>();
    for (String name : List.of(FORMAT, STORE)) {
      if (tests(name) < 10) {
        faults.add(name + ": only " + tests(name) + " tests have run");
      }
    }
    System.out.printf("2 extensions, %d faults%n", faults.size());
    return faults;
  }

  private static String page(String name) {
    return "docs/how-to/" + name + ".md";
  }

  private void write(String name, String pom, String artifact, String service) throws IOException {
    Path folder = consumers.folder(name);
    Path services = Files.createDirectories(folder.resolve("src/main/resources/META-INF/services"));
    Files.writeString(
        folder.resolve("pom.xml"),
        pom.replace("</project>", consumers.repositories() + "</project>"));
    Files.writeString(
        services.resolve("dev.penstock.spi." + service),
        consumers.blocks(page(name), "text").getFirst());
    try (Stream<Path> sources = Files.list(consumers.file("consumers/src/" + artifact))) {
      for (Path source : sources.toList()) {
        boolean isTest = source.toString().endsWith("Test.java");
        Path target =
            folder
                .resolve(isTest ? "src/test/java" : "src/main/java")
                .resolve("com/example/" + artifact);
        Files.createDirectories(target);
        Files.copy(source, target.resolve(source.getFileName()));
      }
    }
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IllegalStateException("No " + pattern + " in " + text);
    }
    return matcher.group(1);
  }

  private int tests(String name) throws IOException {
    int tests = 0;
    try (Stream<Path> reports =
        Files.list(consumers.folder(name).resolve("target/surefire-reports"))) {
      for (Path report : reports.filter(path -> path.toString().endsWith(".xml")).toList()) {
        tests += Integer.parseInt(first(TESTS, Files.readString(report)));
      }
    }
    return tests;
  }
}
