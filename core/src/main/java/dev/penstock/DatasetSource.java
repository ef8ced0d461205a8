package dev.penstock;

import dev.penstock.filter.Filter;
import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.cache.FolderAccess;
import dev.penstock.internal.fetch.FooterReads;
import dev.penstock.internal.fetch.FooterReads.Malformed;
import dev.penstock.internal.fetch.VirtualThreads;
import dev.penstock.internal.table.Discovery;
import dev.penstock.internal.table.FilterPart;
import dev.penstock.internal.table.FolderFilter;
import dev.penstock.internal.table.FoundFile;
import dev.penstock.internal.table.Partitions;
import dev.penstock.internal.table.Providers;
import dev.penstock.internal.table.SchemaRules;
import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.spi.catalog.CatalogFile;
import dev.penstock.spi.catalog.CatalogFiles;
import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.split.ByteSize;
import dev.penstock.split.PrunedFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The files of a dataset, and the table that they form. Files are listed in folders or by a
/// catalog, and footers are read on first use, then kept.
///
/// Datasets that differ only in chosen columns, splits or schema rules share the footers. Safe for
/// any thread.
final class DatasetSource {
  private static final Logger LOG = LoggerFactory.getLogger(StructuredDataset.class);

  private final Footers footers;
  private final SchemaRules rules;
  private final Optional<Filter> filter;
  private final OnBadFile onBadFile;
  private volatile @Nullable Table table; // set with the monitor of this
  private volatile List<BadFile> badFiles = List.of(); // set with the monitor of this
  private volatile @Nullable MixedSources mixed; // the last ones; set with the monitor of this
  private Optional<List<String>> mixedColumns = Optional.empty();

  DatasetSource(List<String> locations) {
    this(
        new Footers(new Folders(locations, Optional.empty(), Map.of(), false, StorageOptions.NONE)),
        SchemaRules.DEFAULT,
        Optional.empty(),
        OnBadFile.FAIL);
  }

  DatasetSource(Mixture mixture) {
    this(new Footers(new Mixed(mixture)), SchemaRules.DEFAULT, Optional.empty(), OnBadFile.FAIL);
  }

  DatasetSource(CatalogTable table) {
    this(new Catalog(table, table.schema(), table.missingColumns(), Map.of()));
  }

  private DatasetSource(Catalog catalog) {
    this(
        new Footers(catalog),
        SchemaRules.DEFAULT.withGiven(catalog.schema).withMissing(catalog.missing),
        Optional.empty(),
        OnBadFile.FAIL);
  }

  private DatasetSource(
      Footers footers, SchemaRules rules, Optional<Filter> filter, OnBadFile onBadFile) {
    this.footers = footers;
    this.rules = rules;
    this.filter = filter;
    this.onBadFile = onBadFile;
  }

  DatasetSource with(OnBadFile choice) {
    requireOwnFiles("onBadFile");
    return new DatasetSource(footers, rules, filter, choice);
  }

  /// Returns the source without the files that a filter rules out by their folders or their
  /// catalog.
  DatasetSource with(Filter wanted) {
    return new DatasetSource(footers, rules, Optional.of(wanted), onBadFile);
  }

  Optional<Filter> filter() {
    return filter;
  }

  DatasetSource withFormat(String format) {
    Folders old = folders("format");
    return with(
        new Folders(old.locations, Optional.of(format), old.formatOptions, old.hive, old.storage));
  }

  DatasetSource withFormatOption(String key, String value) {
    Map<String, String> options = new TreeMap<>(formatOptions());
    options.put(key, value);
    return with(
        switch (footers.origin) {
          case Folders old ->
              new Folders(old.locations, old.format, options, old.hive, old.storage);
          case Catalog old -> new Catalog(old.table, old.schema, old.missing, options);
          case Mixed _ -> throw ofSources("formatOption");
        });
  }

  /// Returns the options of the format, sorted by key.
  Map<String, String> formatOptions() {
    return switch (footers.origin) {
      case Folders folders -> folders.formatOptions;
      case Catalog catalog -> catalog.formatOptions;
      case Mixed _ -> Map.of();
    };
  }

  /// Returns the source with another storage option.
  DatasetSource withStorageOption(String key, String value) {
    Folders old = folders("storageOption");
    StorageOptions changed = old.storage.with(key, value);
    Providers.requireKnown(changed);
    return with(new Folders(old.locations, old.format, old.formatOptions, old.hive, changed));
  }

  private Folders folders(String wish) {
    return switch (footers.origin) {
      case Folders folders -> folders;
      case Catalog catalog ->
          throw new IllegalArgumentException(
              "Cannot use "
                  + wish
                  + ": the files of "
                  + catalog.table.name()
                  + " are listed by its catalog, which knows it.");
      case Mixed _ -> throw ofSources(wish);
    };
  }

  private static IllegalArgumentException ofSources(String wish) {
    return new IllegalArgumentException(
        "Cannot use "
            + wish
            + " on a mixture: each of its sources has its own. Use it on them, before they are"
            + " mixed.");
  }

