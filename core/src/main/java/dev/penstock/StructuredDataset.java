package dev.penstock;

import dev.penstock.filter.Filter;
import dev.penstock.format.SchemaMismatchException;
import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.cache.FolderAccess;
import dev.penstock.internal.choice.Shown;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.filter.FilterBinder;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.plan.Pruning;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.table.CastRule;
import dev.penstock.internal.table.Names;
import dev.penstock.internal.table.Partitions;
import dev.penstock.internal.table.Providers;
import dev.penstock.internal.table.SchemaRules;
import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.TableFile;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.schema.SchemaFrom;
import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.split.ByteSize;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.Plan;
import dev.penstock.split.SplitStrategy;
import dev.penstock.split.TargetSizeSplitStrategy;
import dev.penstock.storage.Location;
import dev.penstock.transform.BlockSource;
import dev.penstock.transform.ColumnBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// Table files to read: where they are, which columns, and how they are split.
///
/// A location is a folder (read at any depth, sorted by path, skipping names that start with `_` or
/// `.` and the files of a [#cache]), a file, a glob (`*` within a name, `**` across folders, `?`,
/// `[ab]`, `{a,b}`), or several of these.
///
/// Immutable: every setting returns a changed copy. Nothing is opened until you ask for a schema, a
/// plan or a batch; then the files are listed and their footers read, once.
///
/// **Threads.** Safe for any.
///
/// **Errors.** Wrong settings throw [IllegalArgumentException]. Problems with the files throw
/// [java.io.UncheckedIOException] with a message that names the file.
public final class StructuredDataset implements BlockSource {
  private static final long CACHE_BYTES_MIN = 1 << 20;

  private final DatasetSource source;
  private final Optional<List<String>> columns;
  private final Optional<SplitStrategy> strategy; // empty for the default, or the sources' own

  private StructuredDataset(
      DatasetSource source, Optional<List<String>> columns, Optional<SplitStrategy> strategy) {
    Raw.requireAccess();
    this.source = source;
    this.columns = columns;
    this.strategy = strategy;
  }

  /// Makes a dataset over one or more locations.
  ///
  /// @param locations folders, files or globs
  /// @throws IllegalArgumentException if there is no location, or one is blank
  /// @throws IllegalCallerException if this JVM denies native access to this library
  public StructuredDataset(String... locations) {
    this(List.of(locations));
  }

  /// Makes a dataset over one or more locations.
  ///
  /// @param locations folders, files or globs
  /// @throws IllegalArgumentException if there is no location, or one is blank
  /// @throws IllegalCallerException if this JVM denies native access to this library
  public StructuredDataset(List<String> locations) {
    this(new DatasetSource(checked(locations)), Optional.empty(), Optional.empty());
  }

  /// Reads several datasets, each with a share of the rows.
  ///
  /// [#columns], [#filter] and [#splitStrategy] apply to all sources; other choices are made on the
  /// sources.
  ///
  /// @param mixture the datasets and their shares
  /// @throws IllegalArgumentException if a source has no share
  public StructuredDataset(Mixture mixture) {
    this(new DatasetSource(mixture.checked()), Optional.empty(), Optional.empty());
  }

  /// Makes a dataset over a table whose files a catalog lists. The dataset has the table's schema;
  /// the catalog decides on format, storage options and partitions.
  ///
  /// @param table the table, at one version
  /// @throws IllegalCallerException if this JVM denies native access to this library
  public StructuredDataset(CatalogTable table) {
    this(new DatasetSource(table), Optional.empty(), Optional.empty());
  }

  /// Chooses columns; without it, all columns are read.
  ///
  /// @param names the columns in delivery order; `address.city` is the field `city` of the structs
  ///   in column `address`
  /// @return the changed dataset
  /// @throws IllegalArgumentException if there is no column, or one is named twice
  public StructuredDataset columns(String... names) {
    return columns(List.of(names));
  }

