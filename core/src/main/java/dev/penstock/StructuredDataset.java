package dev.penstock;

import dev.penstock.advice.Advice;
import dev.penstock.advice.CheckReturnValue;
import dev.penstock.advice.Remedy;
import dev.penstock.filter.Filter;
import dev.penstock.internal.cache.FolderAccess;
import dev.penstock.internal.dataset.DatasetSettings;
import dev.penstock.internal.dataset.DatasetSource;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.passes.BlockPass;
import dev.penstock.internal.plan.Matches;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.table.CastRule;
import dev.penstock.internal.table.Names;
import dev.penstock.internal.table.SchemaRules;
import dev.penstock.internal.table.Table;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.schema.SchemaFrom;
import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.storage.Storage;
import dev.penstock.split.ByteSize;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.Plan;
import dev.penstock.split.SplitStrategy;
import dev.penstock.split.TargetSizeSplitStrategy;
import dev.penstock.transform.BlockSource;
import dev.penstock.transform.ColumnBlock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Table files to read: where they are, which columns, and how they are split.
///
/// A location is a folder (read at any depth, sorted by path, skipping names that start with `_` or
/// `.` and the files of a [#cache]), a file, a glob (`*` within a name, `**` across folders, `?`,
/// `[ab]`, `{a,b}`), or several of these.
///
/// Immutable and safe for any thread: settings return a changed copy, and all are in this class so
/// that calls can be chained. Nothing is opened until you ask for a schema, plan or batch; then the
/// files are listed and their footers read, once.
///
/// **Errors.** Wrong settings throw [IllegalArgumentException]. Problems with the files throw
/// [java.io.UncheckedIOException] with a message that names the file.
@CheckReturnValue
public final class StructuredDataset implements BlockSource {
  private final DatasetSettings settings;

  private StructuredDataset(DatasetSettings settings) {
    Raw.requireAccess();
    this.settings = settings;
  }

  /// Makes a dataset over one or more locations.
  ///
  /// @param locations folders, files or globs
  /// @throws IllegalArgumentException if there is no location, or one is blank
  /// @throws IllegalCallerException if this JVM denies native access to this library
  public StructuredDataset(String... locations) {
    this(Arrays.asList(locations));
  }

  /// Makes a dataset over one or more locations, as [#StructuredDataset(String...)].
  ///
  /// @param locations folders, files or globs
  public StructuredDataset(List<String> locations) {
    this(DatasetSettings.of(locations));
  }

  /// Reads several datasets, each with a share of the rows.
  ///
  /// [#columns], [#filter] and [#splitStrategy] apply to all sources; other choices are made on the
  /// sources.
  ///
  /// @param mixture the datasets and their shares
  /// @throws IllegalArgumentException if a source has no share
  public StructuredDataset(Mixture mixture) {
    this(
        DatasetSettings.of(
            mixture.checked(),
            mixture.sources().stream().map(each -> each.dataset().settings).toList(),
            mixture.sourceColumn()));
  }

  /// Makes a dataset over a table whose files a catalog lists. The dataset has the table's schema;
  /// the catalog decides on format, storage options and partitions.
  ///
  /// @param table the table, at one version
  /// @throws IllegalCallerException if this JVM denies native access to this library
  public StructuredDataset(CatalogTable table) {
    this(DatasetSettings.of(table));
  }

  private StructuredDataset with(UnaryOperator<DatasetSource> change) {
    return new StructuredDataset(settings.with(change));
  }

  private StructuredDataset withRules(UnaryOperator<SchemaRules> change) {
    return with(source -> source.with(change.apply(source.rules())));
  }

  /// Chooses columns; without it, all columns are read.
  ///
  /// @param names in delivery order; `address.city` is the field `city` of the structs in
  ///   `address`, and `messages[].content` the lists of the field `content` of the structs in the
  ///   lists of `messages`
  /// @return the changed dataset
  /// @throws IllegalArgumentException if there is no column, or one is named twice
  public StructuredDataset columns(String... names) {
    return columns(Arrays.asList(names));
  }

