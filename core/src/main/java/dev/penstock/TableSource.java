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
import dev.penstock.storage.StorageOptions;
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
    this(
        new Footers(new Listing(locations, format, Map.of(), false, StorageOptions.NONE)),
        SchemaRules.DEFAULT,
        Optional.empty());
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
    Listing old = footers.listing;
    return with(
        new Listing(old.locations, Optional.of(format), old.formatOptions, old.hive, old.storage));
  }

  TableSource withFormatOption(String key, String value) {
    Listing old = footers.listing;
    Map<String, String> options = new TreeMap<>(old.formatOptions);
    options.put(key, value);
    return with(new Listing(old.locations, old.format, options, old.hive, old.storage));
  }

  /// Returns the options of the format, sorted by key.
  Map<String, String> formatOptions() {
    return footers.listing.formatOptions;
  }

  /// Returns the source with what its stores are told.
  TableSource with(StorageOptions storage) {
    Listing old = footers.listing;
    return with(new Listing(old.locations, old.format, old.formatOptions, old.hive, storage));
  }

  StorageOptions storage() {
    return footers.listing.storage;
  }

  private TableSource with(Listing changed) {
    return new TableSource(
        changed.equals(footers.listing) ? footers : new Footers(changed), rules, filter);
  }

  TableSource with(SchemaRules changed) {
    Listing old = footers.listing;
    boolean hive = changed.hive().isPresent();
    TableSource listed =
        with(new Listing(old.locations, old.format, old.formatOptions, hive, old.storage));
    return new TableSource(listed.footers, changed, filter);
  }

  SchemaRules rules() {
    return rules;
  }

  List<String> locations() {
    return footers.listing.locations;
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

  /// Where files are looked for, and how.
  ///
  /// @param format the format of all files; empty to tell it of each
  /// @param formatOptions option to value, sorted
  /// @param hive whether folders are partitions
  /// @param storage what the stores are told
  private record Listing(
      List<String> locations,
      Optional<String> format,
      Map<String, String> formatOptions,
      boolean hive,
      StorageOptions storage) {
    List<FoundFile> files() throws IOException {
      return Discovery.list(locations, format.map(Providers::format), hive, storage).stream()
          .map(file -> file.with(formatOptions))
          .toList();
    }
  }

  /// What was found and read.
  private static final class Footers {
    private final Listing listing;
    private @Nullable List<FoundFile> listed;
    private final Map<Location, TableFile> read = new HashMap<>();

    Footers(Listing listing) {
      this.listing = listing;
    }

    synchronized List<FoundFile> listed() throws IOException {
      if (listed == null) {
        listed = listing.files();
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