  /// Chooses columns; without it, all columns are read.
  ///
  /// @param names the columns in delivery order; `address.city` is the field `city` of the structs
  ///   in column `address`
  /// @return the changed dataset
  /// @throws IllegalArgumentException if there is no column, or one is named twice
  public StructuredDataset columns(List<String> names) {
    if (names.isEmpty()) {
      throw new IllegalArgumentException("columns needs at least one name.");
    }
    Set<String> distinct = new HashSet<>();
    for (String name : names) {
      if (!distinct.add(name)) {
        throw new IllegalArgumentException(
            "Cannot read column '" + name + "' twice: name it once in columns.");
      }
    }
    return new StructuredDataset(source, Optional.of(List.copyOf(names)), strategy);
  }

  /// Chooses rows: those for which a condition is true. Without it, all rows are delivered; a
  /// second filter replaces the first.
  ///
  /// Its columns need not be among [#columns()]. Statistics of row groups and pages rule out rows
  /// before they are read; the result is the same without them. Files ruled out by their Hive
  /// partitions are not opened and do not contribute to the schema.
  ///
  /// @param condition the condition, see [Filter]
  /// @return the changed dataset
  public StructuredDataset filter(Filter condition) {
    return new StructuredDataset(source.with(condition), columns, strategy);
  }

  /// Chooses rows by a condition in text, for example `delay >= 15 and origin in ('ATL', 'ORD')`.
  ///
  /// @param condition the condition, see [Filter#parse]
  /// @return the changed dataset
  /// @throws IllegalArgumentException if the text is not a condition
  public StructuredDataset where(String condition) {
    return filter(Filter.parse(condition));
  }

  /// Chooses the file format; without it, the format is detected by extension, then by the first
  /// bytes.
  ///
  /// @param name a format's name, for example `parquet`
  /// @return the changed dataset
  /// @throws IllegalArgumentException if there is no such format
  public StructuredDataset format(String name) {
    return new StructuredDataset(
        source.withFormat(Providers.format(name).name()), columns, strategy);
  }

  /// Sets an option of the format: how files are written, for example `formatOption("delimiter",
  /// ";")` for CSV, or how to read them, for example `formatOption("page-index", "ignore")` for
  /// Parquet. The reference page of each format lists its options; an option unknown to the format
  /// throws an [IllegalArgumentException] when the files are listed.
  ///
  /// @param key the option
  /// @param value its value; a second one replaces the first
  /// @return the changed dataset
  public StructuredDataset formatOption(String key, String value) {
    return new StructuredDataset(
        source.withFormatOption(
            Objects.requireNonNull(key, "key must not be null."),
            Objects.requireNonNull(value, "value must not be null.")),
        columns,
        strategy);
  }

  /// Returns the chosen format options.
  ///
  /// @return option to value, sorted; unmodifiable
  public Map<String, String> formatOptions() {
    return Collections.unmodifiableMap(source.formatOptions());
  }

  /// Sets an option of the stores that hold the locations, such as an endpoint, credentials or
  /// timeouts. By default a store's own library takes its settings from the environment.
  ///
  /// Values of options that may be secrets never appear in a log, error, plan or state.
  ///
  /// @param key an option, for example `endpoint`, `region` or `access-key-id`
  /// @param value its value, which replaces an earlier one
  /// @return the changed dataset
  /// @throws IllegalArgumentException if no store here takes the option
  public StructuredDataset storageOption(String key, String value) {
    return new StructuredDataset(source.withStorageOption(key, value), columns, strategy);
  }

