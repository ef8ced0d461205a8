package dev.penstock;

import dev.penstock.filter.Filter;
import dev.penstock.internal.pipeline.FooterReads;
import dev.penstock.internal.plan.Discovery;
import dev.penstock.internal.plan.FolderFilter;
import dev.penstock.internal.plan.FoundFile;
import dev.penstock.internal.plan.Partitions;
import dev.penstock.internal.plan.Providers;
import dev.penstock.internal.plan.SchemaRules;
import dev.penstock.internal.plan.Table;
import dev.penstock.internal.plan.TableFile;
import dev.penstock.split.PrunedFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The files of a dataset, listed and their footers read when first wanted, then kept, and the one
/// table they are.
///
/// The footers are shared by all datasets that were derived from one by choosing columns, splits or
/// schema rules. Safe for any thread.
final class TableSource {
  private final Footers footers;
  private final SchemaRules rules;
  private final Optional<Filter> filter;
  private @Nullable Table table;

  TableSource(List<String> locations, Optional<String> format) {
    this(new Footers(locations, format, Map.of(), false), SchemaRules.DEFAULT, Optional.empty());
  }

  private TableSource(Footers footers, SchemaRules rules, Optional<Filter> filter) {
    this.footers = footers;
    this.rules = rules;
    this.filter = filter;
  }

  /// Returns the source without the files that a filter rules out by their folders.
  TableSource with(Filter wanted) {
    return new TableSource(footers, rules, Optional.of(wanted));
  }

  Optional<Filter> filter() {
    return filter;
  }

  TableSource withFormat(String format) {
    return new TableSource(
        new Footers(footers.locations, Optional.of(format), footers.options, footers.hive),
        rules,
        filter);
  }

  TableSource withFormatOption(String key, String value) {
    Map<String, String> options = new TreeMap<>(footers.options);
    options.put(key, value);
    return new TableSource(
        new Footers(footers.locations, footers.format, options, footers.hive), rules, filter);
  }

  /// Returns the options of the format, sorted by key.
  Map<String, String> formatOptions() {
    return footers.options;
  }

  TableSource with(SchemaRules changed) {
    boolean hive = changed.hive().isPresent();
    return new TableSource(
        hive == footers.hive
            ? footers
            : new Footers(footers.locations, footers.format, footers.options, hive),
        changed,
        filter);
  }

  SchemaRules rules() {
    return rules;
  }

  List<String> locations() {
    return footers.locations;
  }

  synchronized Table table() throws IOException {
    if (table == null) {
      // Partitions first: they are known before any file is opened.
      List<FoundFile> listed = footers.listed();
      Partitions partitions = Partitions.of(listed, rules);
      FolderFilter folders = FolderFilter.of(filter, partitions);
      List<FoundFile> wanted = new ArrayList<>();
      List<PrunedFile> pruned = new ArrayList<>();
      for (FoundFile file : listed) {
        if (folders.mayMatch(file)) {
          wanted.add(file);
        } else {
          pruned.add(
              new PrunedFile(file.entry().location(), file.entry().bytes(), file.partition()));
        }
      }
      if (wanted.isEmpty()) {
        // One footer, to know the columns; its rows are ruled out when they are planned.
        wanted.add(listed.getFirst());
        pruned.removeFirst();
      }
      table = Table.of(footers.read(wanted), rules, partitions).without(pruned);
    }
    return table;
  }

  /// What was found and read.
  private static final class Footers {
    private final List<String> locations;
    private final Optional<String> format;
    private final Map<String, String> options;
    private final boolean hive;
    private @Nullable List<FoundFile> listed;
    private final Map<Location, TableFile> read = new HashMap<>();

    Footers(
        List<String> locations,
        Optional<String> format,
        Map<String, String> options,
        boolean hive) {
      this.locations = locations;
      this.format = format;
      this.options = options;
      this.hive = hive;
    }

    synchronized List<FoundFile> listed() throws IOException {
      if (listed == null) {
        listed =
            Discovery.list(locations, format.map(Providers::format), hive).stream()
                .map(file -> file.with(options))
                .toList();
      }
      return listed;
    }

    /// Returns the footers of some of the files; each is read once.
    synchronized List<TableFile> read(List<FoundFile> wanted) throws IOException {
      List<FoundFile> missing =
          wanted.stream().filter(file -> !read.containsKey(file.entry().location())).toList();
      List<TableFile> added = FooterReads.readAll(missing);
      for (TableFile file : added) {
        read.put(file.info().location(), file);
      }
      List<TableFile> files = new ArrayList<>();
      for (FoundFile file : wanted) {
        files.add(Objects.requireNonNull(read.get(file.entry().location())));
      }
      return files;
    }
  }
}