  /// Refuses what only the sources of a mixture can do.
  void requireOwnFiles(String wish) {
    if (footers.origin instanceof Mixed) {
      throw ofSources(wish);
    }
  }

  /// Returns the mixture that this reads.
  Optional<Mixture> mixture() {
    return footers.origin instanceof Mixed(Mixture mixture)
        ? Optional.of(mixture)
        : Optional.empty();
  }

  private DatasetSource with(Origin changed) {
    return new DatasetSource(
        changed.equals(footers.origin) ? footers : new Footers(changed, footers.cache),
        rules,
        filter,
        onBadFile);
  }

  /// Returns the source with a cache.
  DatasetSource withCache(Path folder, ByteSize limit, FolderAccess access) {
    requireOwnFiles("cache");
    Cache cache = new Cache(folder, limit, access);
    return new DatasetSource(
        new Footers(footers.origin, Optional.of(cache)), rules, filter, onBadFile);
  }

  /// Where decoded columns are kept, how many of their bytes, and for whom.
  record Cache(Path folder, ByteSize limit, FolderAccess access) {}

  DatasetSource with(SchemaRules changed) {
    requireOwnFiles("rules for columns");
    if (changed.hive().isPresent()) {
      Folders old = folders("hivePartitions");
      Footers listed =
          with(new Folders(old.locations, old.format, old.formatOptions, true, old.storage))
              .footers;
      return new DatasetSource(listed, changed, filter, onBadFile);
    }
    return new DatasetSource(footers, changed, filter, onBadFile);
  }

  SchemaRules rules() {
    return rules;
  }

  List<String> locations() {
    return switch (footers.origin) {
      case Folders folders -> folders.locations;
      case Catalog catalog -> List.of(catalog.table.name());
      case Mixed(Mixture mixture) ->
          mixture.sources().stream()
              .flatMap(source -> source.dataset().locations().stream())
              .toList();
    };
  }

  /// Returns the identity and version of a catalog's table.
  Optional<String> version() {
    return footers.origin instanceof Catalog catalog
        ? Optional.of(catalog.table.version())
        : Optional.empty();
  }

  synchronized Table table() throws IOException {
    Table known = table;
    if (known == null) {
      known =
          switch (footers.origin) {
            case Folders _ -> folderTable();
            case Catalog catalog -> catalogTable(catalog);
            case Mixed _ -> mixed(Optional.empty()).table();
          };
      table = known;
    }
    return known;
  }

  /// Returns the table if it was read already; never waits.
  @Nullable Table knownTable() {
    return table;
  }

  /// Returns the chosen format, if one was chosen.
  Optional<String> chosenFormat() {
    return footers.origin instanceof Folders folders ? folders.format : Optional.empty();
  }

  /// Returns the files that were left out. Reads the footers the first time.
  synchronized List<BadFile> badFiles() throws IOException {
    table();
    return badFiles;
  }

  /// Returns how many files were left out, as far as footers were read already; never waits.
  int knownBadFiles() {
    MixedSources sources = mixed;
    return sources == null
        ? badFiles.size()
        : sources.datasets().stream().mapToInt(StructuredDataset::knownBadFiles).sum();
  }

  private List<TableFile> read(List<FoundFile> wanted) throws IOException {
    List<BadFile> bad = new ArrayList<>();
    List<MalformedFileException> errors = new ArrayList<>();
    List<TableFile> good =
        footers.read(
            wanted,
            (file, error) -> {
              if (onBadFile == OnBadFile.FAIL) {
                throw error;
              }
              bad.add(new BadFile(file.entry().location(), String.valueOf(error.getMessage())));
              errors.add(error);
            });
    if (good.isEmpty() && !errors.isEmpty()) {
      throw errors.getFirst(); // no file was readable
    }
    for (BadFile file : bad) {
      LOG.warn("Left out a bad file: {}", file.reason());
    }
    badFiles = List.copyOf(bad);
    return good;
  }