  /// Keeps decoded columns in a folder on a local disk, as they are first decoded. From then on
  /// they are read from there, by this and by later runs: no store is asked for their bytes, and
  /// nothing is decompressed or parsed. Without it nothing is kept.
  ///
  /// What is kept belongs to a file's version, and is checked before it is used. Where it is
  /// absent, damaged or of another version, the file is read. The folder may be deleted at any
  /// time, and several processes may share it. A disk that is full is a warning.
  ///
  /// It is for this user alone: nobody else may read what is written, and a folder or a segment
  /// that belongs to another user, or that others may write to, is an error when files are read.
  /// For several users there is [#sharedCache].
  ///
  /// The loader's memory does not count what the operating system keeps of the folder. [LocalCache]
  /// says what is in it.
  ///
  /// @param folder the folder, which is made if it does not exist; nothing outside of it is written
  /// @param size how much it may hold, for example `200GiB`. What was not used for longest is
  ///   deleted first, but never what this dataset has used: of a table that is larger than the
  ///   cache, a part stays
  /// @return the changed dataset
  /// @throws IllegalArgumentException if the text is not a size, or the size is below 1 MiB, or the
  ///   folder is not one of this machine, see [Location#local]
  public StructuredDataset cache(String folder, String size) {
    return withCache(folder, size, FolderAccess.PRIVATE);
  }

  /// Keeps decoded columns as [#cache] does, in a folder of several users who trust each other:
  /// whoever may write to it decides what rows all of them read. The umask says who may read what
  /// is written here.
  ///
  /// @param folder the folder, which is made if it does not exist
  /// @param size how much it may hold, for example `200GiB`
  /// @return the changed dataset
  /// @throws IllegalArgumentException as [#cache] does
  public StructuredDataset sharedCache(String folder, String size) {
    return withCache(folder, size, FolderAccess.SHARED);
  }

  private StructuredDataset withCache(String folder, String size, FolderAccess access) {
    ByteSize limit = ByteSize.parse(size);
    if (limit.bytes() < CACHE_BYTES_MIN) {
      throw new IllegalArgumentException(
          "The size of a cache must be at least 1 MiB, got '"
              + size
              + "'. Give it more, or leave the cache out.");
    }
    Path path = Location.local(folder);
    return new StructuredDataset(source.withCache(path, limit, access), columns, strategy);
  }

  /// Chooses which files decide what the columns are; the default is [SchemaFrom#ALL].
  ///
  /// Columns that are narrower in some files are widened: integers, floating-point numbers,
  /// decimals, and times to the finer unit. Columns may come in any order. Choosing a column whose
  /// types cannot be joined is an error that names both files and both types.
  ///
  /// @param files the first file, or all
  /// @return the changed dataset
  public StructuredDataset schemaFrom(SchemaFrom files) {
    return with(source.rules().withFrom(files));
  }

  /// Names the columns and their types. Other columns of the files are not read; types of the files
  /// must fit into these, see [#schemaFrom(SchemaFrom)]. A column that is nullable in a file is
  /// nullable, whatever this schema says. Text files have no types of their own: they are read in
  /// these types, and a null in a column that is not nullable is an error.
  ///
  /// @param schema the columns in delivery order
  /// @return the changed dataset
  public StructuredDataset schemaFrom(Schema schema) {
    return with(source.rules().withGiven(schema));
  }

  /// Chooses how a column that some file lacks is filled; the default is [MissingColumns#error()].
  ///
  /// @param choice error, nulls, or defaults
  /// @return the changed dataset
  public StructuredDataset missingColumns(MissingColumns choice) {
    return with(source.rules().withMissing(choice));
  }

  /// Reads columns in another type. If several casts match a column, the last one counts. Text
  /// files are parsed directly in the type, so any type is possible.
  ///
  /// A value that the type cannot hold is an error that names column, file, row and value: an
  /// integer out of range or without an exact floating-point value, a fraction that would be cut
  /// off, a finite number that would become infinite. Numbers other than integers are rounded to
  /// the nearest floating-point number.
  ///
  /// @param pattern a column, a part of a struct by its dotted name, or several by the wildcards
  ///   `*` (any text) and `?` (one character). For a list column the elements are cast
  /// @param type the wanted type, for example [DataType#float32()]. Possible casts: booleans and
  ///   numbers to numbers, dates to timestamps and back, times and timestamps to another unit,
  ///   strings to binaries and back; variants to strings, as JSON. The path of a field of variants,
  ///   such as `v.user.id`, makes a column of that name: [DataType.Variant]
  /// @return the changed dataset
  /// @throws IllegalArgumentException if nothing can be cast to the type
  public StructuredDataset cast(String pattern, DataType type) {
    return with(source.rules().withCast(CastRule.of(pattern, type, false)));
  }

