package dev.penstock.metrics;

import dev.penstock.DataLoader;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a Prometheus server gets of a loader: the label keys by the name of the series.
final class Scraped {
  private static final Pattern SERIES = Pattern.compile("(?m)^(penstock_\\w+)\\{([^}]*)\\} \\S+$");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"[^\"]*\"");

  private Scraped() {}

  static Map<String, SortedSet<String>> labelsByName() {
    PrometheusMeterRegistry registry = MetricsSnippets.registry();
    try (DataLoader loader = Rows.loader(new Rows().dataset().where("id != 17"))) {
      new LoaderMetrics(loader, "train").bindTo(registry);
      Rows.drain(loader);
      registry.scrape(); // the store's series come
      return labelsByName(registry.scrape());
    }
  }

  private static Map<String, SortedSet<String>> labelsByName(String text) {
    Map<String, SortedSet<String>> labels = new TreeMap<>();
    Matcher series = SERIES.matcher(text);
    while (series.find()) {
      Matcher label = LABEL.matcher(series.group(2));
      while (label.find()) {
        labels.computeIfAbsent(series.group(1), _ -> new TreeSet<>()).add(label.group(1));
      }
    }
    return labels;
  }
}