  /// Chooses columns, as [#columns(String...)].
  ///
  /// @param names the columns in delivery order
  /// @return the changed dataset
  public StructuredDataset columns(List<String> names) {
    return new StructuredDataset(settings.with(names));
  }

  /// Chooses rows: those for which a condition is true. Without it, all rows are delivered; a
  /// second filter replaces the first. Its columns need not be among [#columns()]. Statistics of
  /// row groups and pages rule out rows before they are read; the result is the same without them.
  /// Files ruled out by their Hive partitions are not opened and do not contribute to the schema.
  ///
  /// @param condition the condition, see [Filter]
  /// @return the changed dataset
  public StructuredDataset filter(Filter condition) {
    return with(source -> source.with(condition));
  }

  /// Chooses rows by a condition in text, for example `delay >= 15 and origin in ('ATL', 'ORD')`.
  ///
  /// @param condition the condition, see [Filter#parse]
  /// @return the changed dataset
  public StructuredDataset where(String condition) {
    return filter(Filter.parse(condition));
  }

  /// Chooses the file format; without it, the extension decides, or else the first bytes.
  ///
  /// @param name a format's name, for example `parquet`
  /// @return the changed dataset
  public StructuredDataset format(String name) {
    return with(source -> source.withFormat(name));
  }

  /// Chooses a format of your own, which need not be found by `ServiceLoader`.
  ///
  /// @param format the format, which reads files of its extensions and files that are named
  ///   themselves
  /// @return the changed dataset
  /// @throws IllegalArgumentException if another class has its name
  public StructuredDataset format(FileFormat format) {
    return with(source -> source.withFormat(format));
  }

  /// Chooses whether all that formats and stores give is compared with the rules of their
  /// interfaces: each offset and code, and statistics with the values. It is for tests of a format
  /// or store, and slow; the default is false. Then only those that are not Penstock's own are
  /// checked, by numbers of rows, types, lengths and nulls. A broken rule is an
  /// [IllegalStateException] that names the class, the file and the place in it.
  ///
  /// @param all true for all checks
  /// @return the changed dataset
  public StructuredDataset checked(boolean all) {
    return with(source -> source.checked(all));
  }

  /// Sets an option of the format: how files are written, for example `delimiter` for CSV, or how
  /// to read them, for example `page-index` for Parquet. The reference page of each format lists
  /// them. One that is unknown is an [IllegalArgumentException] when the files are listed.
  ///
  /// @param key the option
  /// @param value its value; a second one replaces the first
  /// @return the changed dataset
  public StructuredDataset formatOption(String key, String value) {
    return with(source -> source.withFormatOption(key, value));
  }

  /// {@return the chosen format options: option to value, sorted; unmodifiable}
  public Map<String, String> formatOptions() {
    return settings.source().formatOptions();
  }

  /// Adds a store of your own, which need not be found by `ServiceLoader`, for locations of its
  /// schemes. States and caches know a file by its location and version, so two instances that hold
  /// other files have to tell other locations or versions.
  ///
  /// @param storage the store; it comes before [#storageOption]s that only it takes
  /// @return the changed dataset
  /// @throws IllegalArgumentException if another class serves one of its schemes
  public StructuredDataset storage(Storage storage) {
    return with(source -> source.withStorage(storage));
  }

  /// Sets an option of the stores that hold the locations, such as an endpoint, credentials or
  /// timeouts. By default a store's own library takes its settings from the environment. Values
  /// that may be secrets never appear in a log, error, plan or state.
  ///
  /// @param key an option, for example `endpoint`, `region` or `access-key-id`
  /// @param value its value, which replaces an earlier one
  /// @return the changed dataset
  public StructuredDataset storageOption(String key, String value) {
    return with(source -> source.withStorageOption(key, value));
  }