  /// Reads columns in another type, as [#cast], and replaces values that the type cannot hold by
  /// the nearest it can: out of range to the end of the range, fractions towards zero, times to the
  /// earlier unit, NaN to 0 in types without NaN. Fields of variants that are of another kind
  /// become null.
  ///
  /// @param pattern as in [#cast]
  /// @param type as in [#cast]
  /// @return the changed dataset
  /// @throws IllegalArgumentException if nothing can be cast to the type
  public StructuredDataset castLossy(String pattern, DataType type) {
    return with(source.rules().withCast(CastRule.of(pattern, type, true)));
  }

  /// Chooses whether `id` and `ID` are two columns; the default is true.
  ///
  /// Without case, names match in all files, in [#columns(String...)] and in the settings of the
  /// schema; a filter names columns as [#fileSchema()] does. A file with two columns that differ
  /// only in case is an error.
  ///
  /// @param on false to compare names without regard to case
  /// @return the changed dataset
  public StructuredDataset caseSensitive(boolean on) {
    return with(source.rules().withNames(new Names(on)));
  }

  /// Chooses what to do about a file whose contents cannot be read; the default is
  /// [OnBadFile#FAIL].
  ///
  /// This is decided once, when the footers are read: a file is read or skipped as a whole. Text
  /// has no footer; its header, a sample and its record boundaries are checked instead. A page or
  /// record that proves malformed while rows are read is always an error, because rows of the file
  /// may have been delivered. A file that cannot be reached does not count as bad. If all files are
  /// bad, the first one's error is thrown.
  ///
  /// @param choice fail or skip
  /// @return the changed dataset
  public StructuredDataset onBadFile(OnBadFile choice) {
    return new StructuredDataset(
        source.with(Objects.requireNonNull(choice, "onBadFile must not be null.")),
        columns,
        strategy);
  }

  /// Returns how many files were skipped, as far as footers were read already; never waits.
  int knownBadFiles() {
    return source.knownBadFiles();
  }

