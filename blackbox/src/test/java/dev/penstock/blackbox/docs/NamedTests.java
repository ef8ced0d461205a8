package dev.penstock.blackbox.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Tests that a page names, as `` `RankTest` ``, `` `RankTest.textFormIsReadAsWritten` `` or ``
/// `test_ranks.py::test_rank_is_that_of_mpirun` ``, looked up in the sources of all modules.
final class NamedTests {
  private static final Pattern NAME = Pattern.compile("`(\\w+)(?:\\.py)?(?:(?:\\.|::)(\\w+))?`");

  private final Map<String, String> sources = new HashMap<>(); // by file, without its ending

  NamedTests(Path root) throws IOException {
    addAll(root.resolve("tck/src/main/java"));
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.filter(Files::isDirectory).toList()) {
        for (String folder : List.of("src/test/java", "tests")) {
          if (Files.isDirectory(module.resolve(folder))) {
            addAll(module.resolve(folder));
          }
        }
      }
    }
  }

  private void addAll(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(each -> each.toString().matches(".*\\.(java|py)")).toList()) {
        String name = file.getFileName().toString().replaceFirst("\\..*", "");
        sources.merge(name, Files.readString(file), String::concat);
      }
    }
  }

  /// {@return whether a text names a test}
  static boolean anyIn(String text) {
    return NAME.matcher(text).find();
  }

  /// {@return those of the tests that a text names that are not there}
  List<String> missingIn(String text) {
    return NAME.matcher(text)
        .results()
        .filter(test -> !isThere(test))
        .map(MatchResult::group)
        .toList();
  }

  private boolean isThere(MatchResult test) {
    String source = sources.get(test.group(1));
    return source != null
        && (test.group(2) == null
            || Pattern.compile("\\b" + test.group(2) + "\\(").matcher(source).find());
  }
}
