package dev.penstock.blackbox.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What CONTRIBUTING.md says of the rings is what the build does.
class RingsTest {
  private static final Path ROOT = Path.of(System.getProperty("penstock.root", ".."));

  /// Returns what is between backquotes in a column of a ring's row.
  private static Set<String> stated(String ring, int column) throws IOException {
    String page = Files.readString(ROOT.resolve("CONTRIBUTING.md"));
    String table = page.substring(page.indexOf("| From ring |"));
    Matcher row = Pattern.compile("^\\| " + ring + " \\|.*$", Pattern.MULTILINE).matcher(table);
    assertThat(row.find()).isTrue();
    return all("`([^`]+)`", row.group().split("\\|", -1)[column + 1]);
  }

  private static Set<String> all(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> modules(String profile) throws IOException {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    String from = pom.substring(pom.indexOf("<id>" + profile + "</id>"));
    return all("<module>(.*?)</module>", from.substring(0, from.indexOf("</profile>")));
  }

  private static Set<String> tagged(String ring) throws IOException {
    Pattern tag = Pattern.compile("^ *@Tag\\(\"" + ring + "\"\\)", Pattern.MULTILINE);
    Set<String> found = new TreeSet<>();
    try (Stream<Path> modules = Files.walk(ROOT, 2)) {
      for (Path module : modules.filter(each -> Files.exists(each.resolve("pom.xml"))).toList()) {
        Path tests = module.resolve("src/test/java");
        if (Files.exists(tests)) {
          try (Stream<Path> files = Files.walk(tests)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
              if (tag.matcher(Files.readString(file)).find()) {
                found.add(file.getFileName().toString().replace(".java", ""));
              }
            }
          }
        }
      }
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(strings = {"outer", "night"})
  void testsOfARingAreThoseWithItsTag(String ring) throws IOException {
    assertThat(stated(ring, 2)).isEqualTo(tagged(ring));
  }

  @Test
  void modulesOfTheOuterRingAreThoseOfItsProfile() throws IOException {
    Set<String> outer = new TreeSet<>(modules("outer"));
    outer.addAll(modules("languages")); // beside the others they are built alone
    assertThat(stated("outer", 1)).isEqualTo(outer);
  }
}
