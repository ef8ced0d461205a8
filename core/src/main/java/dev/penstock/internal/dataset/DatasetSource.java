package dev.penstock.internal.dataset;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.filter.Filter;
import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.cache.FolderAccess;
import dev.penstock.internal.dataset.Origin.Catalog;
import dev.penstock.internal.dataset.Origin.Folders;
import dev.penstock.internal.dataset.Origin.Mixed;
import dev.penstock.internal.table.FolderFilter;
import dev.penstock.internal.table.FoundFile;
import dev.penstock.internal.table.Partitions;
import dev.penstock.internal.table.Providers;
import dev.penstock.internal.table.SampleDoubts;
import dev.penstock.internal.table.SchemaRules;
import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.catalog.CatalogFiles;
import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.split.ByteSize;
import dev.penstock.split.PrunedFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
public final class DatasetSource {
  private static final Logger LOG = LoggerFactory.getLogger("dev.penstock.StructuredDataset");

  private static final long CACHE_BYTES_MIN = 1 << 20;

  private final Footers footers;
  private final SchemaRules rules;
  private final Optional<Filter> filter;
  private final boolean skipsBadFiles;
  private final boolean isByRows;
  private final DatasetSource byRows;
  private List<FoundFile> stated = List.of(); // if by rows; set with the monitor of this
  private volatile @Nullable Table table; // set with the monitor of this
  private volatile List<Bad> badFiles = List.of(); // set with the monitor of this
  private volatile @Nullable MixedSources mixed; // the last ones; set with the monitor of this
  private Optional<List<String>> mixedColumns = Optional.empty();

  public record Bad(Location location, String reason) {}

  private DatasetSource(
      Footers footers, SchemaRules rules, Optional<Filter> filter, boolean skipsBadFiles) {
    this(footers, rules, filter, skipsBadFiles, false);
  }

  private DatasetSource(
      Footers footers,
      SchemaRules rules,
      Optional<Filter> filter,
      boolean skipsBadFiles,
      boolean isByRows) {
    this.footers = footers;
    this.rules = rules;
    this.filter = filter;
    this.skipsBadFiles = skipsBadFiles;
    this.isByRows = isByRows;
    this.byRows = isByRows ? this : new DatasetSource(footers, rules, filter, skipsBadFiles, true);
  }

  /// Returns the same for an order to which row groups do not matter: footers are not read, as far
  /// as a catalog states how many rows there are. Those of files that are read come by [#opened].
  DatasetSource byRows() {
    boolean isKnown = table != null || version().isEmpty() || footers.isPlanned();
    return isKnown ? this : byRows;
  }

  private static DatasetSource of(Origin origin, SchemaRules rules) {
    return new DatasetSource(new Footers(origin), rules, Optional.empty(), false);
  }

  static DatasetSource of(List<String> locations) {
    return of(
        new Folders(
            locations, Providers.here(), Optional.empty(), Map.of(), false, StorageOptions.NONE),
        SchemaRules.DEFAULT);
  }

  static DatasetSource of(
      Object mixture, List<DatasetSettings> sources, Optional<String> numberColumn) {
    return of(new Mixed(mixture, sources, numberColumn), SchemaRules.DEFAULT);
  }

  static DatasetSource of(CatalogTable table) {
    Catalog catalog = new Catalog(table, table.schema(), table.missingColumns(), Map.of());
    return of(
        catalog, SchemaRules.DEFAULT.withGiven(catalog.schema()).withMissing(catalog.missing()));
  }

  public DatasetSource skippingBadFiles(boolean choice) {
    requireOwnFiles(Remedy.name("onBadFile"));
    return new DatasetSource(footers, rules, filter, choice);
  }

  /// Returns the source without the files that a filter rules out by their folders or their
  /// catalog.
  public DatasetSource with(Filter wanted) {
    return new DatasetSource(footers, rules, Optional.of(wanted), skipsBadFiles);
  }

  public Optional<Filter> filter() {
    return filter;
  }

  public DatasetSource withFormat(String name) {
    Folders old = folders(Remedy.name("format"));
    return with(old.with(old.providers().format(name)));
  }

  public DatasetSource withFormat(FileFormat given) {
    Objects.requireNonNull(given, "format must not be null.");
    Folders old = folders(Remedy.name("format"));
    Providers changed = old.providers().with(given);
    return with(old.with(changed).with(changed.format(given.name())));
  }

  public DatasetSource withStorage(Storage given) {
    Objects.requireNonNull(given, "storage must not be null.");
    Folders old = folders(Remedy.name("storage"));
    return with(old.with(old.providers().with(given)));
  }

  public DatasetSource withFormatOption(String key, String value) {
    Objects.requireNonNull(key, "key must not be null.");
    Objects.requireNonNull(value, "value must not be null.");
    Map<String, String> changed = new TreeMap<>(formatOptions());
    changed.put(key, value);
    Map<String, String> options = Collections.unmodifiableMap(changed);
    return with(
        switch (footers.origin()) {
          case Folders old -> old.with(options);
          case Catalog old -> new Catalog(old.table(), old.schema(), old.missing(), options);
          case Mixed _ -> throw ofSources(Remedy.of("formatOptions", "", "formatOption"));
        });
  }