  /// Keeps decoded columns in a folder on a local disk. From then on they are read from there, by
  /// this and by later runs: no store is asked for their bytes, and nothing is decompressed or
  /// parsed. The loader's memory does not count what the operating system keeps of the folder.
  ///
  /// What is kept belongs to a file's version, and is checked before it is used; where it is absent
  /// or damaged, the file is read. The folder may be deleted at any time, and several processes may
  /// share it. A disk that is full is a warning. [LocalCache] says what is in it.
  ///
  /// It is for this user alone: nobody else may read what is written, and a folder or a segment
  /// that belongs to another user, or that others may write to, is an error when files are read.
  /// For several users there is [#sharedCache].
  ///
  /// @param folder the folder, which is made if it does not exist; nothing outside of it is written
  /// @param size how much it may hold, for example `200GiB`. What was not used for longest is
  ///   deleted first, but never what this dataset has used: of a table that is larger than the
  ///   cache, a part stays
  /// @return the changed dataset
  /// @throws IllegalArgumentException if the size is below 1 MiB, or the folder not local, see
  ///   [dev.penstock.storage.Location#local]
  public StructuredDataset cache(String folder, String size) {
    return with(source -> source.withCache(folder, size, FolderAccess.PRIVATE));
  }

  /// Keeps decoded columns as [#cache] does, in a folder of several users who trust each other:
  /// whoever may write to it decides what rows all read. The umask says who may read.
  ///
  /// @param folder the folder, which is made if it does not exist
  /// @param size how much it may hold, for example `200GiB`
  /// @return the changed dataset
  public StructuredDataset sharedCache(String folder, String size) {
    return with(source -> source.withCache(folder, size, FolderAccess.SHARED));
  }

  /// Reads a plan in place of the files' footers: what [#savePlan] wrote, here or on another
  /// machine. Of a folder, only the plan lists the files. Rows, order, batches and states are the
  /// same without it. It is refused if it is of other locations, another format, other format
  /// options or another version of a table; a file that is not as it was planned is an error.
  ///
  /// @param location a plan, or a folder of plans, which ends in `/`: then files are listed, their
  ///   plan is read if it is there, and written if not
  /// @return the changed dataset
  /// @throws IllegalArgumentException if this is a mixture: use it on the sources
  public StructuredDataset plan(String location) {
    return with(source -> source.withPlan(location));
  }

  /// Writes what is known of all files for [#plan(String)]. With a filter, its rows are counted as
  /// by [#rowCount()], and the plan has which ones match, and the statistics of its columns: ranks
  /// with the same filter need not count. A plan of the same files that is there already is left;
  /// of several who write at once, one does.
  ///
  /// @param location the plan, or a folder that ends in `/`, where a hash of the files is its name
  /// @param statistics columns whose statistics the plan has, so that a filter need not read
  ///   footers
  /// @return where the plan is
  /// @throws IllegalArgumentException if the file holds the plan of other files, or a column does
  ///   not exist
  public SavedPlan savePlan(String location, String... statistics) {
    DatasetSource.Saved saved =
        settings.savePlan(
            location,
            Arrays.asList(statistics),
            pass("savePlan", LoaderOptions.defaults())::matches);
    return new SavedPlan(saved.location(), saved.isNew());
  }

  /// Chooses which files decide what the columns are; the default is [SchemaFrom#ALL]. Columns that
  /// are narrower in some files are widened: integers, floating-point numbers, decimals, and times
  /// to the finer unit. Columns may come in any order. Choosing a column whose types cannot be
  /// joined is an error that names both files and both types.
  ///
  /// @param files the first file, or all
  /// @return the changed dataset
  public StructuredDataset schemaFrom(SchemaFrom files) {
    return withRules(rules -> rules.withFrom(files));
  }

  /// Names the columns to read and their types, which those of the files must fit into, see
  /// [#schemaFrom(SchemaFrom)]. A column that is nullable in a file stays so, whatever this schema
  /// says. Text files are read in these types, where a null that is not allowed is an error.
  ///
  /// @param schema the columns in delivery order
  /// @return the changed dataset
  public StructuredDataset schemaFrom(Schema schema) {
    return withRules(rules -> rules.withGiven(schema));
  }

