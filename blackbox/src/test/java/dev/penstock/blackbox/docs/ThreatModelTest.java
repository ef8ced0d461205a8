package dev.penstock.blackbox.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each promise of the threat model names its tests, and they are there.
class ThreatModelTest {
  private static final Path ROOT = Path.of(System.getProperty("penstock.root", ".."));
  private static final Pattern TEST = Pattern.compile("`(\\w+)(?:\\.py)?(?:(?:\\.|::)(\\w+))?`");

  /// Returns the sources of all tests, by the name of the file without its ending.
  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.filter(Files::isDirectory).toList()) {
        for (String folder : List.of("src/test/java", "tests")) {
          Path tests = module.resolve(folder);
          if (Files.isDirectory(tests)) {
            try (Stream<Path> files = Files.walk(tests)) {
              for (Path file : files.filter(each -> isTest(each.toString())).toList()) {
                String name = file.getFileName().toString().replaceFirst("\\..*", "");
                sources.merge(name, Files.readString(file), String::concat);
              }
            }
          }
        }
      }
    }
    return sources;
  }

  private static boolean isTest(String path) {
    return path.endsWith(".java") || path.endsWith(".py");
  }

  @Test
  void testsOfEachPromiseAreThere() throws IOException {
    Map<String, String> sources = sources();
    List<String> missing = new ArrayList<>();
    int promises = 0;
    boolean isPromise = false;
    for (String line : Files.readAllLines(ROOT.resolve("docs/design/threat-model.md"))) {
      if (line.equals("| Promise | Test |")) {
        isPromise = true;
      } else if (!line.startsWith("|")) {
        isPromise = false;
      } else if (isPromise && !line.startsWith("|-")) {
        promises++;
        int test = line.indexOf(" | ");
        List<MatchResult> tests = TEST.matcher(line.substring(test)).results().toList();
        if (tests.isEmpty()) {
          missing.add("no test: " + line.substring(2, test));
        }
        tests.stream()
            .filter(each -> !isThere(each, sources))
            .forEach(each -> missing.add("no such test: " + each.group()));
      }
    }
    assertThat(missing).isEmpty();
    assertThat(promises).isPositive();
  }

  private static boolean isThere(MatchResult test, Map<String, String> sources) {
    String source = sources.getOrDefault(test.group(1), "");
    String name = test.group(2) == null ? test.group(1) : test.group(2);
    return Pattern.compile("\\b" + name + "\\b").matcher(source).find();
  }
}