  public Map<String, String> formatOptions() {
    return switch (footers.origin()) {
      case Folders folders -> folders.formatOptions();
      case Catalog catalog -> catalog.formatOptions();
      case Mixed _ -> Map.of();
    };
  }

  public DatasetSource withStorageOption(String key, String value) {
    Folders old = folders(Remedy.of("storage", "", "storageOption"));
    StorageOptions changed = old.storage().with(key, value);
    old.providers().requireKnown(changed);
    return with(old.with(changed));
  }

  private Folders folders(Remedy wish) {
    return switch (footers.origin()) {
      case Folders folders -> folders;
      case Catalog catalog ->
          throw Advice.argumentError(
              "Cannot use %s: the files of %s are listed by its catalog, which knows it.",
              wish, catalog.table().name());
      case Mixed _ -> throw ofSources(wish);
    };
  }

  private static IllegalArgumentException ofSources(Remedy wish) {
    return Advice.argumentError(
        "Cannot use %s on a mixture: each of its sources has its own. Use it on them, before"
            + " they are mixed.",
        wish);
  }

  /// Refuses what only the sources of a mixture can do.
  public void requireOwnFiles(Remedy wish) {
    if (footers.origin() instanceof Mixed) {
      throw ofSources(wish);
    }
  }

  Optional<Mixed> mixed() {
    return footers.origin() instanceof Mixed mixed ? Optional.of(mixed) : Optional.empty();
  }

  private DatasetSource with(Origin changed) {
    return new DatasetSource(footers.of(changed), rules, filter, skipsBadFiles);
  }

  public DatasetSource withCache(String folder, String size, FolderAccess access) {
    ByteSize limit = ByteSize.parse(size);
    if (limit.bytes() < CACHE_BYTES_MIN) {
      throw new IllegalArgumentException(
          "The size of a cache must be at least 1 MiB, got '"
              + size
              + "'. Give it more, or leave the cache out.");
    }
    Path path = Location.local(folder);
    requireOwnFiles(Remedy.name("cache"));
    Footers kept = footers.with(new Footers.Cache(path, limit, access));
    return new DatasetSource(kept, rules, filter, skipsBadFiles);
  }

  public DatasetSource withPlan(String location) {
    Objects.requireNonNull(location, "plan must not be null.");
    requireOwnFiles(Remedy.name("plan"));
    return new DatasetSource(footers.with(new Location(location)), rules, filter, skipsBadFiles);
  }

  /// Where a plan is, and whether it was written now.
  public record Saved(Location location, boolean isNew) {}

  DatasetSource withoutPlan() {
    Footers read = footers.withoutPlan();
    return read.equals(footers) ? this : new DatasetSource(read, rules, filter, skipsBadFiles);
  }

  /// Writes a plan of all files, unless there is one. This is without a plan itself.
  Saved savePlan(String location, PlanWishes wishes) throws IOException {
    return footers.save(new Location(location), wishes);
  }

  public DatasetSource checked(boolean all) {
    requireOwnFiles(Remedy.name("checked"));
    return new DatasetSource(footers.checked(all), rules, filter, skipsBadFiles);
  }

  public DatasetSource with(SchemaRules changed) {
    requireOwnFiles(new Remedy.Text("rules for columns"));
    Footers listed = footers;
    if (changed.hive().isPresent()) {
      Folders old = folders(Remedy.of("partitioning", "", "hivePartitions"));
      listed = footers.of(old.inHivePartitions());
    }
    return new DatasetSource(listed, changed, filter, skipsBadFiles);
  }

  public DatasetSource withRowIndex(String name) {
    requireOwnFiles(Remedy.name("rowIndex"));
    if (name.isBlank()) {
      throw new IllegalArgumentException("The column of the row index needs a name.");
    }
    return with(rules.withRowIndex(name));
  }

  public SchemaRules rules() {
    return rules;
  }

  public List<String> locations() {
    return switch (footers.origin()) {
      case Folders folders -> folders.locations();
      case Catalog catalog -> List.of(catalog.table().name());
      case Mixed mixed ->
          mixed.sources().stream().flatMap(each -> each.source().locations().stream()).toList();
    };
  }

  /// Returns the identity and version of a catalog's table.
  public Optional<String> version() {
    return footers.origin() instanceof Catalog catalog
        ? Optional.of(catalog.table().version())
        : Optional.empty();
  }

  /// Returns whether the other is of the same version of a table, or its folders have the same
  /// files.
  boolean hasSameFiles(DatasetSource other) throws IOException {
    if (footers.origin() instanceof Folders && other.footers.origin() instanceof Folders) {
      return footers.hasSameFiles(other.footers);
    }
    return version().isPresent() && version().equals(other.version());
  }

