package dev.penstock.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The table of the guide is the meters.
class MetricsGuideTest {
  private static final Path ROOT =
      Path.of(Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."));
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| `(penstock\\.[a-z.]+)` \\| (.*?) \\| (\\w+) \\| (.*?) \\| (.*?) \\| .+ \\|$");

  /// A row of the table.
  private record Row(String meter, String prometheus, String type, String unit, String tags) {}

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/guide/metrics.md")));
    while (row.find()) {
      rows.add(new Row(row.group(1), row.group(2), row.group(3), row.group(4), row.group(5)));
    }
    return rows;
  }

  private static String described(Meter meter) {
    Meter.Id id = meter.getId();
    String type =
        switch (id.getType()) {
          case COUNTER -> "counter";
          case TIMER -> "timer";
          case GAUGE -> "gauge";
          default -> id.getType().name().toLowerCase(Locale.ROOT);
        };
    String tags =
        id.getTags().stream()
            .map(Tag::getKey)
            .filter(tag -> !tag.equals("loader"))
            .map(tag -> "`" + tag + "`")
            .collect(Collectors.joining(", "));
    String unit = Objects.requireNonNullElse(id.getBaseUnit(), "");
    return String.join("|", id.getName(), type, unit, tags);
  }

  @Test
  void tableHasEachMeterWithTypeUnitAndTags() throws IOException {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (DataLoader loader = Rows.loader(new Rows().dataset())) {
      new LoaderMetrics(loader, "train").bindTo(registry);
      Rows.drain(loader);
      registry.getMeters().forEach(meter -> meter.measure().forEach(each -> each.getValue()));
      Set<String> meters = new TreeSet<>();
      registry.getMeters().forEach(meter -> meters.add(described(meter)));
      assertThat(rows())
          .extracting(row -> String.join("|", row.meter(), row.type(), row.unit(), row.tags()))
          .containsExactlyInAnyOrderElementsOf(meters);
    }
  }

  @Test
  void tableHasEachNameThatPrometheusSees() throws IOException {
    List<String> names = new ArrayList<>();
    for (Row row : rows()) {
      Matcher name = Pattern.compile("`([a-z_]+)`").matcher(row.prometheus());
      while (name.find()) {
        names.add(name.group(1));
      }
    }
    assertThat(names).containsExactlyInAnyOrderElementsOf(Scraped.labelsByName().keySet());
  }
}