  /// Returns the files that were skipped because they cannot be read. Reads the footers the first
  /// time.
  ///
  /// @return in path order; empty unless [OnBadFile#SKIP] is set
  public List<BadFile> badFiles() {
    if (mixture().isPresent()) {
      return sources().stream().flatMap(each -> each.badFiles().stream()).toList();
    }
    try {
      return source.badFiles();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /// Reads `key=value` folders as columns; without it, they are just folders.
  ///
  /// Of a location that is a folder, those below it count; of a file that is named itself or that
  /// matches a glob, all folders of its path as it is written.
  ///
  /// Keys and values are decoded (`%20`), and `__HIVE_DEFAULT_PARTITION__` is null. A column is an
  /// `int64` if all its values are integers, a date if all look like `2001-01-31`, else a string.
  /// Partition columns follow the files' columns and replace those of the same name.
  ///
  /// @return the changed dataset
  public StructuredDataset hivePartitions() {
    return hivePartitions(Map.of());
  }

  /// Reads `key=value` folders as columns, as [#hivePartitions()], with declared types for some of
  /// them.
  ///
  /// @param types key to type: boolean, a number, string or date
  /// @return the changed dataset
  /// @throws IllegalArgumentException if a type is none of these
  public StructuredDataset hivePartitions(Map<String, DataType> types) {
    types.forEach(Partitions::requireReadable);
    return with(source.rules().withHive(types));
  }

  /// Adds a column with the number of each row: how many rows come before it, in its file and in
  /// the files before that in path order. It is an `int64` without nulls and the last column,
  /// behind those of partition folders. Like them it can be chosen, filtered, cast and delivered.
  ///
  /// Rows are counted as they are stored: those that a filter leaves out, and those that Iceberg or
  /// Delta have deleted in a file, have numbers too. So a row has the same number whatever is read
  /// of it, in any order. Files that are left out as bad do not count.
  ///
  /// The footers of all files are read for it, also of those that the filter rules out by their
  /// folders or their catalog. A cache does not keep the column.
  ///
  /// In a [Mixture] each source has its own, so use it on them. Rows of two sources may have one
  /// number.
  ///
  /// @param name the column's name, which no other column may have; a second name replaces the
  ///   first
  /// @return the changed dataset
  /// @throws IllegalArgumentException if the name is blank, or this is a mixture
  public StructuredDataset rowIndex(String name) {
    source.requireOwnFiles("rowIndex");
    if (name.isBlank()) {
      throw new IllegalArgumentException("The column of the row index needs a name.");
    }
    return with(source.rules().withRowIndex(name));
  }

  private StructuredDataset with(SchemaRules rules) {
    return new StructuredDataset(source.with(rules), columns, strategy);
  }

  /// Chooses how files are cut and dealt; the default is
  /// [dev.penstock.split.TargetSizeSplitStrategy] with 128 MiB.
  ///
  /// @param strategy a ready strategy or your own
  /// @return the changed dataset
  public StructuredDataset splitStrategy(SplitStrategy strategy) {
    return new StructuredDataset(
        source,
        columns,
        Optional.of(Objects.requireNonNull(strategy, "splitStrategy must not be null.")));
  }

  /// Packs row groups into splits of up to this many bytes.
  ///
  /// @param size a size such as `128MiB`
  /// @return the changed dataset
  /// @throws IllegalArgumentException if the text is not a size
  public StructuredDataset splitBytes(String size) {
    return splitStrategy(TargetSizeSplitStrategy.ofBytes(ByteSize.parse(size)));
  }

  /// Packs row groups into splits of up to this many rows.
  ///
  /// @param rows at least 1
  /// @return the changed dataset
  /// @throws IllegalArgumentException if `rows` is below 1
  public StructuredDataset splitRows(long rows) {
    return splitStrategy(TargetSizeSplitStrategy.ofRows(rows));
  }

  /// Returns the locations as given.
  ///
  /// @return an unmodifiable list
  public List<String> locations() {
    return source.locations();
  }

  /// Returns the identity and version of the table that a catalog lists.
  ///
  /// @return as [CatalogTable#version()]; empty if the dataset is of files
  public Optional<String> version() {
    return source.version();
  }

  /// Returns the chosen columns.
  ///
  /// @return their names, or empty when all columns are read
  public Optional<List<String>> columns() {
    return columns;
  }

  /// Returns the filter on the rows.
  ///
  /// @return the filter, or empty when all rows are read
  public Optional<Filter> filter() {
    return source.filter();
  }

  /// Returns all columns, chosen or not: those of the files, then those of partition folders, then
  /// the row index. Reads the footers the first time.
  ///
  /// @return the one schema of the files
  public Schema fileSchema() {
    try {
      return table().schema();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /// Returns the columns that are read, in delivery order. Reads the footers the first time.
  ///
  /// @return the chosen part of [#fileSchema()]
  @Override
  public Schema schema() {
    try {
      Table table = table();
      return columns.isEmpty() ? table.schema() : table.select(columns.get());
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /// Returns the names of the columns that come from partition folders. Reads the footers the first
  /// time.
  ///
  /// @return the last columns of [#fileSchema()] before the row index, chosen or not
  public List<String> partitionColumns() {
    return table().partitions().columns().stream().map(Field::name).toList();
  }

  /// Returns the files in path order, with their rows and row groups. Reads the footers the first
  /// time.
  ///
  /// @return an unmodifiable list
  public List<DataFileInfo> files() {
    return table().infos();
  }

  /// Returns the name of the files' format. Lists the files the first time.
  ///
  /// @return for example `parquet`; several joined by commas if a catalog's files differ, empty if
  ///   it has no files
  public String format() {
    return format(table());
  }

  private static String format(Table table) {
    return table.files().stream()
        .map(file -> file.format().name())
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /// Decides what an epoch reads, without reading it. Only if matches or batches are counted to
  /// deal them to ranks, see [LoaderOptions#countMatches(boolean)], the columns are read that
  /// decide them.
  ///
  /// @param options shuffle, seed and workers are used
  /// @param epoch the epoch, counted from 0
  /// @return the checked plan
  /// @throws IllegalArgumentException if the filter does not fit the columns, or the strategy
  ///   leaves rows out
  public Plan plan(LoaderOptions options, long epoch) {
    try (DataLoader loader = new DataLoader(this, options)) {
      return loader.plan(epoch);
    }
  }

  /// Returns how many rows of a plan the [#cache] has in all columns, before a filter. The others
  /// are decoded.
  ///
  /// @param plan a plan of this dataset
  /// @return rows; 0 without a cache
  public long cachedRows(Plan plan) {
    Map<Location, TableFile> files = new HashMap<>();
    Set<CacheFolder> folders = new LinkedHashSet<>();
    for (StructuredDataset each : sources()) {
      for (TableFile file : each.table().files()) {
        files.put(file.location(), file);
        file.cached().ifPresent(kept -> folders.add(kept.folder()));
      }
    }
    folders.forEach(CacheFolder::begin);
    try {
      return plan.sequence().stream()
          .mapToLong(split ->
              Objects.requireNonNull(files.get(split.file().location()))
                  .keptRows(schema(), split.firstRow(), split.rows()))
          .sum();
    } finally {
      folders.forEach(CacheFolder::end);
    }
  }

  /// Returns how files are cut and dealt to readers.
  private SplitStrategy strategy() {
    return strategy.orElseGet(TargetSizeSplitStrategy::ofDefault);
  }

  /// Makes a loader over this dataset in one call.
  ///
  /// @param change turns the default options into the wanted ones
  /// @return a loader, to be closed by the caller
  public DataLoader createDataLoader(UnaryOperator<LoaderOptions> change) {
    return new DataLoader(this, change.apply(LoaderOptions.defaults()));
  }

  /// Reads all rows in blocks, with as many workers as the machine suggests; see
  /// [#blocks(LoaderOptions)].
  @Override
  public <T> List<T> mapBlocks(List<String> columns, Function<ColumnBlock, T> function) {
    return blocks(LoaderOptions.defaults()).mapBlocks(columns, function);
  }

  /// Returns the rows in the blocks that a loader gives to a transform: of the rows that the filter
  /// keeps, aligned runs of 65,536 rows of each row group, in file order. For
  /// [dev.penstock.transform.Preprocessing#fit].
  ///
  /// @param options how to read them: only the number of workers counts
  /// @return the rows; nothing is read yet
  public BlockSource blocks(LoaderOptions options) {
    source.requireOwnFiles("blocks");
    return new BlockPass(this, Objects.requireNonNull(options, "options must not be null."));
  }

  /// Opens the rows by number, with 64 MiB for decoded blocks; see [#openRows(String)].
  ///
  /// @return the rows, to be closed by the caller
  public RowDataset openRows() {
    return openRows("64MiB");
  }

  /// Opens the rows by number, for random access. Reads the footers the first time.
  ///
  /// @param cache how much off-heap memory decoded blocks may take between reads, for example
  ///   `1GiB`: what holds the chosen columns decoded makes every further read a copy
  /// @return the rows, to be closed by the caller
  /// @throws IllegalArgumentException if there is a filter, or the text is no size
  /// @throws java.io.UncheckedIOException if the files cannot be listed or their footers not be
  ///   read
  public RowDataset openRows(String cache) {
    source.requireOwnFiles("openRows");
    return RowDataset.open(this, ByteSize.parse(cache));
  }

  /// Returns the columns that are read, all of which can be decoded.
  Schema readableSchema() {
    Schema schema = schema();
    try {
      table().requireReadable(schema);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
    return schema;
  }

  Table table() {
    try {
      return mixture().isPresent() ? source.mixed(columns).table() : source.table();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /// Returns what the filter leaves of the files. Returns what an epoch reads of this. Lists the
  /// files and reads their footers the first time.
  ///
  /// @param number its number among the sources of a mixture, else 0
  Source source(int number) {
    return new Source(
        number,
        this,
        table(),
        columns,
        filter().map(Object::toString).orElse("none"),
        pruning(),
        strategy(),
        version(),
        formatOptions());
  }

  private Pruning pruning() {
    Table table = table();
    Condition condition =
        source
            .filter()
            .map(wanted -> FilterBinder.bind(wanted, table.everyColumn()))
            .orElse(Condition.always());
    try {
      table.select(List.copyOf(condition.columns()));
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
    return new Pruning(table, condition);
  }

  /// Returns the mixture that this reads.
  ///
  /// @return the mixture; empty if the files are its own
  public Optional<Mixture> mixture() {
    return source.mixture();
  }

  /// Returns the datasets whose rows an epoch has: the sources of a mixture, under one schema.
  ///
  /// @return this where it is no mixture
  List<StructuredDataset> sources() {
    if (mixture().isEmpty()) {
      return List.of(this);
    }
    try {
      return source.mixed(columns).datasets().stream()
          .map(dataset -> strategy.map(dataset::splitStrategy).orElse(dataset))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /// Returns whether rows of files that lack a column get a null or a default.
  boolean fillsMissing(String column) {
    MissingColumns missing = source.rules().missing();
    return missing.givesNulls() || missing.defaults().containsKey(column);
  }

  /// Returns whether a column is the row index.
  boolean isRowIndex(String column) {
    return source.rules().isRowIndex(column);
  }

  /// Gives a column that no file has one value.
  StructuredDataset missingDefault(String column, Object value) {
    return missingColumns(source.rules().missing().withDefault(column, value));
  }

  private static List<String> checked(List<String> locations) {
    if (locations.isEmpty()) {
      throw new IllegalArgumentException("A dataset needs at least one location.");
    }
    locations.forEach(Location::new);
    return List.copyOf(locations);
  }

  /// Shows where the files are, and their format and columns as far as they are known: nothing is
  /// opened for it.
  @Override
  public String toString() {
    if (mixture().isPresent()) {
      return "StructuredDataset of "
          + mixture().get()
          + source.filter().map(wanted -> ", where " + Shown.text(wanted.toString())).orElse("");
    }
    Table table = source.knownTable();
    return "StructuredDataset "
        + Shown.list(source.locations(), location -> location)
        + (table == null ? asked() : found(table))
        + source.filter().map(wanted -> ", where " + Shown.text(wanted.toString())).orElse("")
        + (table == null ? ", not opened yet" : "");
  }

  private String asked() {
    String format = source.chosenFormat().map(name -> ", " + name).orElse("");
    Optional<Schema> given = source.rules().given();
    if (columns.isEmpty()) {
      return format + given.map(schema -> ", columns " + schema.summary()).orElse("");
    }
    return format
        + ", columns "
        + Shown.list(
            columns.get(),
            name -> given.flatMap(schema -> schema.find(name)).map(Field::toString).orElse(name));
  }

  private String found(Table table) {
    int files = table.files().size();
    String shown = ", " + format(table) + ", " + files + (files == 1 ? " file" : " files");
    try {
      return shown
          + ", columns "
          + (columns.isEmpty() ? table.schema() : table.select(columns.get())).summary();
    } catch (SchemaMismatchException _) { // reading it will say what is wrong
      return shown
          + columns.map(names -> ", columns " + Shown.list(names, name -> name)).orElse("");
    }
  }
}