  private Table folderTable() throws IOException {
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
        pruned.add(new PrunedFile(file.entry().location(), file.entry().bytes(), file.partition()));
      }
    }
    if (wanted.isEmpty()) {
      // One footer, to know the columns; its rows are ruled out when they are planned.
      wanted.add(listed.getFirst());
      pruned.removeFirst();
    }
    List<TableFile> files = rules.rowIndex().isEmpty() ? read(wanted) : numbered(listed, wanted);
    return Table.of(files, rules, partitions).without(pruned);
  }

  /// Reads the footers of all files, and returns the wanted files with the numbers of their rows.
  private List<TableFile> numbered(List<FoundFile> all, List<FoundFile> wanted) throws IOException {
    List<TableFile> numbered = TableFile.numbered(read(all));
    Set<Location> locations =
        wanted.stream().map(file -> file.entry().location()).collect(Collectors.toSet());
    List<TableFile> left =
        numbered.stream().filter(file -> locations.contains(file.location())).toList();
    // Those wanted may be bad. The filter drops the rows of another one, which has the columns.
    return left.isEmpty() && !wanted.isEmpty() ? numbered.subList(0, 1) : left;
  }

  private Table catalogTable(Catalog catalog) throws IOException {
    Optional<Filter> told = told(catalog);
    CatalogFiles listed = catalog.table.files(told);
    List<FoundFile> wanted = catalog.sorted(listed.files());
    List<TableFile> files;
    if (rules.rowIndex().isEmpty()) {
      files = read(wanted);
    } else {
      CatalogFiles all = told.isEmpty() ? listed : catalog.table.files(Optional.empty());
      files = numbered(catalog.sorted(all.files()), wanted);
    }
    return Table.of(files, rules, Partitions.NONE).without(listed.pruned());
  }

  /// Returns the part of the filter that a catalog can use: the catalog knows columns in the
  /// table's types, and the filter means the types that are read.
  private Optional<Filter> told(Catalog catalog) {
    boolean own =
        rules.given().equals(Optional.of(catalog.schema)) && rules.missing() == catalog.missing;
    return own
        ? filter.flatMap(wanted -> FilterPart.of(wanted, this::isOfTheTable))
        : Optional.empty();
  }

  private boolean isOfTheTable(String column) {
    return rules.isUncast(column) && !rules.isRowIndex(column);
  }

  /// Returns the sources of a mixture under one schema.
  ///
  /// @param columns the wanted columns; empty for all
  synchronized MixedSources mixed(Optional<List<String>> columns) throws IOException {
    MixedSources known = mixed;
    if (known == null || !columns.equals(mixedColumns)) {
      known = MixedSources.of(mixture().orElseThrow(), columns, filter);
      mixed = known;
      mixedColumns = columns;
    }
    return known;
  }

  /// Where the list of files comes from.
  private sealed interface Origin {}

  /// Files in folders.
  ///
  /// @param format the format of all files; empty to detect it for each
  /// @param formatOptions option to value, sorted
  /// @param hive whether folders are partitions
  /// @param storage the options of the stores
  private record Folders(
      List<String> locations,
      Optional<String> format,
      Map<String, String> formatOptions,
      boolean hive,
      StorageOptions storage)
      implements Origin {
    List<FoundFile> files() throws IOException {
      return Discovery.list(
              locations, format.map(Providers::format), hive, storage, new VirtualThreads())
          .stream()
          .map(file -> file.with(formatOptions))
          .toList();
    }
  }

  /// The files of other datasets.
  private record Mixed(Mixture mixture) implements Origin {}

  /// A catalog that lists the files of a table.
  ///
  /// @param schema the table's columns
  /// @param missing the values of columns that a file lacks, as the table defines them
  /// @param formatOptions option to value, sorted
  private record Catalog(
      CatalogTable table, Schema schema, MissingColumns missing, Map<String, String> formatOptions)
      implements Origin {
    /// Returns the files in path order, whatever the catalog's order is.
    List<FoundFile> sorted(List<CatalogFile> files) {
      List<FoundFile> found = new ArrayList<>();
      for (CatalogFile file : files) {
        found.add(
            new FoundFile(
                    file.entry(),
                    file.storage(),
                    file.format(),
                    List.of(),
                    file.constants(),
                    file.details(),
                    file.live(),
                    Map.of(),
                    Optional.empty())
                .with(formatOptions));
      }
      found.sort(Comparator.comparing(file -> file.entry().location()));
      return found;
    }
  }

  /// What was found and read.
  private static final class Footers {
    private final Origin origin;
    private final Optional<Cache> cache;
    private @Nullable CacheFolder opened;
    private @Nullable List<FoundFile> listed;
    private final Map<Location, TableFile> read = new HashMap<>();

    Footers(Origin origin) {
      this(origin, Optional.empty());
    }

    Footers(Origin origin, Optional<Cache> cache) {
      this.origin = origin;
      this.cache = cache;
    }

    private FoundFile withCache(FoundFile file) throws IOException {
      if (cache.isEmpty()) {
        return file;
      }
      CacheFolder known = opened;
      if (known == null) {
        Cache wanted = cache.get();
        known = CacheFolder.open(wanted.folder(), wanted.limit(), wanted.access());
        opened = known;
      }
      return file.with(known);
    }

    /// Returns the files in folders.
    synchronized List<FoundFile> listed() throws IOException {
      if (listed == null) {
        listed = origin instanceof Folders folders ? folders.files() : List.of();
      }
      return listed;
    }

    /// Returns the footers of some of the files; each is read once, unless it is malformed.
    synchronized List<TableFile> read(List<FoundFile> wanted, Malformed malformed)
        throws IOException {
      List<FoundFile> missing = new ArrayList<>();
      for (FoundFile file : wanted) {
        if (!read.containsKey(file.entry().location())) {
          missing.add(withCache(file));
        }
      }
      List<TableFile> added = FooterReads.readAll(missing, malformed);
      for (TableFile file : added) {
        read.put(file.info().location(), file);
      }
      List<TableFile> files = new ArrayList<>();
      for (FoundFile file : wanted) {
        TableFile good = read.get(file.entry().location());
        if (good != null) {
          files.add(good);
        }
      }
      return files;
    }
  }
}