  synchronized Table table() throws IOException {
    Table known = table;
    if (known == null) {
      known =
          switch (footers.origin()) {
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

  Optional<String> chosenFormat() {
    return footers.origin() instanceof Folders folders
        ? folders.format().map(FileFormat::name)
        : Optional.empty();
  }

  /// Returns the files that were left out. Reads the footers the first time.
  public synchronized List<Bad> badFiles() throws IOException {
    table();
    return badFiles;
  }

  /// Returns how many files were left out, as far as footers were read already; never waits.
  public int knownBadFiles() {
    MixedSources sources = mixed;
    return sources == null
        ? badFiles.size()
        : sources.datasets().stream().mapToInt(each -> each.source().knownBadFiles()).sum();
  }

  /// Returns what the user should know of how the files are read. Lists and reads them the first
  /// time.
  ///
  /// @param columns those that are read; empty for all
  List<Advice> warnings(Optional<List<String>> columns) throws IOException {
    List<Advice> warnings = new ArrayList<>(SampleDoubts.of(table(), rules, columns));
    footers.listed().warning().ifPresent(warnings::addFirst);
    return warnings;
  }

  private List<TableFile> read(List<FoundFile> wanted) throws IOException {
    List<Bad> bad = new ArrayList<>();
    List<MalformedFileException> errors = new ArrayList<>();
    List<TableFile> good =
        footers.read(
            wanted,
            (file, error) -> {
              if (!skipsBadFiles) {
                throw error;
              }
              bad.add(new Bad(file.entry().location(), String.valueOf(error.getMessage())));
              errors.add(error);
            });
    if (good.isEmpty() && !errors.isEmpty()) {
      throw errors.getFirst(); // no file was readable
    }
    for (Bad file : bad) {
      LOG.warn("Left out a bad file: {}", file.reason());
    }
    badFiles = List.copyOf(bad);
    return good;
  }

  private Table folderTable() throws IOException {
    // Partitions first: they are known before any file is opened.
    List<FoundFile> listed = footers.listed().files();
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
    CatalogFiles listed = catalog.table().files(told);
    List<FoundFile> wanted = catalog.sorted(listed.files());
    List<TableFile> files;
    if (isByRows && isOfItsCatalog(catalog)) {
      stated = FileVersions.of(wanted);
      files = footers.stated(stated, catalog.schema());
    } else if (rules.rowIndex().isEmpty()) {
      files = read(wanted);
    } else {
      CatalogFiles all = told.isEmpty() ? listed : catalog.table().files(Optional.empty());
      files = numbered(catalog.sorted(all.files()), wanted);
    }
    return Table.of(files, rules, Partitions.NONE).without(listed.pruned());
  }

  /// Returns the part of the filter that a catalog can use: the catalog knows columns in the
  /// table's types, and the filter means the types that are read.
  private Optional<Filter> told(Catalog catalog) {
    return isOwn(catalog)
        ? filter.flatMap(wanted -> FolderFilter.part(wanted, this::isOfTheTable))
        : Optional.empty();
  }

  /// Returns whether columns are those of the table.
  private boolean isOwn(Catalog catalog) {
    return rules.given().equals(Optional.of(catalog.schema()))
        && rules.missing().equals(catalog.missing());
  }

  /// Returns whether all rows are read as the catalog states them, whatever the files have.
  private boolean isOfItsCatalog(Catalog catalog) {
    return isOwn(catalog)
        && rules.casts().isEmpty()
        && rules.rowIndex().isEmpty()
        && filter.isEmpty()
        && !skipsBadFiles
        && catalog.schema().fields().stream().allMatch(DatasetSource::isNullable);
  }

  /// Returns whether no file can make a column, or a part of it, more nullable than it is.
  private static boolean isNullable(Field field) {
    return field.nullable()
        && switch (field.type()) {
          case DataType.List(DataType element, boolean nullable) ->
              isNullable(new Field("", element, nullable));
          case DataType.Map(DataType _, DataType value, boolean nullable) ->
              isNullable(new Field("", value, nullable));
          case DataType.Struct(List<Field> parts) ->
              parts.stream().allMatch(DatasetSource::isNullable);
          default -> true;
        };
  }

  /// Returns the table of some of its files, with their footers.
  synchronized Table opened(Set<Location> some) throws IOException {
    List<FoundFile> files =
        stated.stream().filter(file -> some.contains(file.entry().location())).toList();
    return Table.of(read(files), rules, Partitions.NONE);
  }

  private boolean isOfTheTable(String column) {
    return rules.isUncast(column) && !rules.isRowIndex(column);
  }

  /// Returns the sources of a mixture under one schema, with the wanted columns; empty for all.
  synchronized MixedSources mixed(Optional<List<String>> columns) throws IOException {
    MixedSources known = mixed;
    if (known == null || !columns.equals(mixedColumns)) {
      known = MixedSources.of((Mixed) footers.origin(), columns, filter);
      mixed = known;
      mixedColumns = columns;
    }
    return known;
  }
}
