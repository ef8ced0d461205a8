package dev.penstock.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// The dashboard for Grafana asks for what there is.
class DashboardTest {
  private static final Path ROOT =
      Path.of(Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."));
  private static final Path DASHBOARD = ROOT.resolve("docs/grafana/penstock.json");
  private static final Pattern METRIC = Pattern.compile("penstock_\\w+");

  /// A selector, as `penstock_rows_total{loader=~"$loader"}`.
  private static final Pattern SELECTOR = Pattern.compile("(penstock_\\w+)\\{([^}]*)\\}");

  private static final Pattern LABEL = Pattern.compile("(\\w+)=~?\"[^\"]*\"");
  private static final Pattern SUM =
      Pattern.compile("sum by \\(([^)]*)\\) \\(rate\\((penstock_\\w+)\\{");
  private static final Pattern LEGEND = Pattern.compile("\\{\\{(\\w+)\\}\\}");

  /// A text of the dashboard, and the name that it has there.
  private record Text(String name, String value) {}

  private static List<Text> texts(String... names) throws IOException {
    List<Text> found = new ArrayList<>();
    try (JsonParser json =
        JsonFactory.builder()
            .build()
            .createParser(ObjectReadContext.empty(), Files.readString(DASHBOARD))) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token == JsonToken.VALUE_STRING && Arrays.asList(names).contains(json.currentName())) {
          found.add(new Text(json.currentName(), json.getString()));
        }
      }
    }
    return found;
  }

  private static Set<String> matches(Pattern pattern, int group, String text) {
    Set<String> found = new HashSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(group));
    }
    return found;
  }

  @Test
  void eachMetricIsThereAndEachIsShown() throws IOException {
    Set<String> asked = new HashSet<>();
    for (Text text : texts("expr", "query")) {
      asked.addAll(matches(METRIC, 0, text.value()));
    }
    assertThat(asked).isEqualTo(Scraped.labelsByName().keySet());
  }

  @Test
  void eachLabelIsOneOfItsMetric() throws IOException {
    Map<String, SortedSet<String>> labels = Scraped.labelsByName();
    Set<String> legends = new HashSet<>();
    for (Text text : texts("expr", "legendFormat")) {
      if (text.name().equals("legendFormat")) {
        legends.addAll(matches(LEGEND, 1, text.value()));
        continue;
      }
      Matcher selector = SELECTOR.matcher(text.value());
      while (selector.find()) {
        Set<String> used = matches(LABEL, 1, selector.group(2));
        assertThat(labels.get(selector.group(1))).as(text.value()).isNotNull().containsAll(used);
        assertThat(selector.group(2)).startsWith("loader=~\"$loader\"");
      }
      Matcher sum = SUM.matcher(text.value());
      while (sum.find()) {
        assertThat(labels.get(sum.group(2)))
            .as(text.value())
            .isNotNull()
            .contains(sum.group(1).split(", "));
      }
    }
    Set<String> known = new HashSet<>();
    labels.values().forEach(known::addAll);
    assertThat(known).containsAll(legends);
  }

  @Test
  void eachPanelAsksTheChosenSource() throws IOException {
    assertThat(texts("uid")).hasSizeGreaterThan(10);
    assertThat(texts("uid")).extracting(Text::value).containsOnly("penstock", "${datasource}");
    assertThat(texts("expr")).allSatisfy(text -> assertThat(text.value()).contains("$loader"));
  }
}