  /// Chooses how a column that some file lacks is filled; the default is [MissingColumns#error()].
  ///
  /// @param choice error, nulls, or defaults
  /// @return the changed dataset
  public StructuredDataset missingColumns(MissingColumns choice) {
    return withRules(rules -> rules.withMissing(choice));
  }

  /// Reads columns in another type. If several casts match a column, the last one counts. Text
  /// files are parsed directly in the type, so any type is possible. A value that the type cannot
  /// hold is an error that names column, file, row and value: an integer out of range or without an
  /// exact floating-point value, a fraction that would be cut off, a finite number that would
  /// become infinite. Numbers other than integers are rounded.
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
    return withRules(rules -> rules.withCast(CastRule.of(pattern, type, false)));
  }

  /// Reads columns in another type, as [#cast], and replaces values that the type cannot hold by
  /// the nearest it can: out of range to the end of the range, fractions towards zero, times to the
  /// earlier unit, NaN to 0 in types without NaN. Fields of variants that are of another kind
  /// become null.
  ///
  /// @param pattern as in [#cast]
  /// @param type as in [#cast]
  /// @return the changed dataset
  public StructuredDataset castLossy(String pattern, DataType type) {
    return withRules(rules -> rules.withCast(CastRule.of(pattern, type, true)));
  }

  /// Chooses whether `id` and `ID` are two columns; the default is true. Without case, names match
  /// in all files and settings but the filter, which names columns as [#fileSchema()] does. A file
  /// with two columns that differ only in case is an error.
  ///
  /// @param on false to compare names without regard to case
  /// @return the changed dataset
  public StructuredDataset caseSensitive(boolean on) {
    return withRules(rules -> rules.withNames(new Names(on)));
  }

  /// Chooses what to do about a file whose contents cannot be read; the default is
  /// [OnBadFile#FAIL]. If all files are bad, the first one's error is thrown. A file is read or
  /// skipped as a whole, when the footers are read; of text, its header, a sample and its record
  /// boundaries are checked. A page or record that proves malformed later is always an error. A
  /// file that cannot be reached does not count as bad.
  ///
  /// @param choice fail or skip
  /// @return the changed dataset
  public StructuredDataset onBadFile(OnBadFile choice) {
    Objects.requireNonNull(choice, "onBadFile must not be null.");
    return with(source -> source.skippingBadFiles(choice == OnBadFile.SKIP));
  }

  /// {@return what the user should know of how the files are read, as sentences: which files of a
  /// folder are of no data format, that a CSV file may have another delimiter, that JSON values
  /// change their type and are read as text} Empty if all is plain. A loader logs them when its
  /// first epoch begins. Reads the footers the first time.
  public List<Advice> warnings() {
    return settings.warnings();
  }

  /// {@return the files that were skipped because they cannot be read, in path order; empty unless
  /// [OnBadFile#SKIP] is set} Reads the footers the first time.
  public List<BadFile> badFiles() {
    return settings.badFiles().stream()
        .map(bad -> new BadFile(bad.location(), bad.reason()))
        .toList();
  }

  /// Reads `key=value` folders as columns; without it, they are just folders. Of a location that is
  /// a folder, those below it count; of a file that is named itself or that matches a glob, all
  /// folders of its path as it is written. Keys and values are decoded (`%20`), and
  /// `__HIVE_DEFAULT_PARTITION__` is null. A column is an `int64` if all its values are integers, a
  /// date if all look like `2001-01-31`, else a string. Partition columns follow the files' columns
  /// and replace those of the same name.
  ///
  /// @return the changed dataset
  public StructuredDataset hivePartitions() {
    return hivePartitions(Map.of());
  }

  /// Reads folders as columns, as [#hivePartitions()], with declared types for some of them.
  ///
  /// @param types key to type: boolean, a number, string or date
  /// @return the changed dataset
  public StructuredDataset hivePartitions(Map<String, DataType> types) {
    return withRules(rules -> rules.withHive(types));
  }

  /// Adds a column with the number of each row: how many rows come before it, in its file and in
  /// the files before that in path order. It is an `int64` without nulls and the last column. Like
  /// others it can be chosen, filtered, cast and delivered; a cache does not keep it.
  ///
  /// Rows are counted as they are stored, also those that a filter leaves out, or that Iceberg or
  /// Delta have deleted in a file; files that are left out as bad do not count. So the footers of
  /// all files are read for it. In a [Mixture] use it on the sources: rows of two sources may have
  /// one number.
  ///
  /// @param name the column's name, which no other may have; a second one replaces the first
  /// @return the changed dataset
  /// @throws IllegalArgumentException if the name is blank, or this is a mixture
  public StructuredDataset rowIndex(String name) {
    return with(source -> source.withRowIndex(name));
  }

  /// Chooses how files are cut and dealt; the default is [TargetSizeSplitStrategy] with 128 MiB. Of
  /// this, [#splitBytes] and [#splitRows], the last call counts.
  ///
  /// @param strategy a ready strategy or your own
  /// @return the changed dataset
  public StructuredDataset splitStrategy(SplitStrategy strategy) {
    return new StructuredDataset(settings.with(strategy));
  }

  /// Packs row groups into splits of up to this many bytes.
  ///
  /// @param size a size such as `128MiB`
  /// @return the changed dataset
  public StructuredDataset splitBytes(String size) {
    return splitStrategy(TargetSizeSplitStrategy.ofBytes(ByteSize.parse(size)));
  }

  /// Packs row groups into splits of up to this many rows.
  ///
  /// @param rows at least 1
  /// @return the changed dataset
  public StructuredDataset splitRows(long rows) {
    return splitStrategy(TargetSizeSplitStrategy.ofRows(rows));
  }

  /// {@return the locations as given; unmodifiable}
  public List<String> locations() {
    return settings.source().locations();
  }

  /// {@return the identity and version of the table that a catalog lists, as
  /// [CatalogTable#version()]; empty if the dataset is of files}
  public Optional<String> version() {
    return settings.source().version();
  }

  /// {@return whether another dataset is of the same version of a table, or has the same files, in
  /// the same versions and of the same times} Lists the files of both the first time, and reads no
  /// footer: a dataset made now tells whether an older one has changed. False also for mixtures,
  /// and if the store tells neither versions nor times.
  ///
  /// @param other the other one
  public boolean hasSameFiles(StructuredDataset other) {
    return settings.hasSameFiles(other.settings);
  }

  /// {@return the names of the chosen columns; empty when all columns are read}
  public Optional<List<String>> columns() {
    return settings.columns();
  }

  /// {@return the filter on the rows; empty when all rows are read}
  public Optional<Filter> filter() {
    return settings.source().filter();
  }

  /// {@return all columns, chosen or not: those of the files, then those of partition folders, then
  /// the row index} Reads the footers the first time.
  public Schema fileSchema() {
    return settings.fileSchema();
  }

  /// {@return the columns that are read, in delivery order: the chosen part of [#fileSchema()]}
  /// Reads the footers the first time.
  @Override
  public Schema schema() {
    return settings.schema();
  }

  /// {@return the names of the columns that come from partition folders, chosen or not: the last of
  /// [#fileSchema()] before the row index} Reads the footers the first time.
  public List<String> partitionColumns() {
    return settings.partitionColumns();
  }

  /// {@return the files in path order, with their rows and row groups; unmodifiable} Reads the
  /// footers the first time.
  public List<DataFileInfo> files() {
    return table().infos();
  }

  /// {@return the name of the files' format, for example `parquet`; several joined by commas if a
  /// catalog's files differ, empty if it has no files} Lists the files the first time.
  public String format() {
    return settings.format();
  }

  /// Returns the number of rows, which is of those that the filter keeps. Reads the footers the
  /// first time, and of a filter the columns where statistics leave open which rows match.
  ///
  /// @return how many
  /// @throws IllegalArgumentException if this is a mixture
  public long rowCount() {
    return pass("rowCount", LoaderOptions.defaults()).matches(source(0)).rows();
  }

  /// Reads a column into one array, in the order of the files.
  ///
  /// @param column a column without nulls that can be [#cast] to `float64`
  /// @return its value in each row
  /// @throws IllegalArgumentException if the column does not exist, has another type, or has more
  ///   rows than an array holds
  /// @throws ArithmeticException if an integer has no exact `double`
  /// @throws java.io.UncheckedIOException if a row is null, or a file cannot be read
  public double[] doubles(String column) {
    return WholeColumn.doubles(this, column);
  }

  /// Reads a column into one array, as [#doubles].
  ///
  /// @param column a column without nulls that can be [#cast] to `int64`
  /// @return its value in each row
  public long[] longs(String column) {
    return WholeColumn.longs(this, column);
  }

  /// Decides what an epoch reads, without reading it. Only if matches or batches are counted, see
  /// [LoaderOptions#countMatches(boolean)], the columns are read that decide them.
  ///
  /// @param options shuffle, seed and workers are used
  /// @param epoch the epoch, counted from 0
  /// @return the checked plan
  /// @throws IllegalArgumentException if the filter does not fit, or the strategy leaves rows out
  public Plan plan(LoaderOptions options, long epoch) {
    try (DataLoader loader = DataLoader.of(this, options)) {
      return loader.plan(epoch);
    }
  }

  /// Counts the rows of a plan that the [#cache] has in all columns, before a filter.
  ///
  /// @param plan a plan of this dataset
  /// @return rows; 0 without a cache
  public long cachedRows(Plan plan) {
    return settings.cachedRows(plan);
  }

  /// Reads the rows of [#blocks(LoaderOptions)], with as many workers as the machine suggests.
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
    return pass("blocks", options);
  }

  private BlockPass pass(String method, LoaderOptions options) {
    settings.source().requireOwnFiles(new Remedy.Text(method));
    Objects.requireNonNull(options, "options must not be null.");
    int workers = options.reading().workers();
    long memory = LoaderOptions.defaults().memoryUse().limitFor(workers).bytes();
    return new BlockPass(this::schema, names -> columns(names).source(0), workers, memory);
  }

  /// {@return the rows by number, to be closed by the caller} They have 64 MiB for decoded blocks,
  /// see [#openRows(String)].
  public RowDataset openRows() {
    return openRows("64MiB");
  }

  /// Opens the rows by number, for random access. Reads the footers the first time.
  ///
  /// @param cache how much off-heap memory decoded blocks may take between reads, for example
  ///   `1GiB`: what holds the chosen columns decoded makes every further read a copy
  /// @return the rows, to be closed by the caller
  /// @throws IllegalArgumentException if there is a filter, or the text is no size
  public RowDataset openRows(String cache) {
    settings.source().requireOwnFiles(new Remedy.Text("openRows"));
    return RowDataset.open(this, ByteSize.parse(cache));
  }

  /// {@return the mixture that this reads; empty if the files are its own}
  public Optional<Mixture> mixture() {
    return settings.mixture().map(Mixture.class::cast);
  }

  int knownBadFiles() {
    return settings.source().knownBadFiles();
  }

  /// Returns which rows its filter keeps, of the source `number` of a mixture.
  Matches matches(int number, LoaderOptions options) {
    return pass("matches", options).matches(source(number));
  }

  Table table() {
    return settings.table();
  }

  /// Returns the dataset for an order to which row groups do not matter.
  StructuredDataset byRows(boolean isPermuted) {
    DatasetSettings changed = settings.byRows(isPermuted);
    return changed.equals(settings) ? this : new StructuredDataset(changed);
  }

  Schema readableSchema() {
    return settings.readableSchema();
  }

  Source source(int number) {
    return settings.source(number);
  }

  List<StructuredDataset> sources() {
    return settings.sources().stream().map(StructuredDataset::new).toList();
  }

  @Override
  public String toString() {
    return settings.toString();
  }
}
