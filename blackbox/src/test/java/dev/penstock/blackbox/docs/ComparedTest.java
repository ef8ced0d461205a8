package dev.penstock.blackbox.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// "Compared feature by feature": each feature has a state and a proof that is there.
class ComparedTest {
  private static final Path ROOT = Path.of(System.getProperty("penstock.root", ".."));
  private static final Path PAGE = ROOT.resolve("docs/reference/compared.md");
  private static final Pattern STATE = Pattern.compile("(works)|(differs|refused|untried): .+");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]*)#?([^)]*)\\)");
  private static final Pattern COUNT =
      Pattern.compile("(\\d+) (?:are )?(features|work|differ|refused|untried)\\b");

  /// A row of one of the tables under a topic.
  private record Feature(String name, String here, String state, String proof) {
    static Feature of(String line) {
      String[] cells = line.split("\\|", -1);
      assertThat(cells).as(line).hasSize(6);
      return new Feature(cells[1].strip(), cells[2].strip(), cells[3].strip(), cells[4].strip());
    }
  }

  private static List<Feature> features() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| Feature |"))
        .map(Feature::of)
        .toList();
  }

  private static Stream<MatchResult> links(String text) {
    return LINK.matcher(text).results().filter(each -> !each.group(1).startsWith("http"));
  }

  @TestFactory
  Stream<DynamicTest> featureHasAStateAndAProof() throws IOException {
    NamedTests tests = new NamedTests(ROOT);
    return features().stream().map(each -> dynamicTest(each.name(), () -> check(each, tests)));
  }

  private static void check(Feature feature, NamedTests tests) {
    assertThat(feature.state()).matches(STATE);
    assertThat(NamedTests.anyIn(feature.proof()) || LINK.matcher(feature.proof()).find()).isTrue();
    assertThat(tests.missingIn(feature.proof())).isEmpty();
    assertThat(feature.here().isEmpty() && feature.state().matches("works|differs.*")).isFalse();
  }

  @Test
  void linksLeadToHeadings() throws IOException {
    List<String> broken = new ArrayList<>();
    for (MatchResult link : links(Files.readString(PAGE)).toList()) {
      Path target = link.group(1).isEmpty() ? PAGE : PAGE.resolveSibling(link.group(1));
      String heading = link.group(2);
      if (!Files.exists(target) || !(heading.isEmpty() || headings(target).contains(heading))) {
        broken.add(link.group());
      }
    }
    assertThat(broken).isEmpty();
  }

  private static List<String> headings(Path page) throws IOException {
    return Files.readAllLines(page).stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^\\w -]", "").replace(' ', '-'))
        .toList();
  }

  @Test
  void countsAreThoseOfTheTables() throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    for (Feature feature : features()) {
      counts.merge(feature.state().replaceFirst("s?(:.*)?$", ""), 1, Integer::sum);
      counts.merge("features", 1, Integer::sum);
    }
    Map<String, Integer> stated = new TreeMap<>();
    COUNT
        .matcher(Files.readAllLines(PAGE).get(2))
        .results()
        .forEach(each -> stated.put(each.group(2), Integer.valueOf(each.group(1))));
    assertThat(stated).isEqualTo(counts);
  }
}
