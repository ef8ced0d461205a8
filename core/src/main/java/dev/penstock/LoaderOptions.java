package dev.penstock;

import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.StringEncoding;
import dev.penstock.internal.columns.ColumnForms;
import dev.penstock.split.ByteSize;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Ranks;
import dev.penstock.split.Shuffle;
import dev.penstock.transform.Transform;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/// How a [DataLoader] delivers rows. Immutable: every method returns a changed copy.
///
/// Defaults: batch size 1024, automatic workers, no shuffle, seed 0, the short last batch kept, the
/// rank of the environment, [RankEnd#EXACT], matches counted for ranks, prefetch factor 2, batches
/// in order, memory of 512 MiB and 64 MiB more for each worker, [OutputFormat#TENSOR],
/// [NullPolicy#nan()].
public final class LoaderOptions {
  private static final int AUTO = -1;
  private static final int TRANSFORM_ROWS = 65_536;
  private static final long MEMORY_BYTES = 512L << 20;
  private static final long WORKER_MEMORY_BYTES = 64L << 20;

  private static final LoaderOptions DEFAULTS = new LoaderOptions(new Values());

  private final Values values;

  private LoaderOptions(Values values) {
    this.values = values;
  }

  /// Returns the defaults.
  ///
  /// @return options with nothing changed
  public static LoaderOptions defaults() {
    return DEFAULTS;
  }

  /// Sets the rows of a batch.
  ///
  /// @param rows at least 1
  /// @return the changed options
  /// @throws IllegalArgumentException if `rows` is below 1
  public LoaderOptions batchSize(int rows) {
    require(rows >= 1, "batchSize must be at least 1, got " + rows + ".");
    Values changed = new Values(values);
    changed.batchSize = rows;
    return new LoaderOptions(changed);
  }

  /// Sets the number of decoding threads.
  ///
  /// @param count a number of threads; 0 does all work on the calling thread, for debugging
  /// @return the changed options
  /// @throws IllegalArgumentException if `count` is negative
  public LoaderOptions workers(int count) {
    require(count >= 0, "workers must be 0 or more, got " + count + ".");
    Values changed = new Values(values);
    changed.workers = count;
    return new LoaderOptions(changed);
  }

  /// Sets the number of decoding threads to what suits the machine: the processors this process may
  /// use (container limits counted) less one, at least one.
  ///
  /// @return the changed options
  public LoaderOptions autoWorkers() {
    Values changed = new Values(values);
    changed.workers = AUTO;
    return new LoaderOptions(changed);
  }

  /// Sets how far rows may move.
  ///
  /// @param choice how to shuffle, anew each epoch
  /// @return the changed options
  public LoaderOptions shuffle(Shuffle choice) {
    Values changed = new Values(values);
    changed.shuffle = Objects.requireNonNull(choice, "shuffle must not be null.");
    return new LoaderOptions(changed);
  }

  /// Sets whether to shuffle, as torch's `shuffle=True` does.
  ///
  /// @param on true for [Shuffle#splits()], false for [Shuffle#none()]
  /// @return the changed options
  public LoaderOptions shuffle(boolean on) {
    return shuffle(on ? Shuffle.splits() : Shuffle.none());
  }

  /// Sets the seed of the shuffle.
  ///
  /// @param value any number; the order of an epoch follows from it and the epoch's number
  /// @return the changed options
  public LoaderOptions seed(long value) {
    Values changed = new Values(values);
    changed.seed = value;
    return new LoaderOptions(changed);
  }

  /// Sets whether a last batch with too few rows is left out.
  ///
  /// @param on true to leave it out
  /// @return the changed options
  public LoaderOptions dropLast(boolean on) {
    Values changed = new Values(values);
    changed.dropLast = on;
    return new LoaderOptions(changed);
  }

  /// Sets the most off-heap memory that the loader may take: for pages, decoded slices, staged
  /// rows, shuffle windows, and batches until they are received. With little memory it reads less
  /// far ahead, and fewer workers read at once; the batches are the same.
  ///
  /// What cannot be read within it ends the epoch with a [dev.penstock.format.MemoryLimitException]
  /// that says what is needed. Batches that were received and not closed are not counted, nor are
  /// footers, which are on the heap. There are also the Java objects of batches, as texts and maps:
  /// those ahead of the consumer take at most a quarter of this, by estimate.
  ///
  /// @param size for example `512MiB`, see [ByteSize#parse]
  /// @return the changed options
  /// @throws IllegalArgumentException if the text is no size, or it is 0
  public LoaderOptions memory(String size) {
    Objects.requireNonNull(size, "memory must not be null.");
    return memory(ByteSize.parse(size));
  }

  /// Sets the most off-heap memory that the loader may take, see [#memory(String)].
  ///
  /// @param size more than 0
  /// @return the changed options
  /// @throws IllegalArgumentException if it is 0
  public LoaderOptions memory(ByteSize size) {
    Objects.requireNonNull(size, "memory must not be null.");
    require(size.bytes() > 0, "memory must be more than 0 bytes.");
    Values changed = new Values(values);
    changed.memory = Optional.of(size);
    return new LoaderOptions(changed);
  }

  /// Sets whether batches lie in memory that a GPU copies from by itself, while other work goes on:
  /// torch's `pin_memory`. See `DevicePrefetcher`.
  ///
  /// The loader's memory for batches is registered with the CUDA driver once, when it is taken, for
  /// all contexts, and used again for later batches. Without a driver there is a warning, and no
  /// effect.
  ///
  /// @param on true to pin
  /// @return the changed options
  public LoaderOptions pinMemory(boolean on) {
    Values changed = new Values(values);
    changed.pinMemory = on;
    return new LoaderOptions(changed);
  }

  /// Sets whether the memory that batches lie in is kept from being swapped out, by `mlock`.
  ///
  /// How much a process may lock is bounded by its `RLIMIT_MEMLOCK` (`ulimit -l`), often 8 MiB.
  /// Beyond it there is a warning, and memory is not locked. It is not what a GPU needs, see
  /// [#pinMemory(boolean)].
  ///
  /// @param on true to lock
  /// @return the changed options
  public LoaderOptions lockMemory(boolean on) {
    Values changed = new Values(values);
    changed.lockMemory = on;
    return new LoaderOptions(changed);
  }

  /// Sets whether the memory of a batch is overwritten, with bytes `0xfe`, when the batch is
  /// closed: for finding code that keeps a buffer of it. A tensor of a closed batch refuses to be
  /// read, but a buffer or an address that somebody kept shows the rows of a later batch, which
  /// look right. Overwritten, they are large negative numbers. It costs a pass over each batch, so
  /// it is for debugging.
  ///
  /// @param on true to overwrite; false by default
  /// @return the changed options
  public LoaderOptions poisonMemory(boolean on) {
    Values changed = new Values(values);
    changed.poisonMemory = on;
    return new LoaderOptions(changed);
  }

  /// Sets how many finished batches each worker may be ahead of the consumer. Beyond these come the
  /// run of rows that it is decoding and what is decoded at once, or 1 MiB of batches where that is
  /// more; all of it if there is memory. Results of [DataLoader#collate] are never further ahead
  /// than this.
  ///
  /// @param batches at least 1
  /// @return the changed options
  /// @throws IllegalArgumentException if `batches` is below 1
  public LoaderOptions prefetchFactor(int batches) {
    require(batches >= 1, "prefetchFactor must be at least 1, got " + batches + ".");
    Values changed = new Values(values);
    changed.prefetchFactor = batches;
    return new LoaderOptions(changed);
  }

  /// Sets how long the consumer waits for a batch from the workers; by default for ever. When the
  /// time is over, the iterator throws a [WorkerException], and the batch can be asked for again.
  /// Without workers the consumer does the work itself, and nothing is waited for.
  ///
  /// @param most zero waits for ever
  /// @return the changed options
  /// @throws IllegalArgumentException if `most` is negative
  public LoaderOptions timeout(Duration most) {
    Objects.requireNonNull(most, "timeout must not be null.");
    require(!most.isNegative(), "timeout must be zero or more, got " + most + ".");
    Values changed = new Values(values);
    changed.timeout = most;
    return new LoaderOptions(changed);
  }

  /// Sets whether batches come in the order of the sequence, as they do by default.
  ///
  /// @param on false for each batch as soon as it is made, as torch's `in_order=False`: no batch
  ///   waits for one before it that is slow. The batches are the same, and each comes once; their
  ///   order changes from run to run. Then [DataLoader#state()] is known only between epochs
  /// @return the changed options
  public LoaderOptions inOrder(boolean on) {
    Values changed = new Values(values);
    changed.inOrder = on;
    return new LoaderOptions(changed);
  }

  /// Sets whether each worker makes batches of its own [dev.penstock.split.Split] only, as torch's
  /// workers do of an `IterableDataset`. To compare with torch: batches come from worker 0, 1, 2
  /// and so on in turn, without those that have no more; the last batch of each may be short, or is
  /// dropped with [#dropLast(boolean)].
  ///
  /// Then the order depends on the number of workers, a worker whose Split is slow holds the others
  /// up, and [DataLoader#state()] is known only between epochs. Refused behind a filter that tests
  /// rows, with a transform, and with several ranks: there the numbers of batches are not known
  /// beforehand, or differ.
  ///
  /// @param on true for batches of single Splits
  /// @return the changed options
  public LoaderOptions splitPerWorker(boolean on) {
    Values changed = new Values(values);
    changed.splitPerWorker = on;
    return new LoaderOptions(changed);
  }

  /// Sets the form of the columns in a batch.
  ///
  /// @param format tensors, arrays or lists
  /// @return the changed options
  public LoaderOptions output(OutputFormat format) {
    Values changed = new Values(values);
    changed.output = Objects.requireNonNull(format, "output must not be null.");
    return new LoaderOptions(changed);
  }

  /// Sets what becomes of nulls.
  ///
  /// @param policy the policy for all columns that have none of their own
  /// @return the changed options
  public LoaderOptions nulls(NullPolicy policy) {
    return with(values.forms.withNulls(values.forms.nulls().withAll(policy)));
  }

  /// Sets what becomes of the nulls of one column.
  ///
  /// @param column a column of the dataset; or a feature matrix, for those of its columns that have
  ///   no policy of their own
  /// @param policy the policy; one that does not fit the column's type is refused by
  ///   [DataLoader#iterator()]
  /// @return the changed options
  public LoaderOptions nulls(String column, NullPolicy policy) {
    return with(values.forms.withNulls(values.forms.nulls().with(column, policy)));
  }

  /// Makes dates and timestamps `INT64` counts of one unit since 1970-01-01.
  ///
  /// It holds for columns of their own, not for elements of lists and parts of objects. Under
  /// [OutputFormat#MAP] it is checked, and values are objects all the same.
  ///
  /// @param unit the unit for all columns that have none of their own
  /// @return the changed options
  public LoaderOptions timestamps(EpochUnit unit) {
    return with(values.forms.withTimestamps(values.forms.timestamps().withAll(unit)));
  }

  /// Makes one column of dates or timestamps `INT64` counts of a unit, see
  /// [#timestamps(EpochUnit)].
  ///
  /// @param column a column of the dataset; one of another type is refused by
  ///   [DataLoader#iterator()]
  /// @param unit the unit
  /// @return the changed options
  public LoaderOptions timestamps(String column, EpochUnit unit) {
    return with(values.forms.withTimestamps(values.forms.timestamps().with(column, unit)));
  }

  /// Sets the form of decimals.
  ///
  /// It holds for columns of their own, not for elements of lists and parts of objects; in a
  /// feature matrix decimals are floats in any case. Under [OutputFormat#MAP] it is checked, and
  /// values are objects all the same.
  ///
  /// @param form the form of all columns that have none of their own
  /// @return the changed options
  public LoaderOptions decimals(DecimalForm form) {
    return with(values.forms.withDecimals(values.forms.decimals().withAll(form)));
  }

  /// Sets the form of one column of decimals, see [#decimals(DecimalForm)].
  ///
  /// @param column a column of the dataset; one of another type is refused by
  ///   [DataLoader#iterator()]
  /// @param form its form
  /// @return the changed options
  public LoaderOptions decimals(String column, DecimalForm form) {
    return with(values.forms.withDecimals(values.forms.decimals().with(column, form)));
  }

  /// Sets how one column of strings is delivered.
  ///
  /// It holds for columns of their own, not for elements of lists and parts of objects. Under
  /// [OutputFormat#MAP] it is checked, and values are strings all the same.
  ///
  /// @param column a column of the dataset; one of another type is refused by
  ///   [DataLoader#iterator()]
  /// @param encoding a list, codes or hash buckets
  /// @return the changed options
  public LoaderOptions strings(String column, StringEncoding encoding) {
    return with(values.forms.withStrings(values.forms.strings().with(column, encoding)));
  }

  private LoaderOptions with(ColumnForms forms) {
    Values changed = new Values(values);
    changed.forms = forms;
    return new LoaderOptions(changed);
  }

  /// Adds a feature matrix: a `FLOAT32` tensor of shape `[rows, n]`, one column per name, in that
  /// order. Numbers are rounded to the nearest float; booleans become 0 and 1. The columns are
  /// delivered in the matrix only, not on their own.
  ///
  /// @param name the matrix's name in the batch
  /// @param columns the numeric or boolean columns of the dataset, or such fields of its structs,
  ///   dotted
  /// @return the changed options
  /// @throws IllegalArgumentException if there are no columns, one is named twice, or there is a
  ///   matrix of that name already
  public LoaderOptions features(String name, String... columns) {
    return features(name, List.of(columns));
  }

  /// Adds a feature matrix, see [#features(String, String...)].
  ///
  /// @param name the matrix's name in the batch
  /// @param columns the numeric or boolean columns of the dataset, or such fields of its structs,
  ///   dotted
  /// @return the changed options
  /// @throws IllegalArgumentException if there are no columns, one is named twice, or there is a
  ///   matrix of that name already
  public LoaderOptions features(String name, List<String> columns) {
    require(!columns.isEmpty(), "Feature matrix '" + name + "' needs at least one column.");
    require(
        columns.stream().distinct().count() == columns.size(),
        "Feature matrix '" + name + "' names a column twice: " + columns + ".");
    require(
        !values.features.containsKey(name), "There is a feature matrix '" + name + "' already.");
    Values changed = new Values(values);
    changed.features.put(name, List.copyOf(columns));
    return new LoaderOptions(changed);
  }

  /// Sets a function that changes columns and rows before they are batched, in the workers. It is
  /// given aligned runs of 65,536 rows of each row group, see [Transform].
  ///
  /// The other options (features, nulls) then speak of the columns that it gives.
  ///
  /// @param function the function
  /// @return the changed options
  public LoaderOptions transform(Transform function) {
    return transform(function, TRANSFORM_ROWS);
  }

  /// Sets a function that changes columns and rows before they are batched, in the workers.
  ///
  /// @param function the function
  /// @param rows how many rows of a row group it is given at a time, at least 1: the wanted ones of
  ///   `[k * rows, (k + 1) * rows)`. A worker holds so many rows of all columns
  /// @return the changed options
  /// @throws IllegalArgumentException if `rows` is below 1
  public LoaderOptions transform(Transform function, int rows) {
    require(rows >= 1, "transform needs at least 1 row at a time, got " + rows + ".");
    Values changed = new Values(values);
    changed.transform =
        Optional.of(Objects.requireNonNull(function, "transform must not be null."));
    changed.transformRows = rows;
    return new LoaderOptions(changed);
  }

  /// Sets a function that changes columns and rows before they are batched, in the workers, and is
  /// given whole row groups. A worker holds a row group of all columns.
  ///
  /// @param function the function
  /// @return the changed options
  public LoaderOptions transformRowGroups(Transform function) {
    Values changed = new Values(values);
    changed.transform =
        Optional.of(Objects.requireNonNull(function, "transform must not be null."));
    changed.transformRows = 0;
    return new LoaderOptions(changed);
  }

  /// Returns the function that changes columns and rows.
  ///
  /// @return the function, or empty
  public Optional<Transform> transform() {
    return values.transform;
  }

  /// Returns how many rows the function is given at a time.
  ///
  /// @return rows, or 0 for whole row groups
  public int transformRows() {
    return values.transformRows;
  }

  /// Returns the rows of a batch.
  ///
  /// @return at least 1
  public int batchSize() {
    return values.batchSize;
  }

  /// Returns the number of decoding threads, the automatic choice resolved.
  ///
  /// @return 0 or more
  public int workers() {
    return values.workers == AUTO
        ? Math.max(1, Runtime.getRuntime().availableProcessors() - 1)
        : values.workers;
  }

  /// Returns how far rows may move.
  ///
  /// @return the choice
  public Shuffle shuffle() {
    return values.shuffle;
  }

  /// Returns the seed of the shuffle.
  ///
  /// @return any number
  public long seed() {
    return values.seed;
  }

  /// Returns whether a short last batch is left out.
  ///
  /// @return true if so
  public boolean dropLast() {
    return values.dropLast;
  }

  /// Returns the most off-heap memory that the loader may take.
  ///
  /// @return what was set; else 512 MiB and 64 MiB more for each worker
  public ByteSize memory() {
    return values.memory.orElseGet(
        () -> new ByteSize(MEMORY_BYTES + WORKER_MEMORY_BYTES * workers()));
  }

  /// Returns whether batches lie in memory that a GPU copies from by itself.
  ///
  /// @return true if it was asked for
  public boolean pinMemory() {
    return values.pinMemory;
  }

  /// Returns whether the memory of batches is kept from being swapped out.
  ///
  /// @return true if it was asked for
  public boolean lockMemory() {
    return values.lockMemory;
  }

  /// Returns whether the memory of closed batches is overwritten.
  ///
  /// @return true if it was asked for
  public boolean poisonMemory() {
    return values.poisonMemory;
  }

  /// Returns how many finished batches each worker may be ahead.
  ///
  /// @return at least 1
  public int prefetchFactor() {
    return values.prefetchFactor;
  }

  /// Returns how long the consumer waits for a batch.
  ///
  /// @return zero for ever
  public Duration timeout() {
    return values.timeout;
  }

  /// Returns whether batches come in the order of the sequence.
  ///
  /// @return false where each comes as soon as it is made
  public boolean inOrder() {
    return values.inOrder;
  }

  /// Returns whether each worker makes batches of its own Split only.
  ///
  /// @return false where any worker may read any rows
  public boolean splitPerWorker() {
    return values.splitPerWorker;
  }

  /// Returns the form of the columns in a batch.
  ///
  /// @return the form
  public OutputFormat output() {
    return values.output;
  }

  /// Returns what becomes of nulls.
  ///
  /// @return the policy for all columns that have none of their own
  public NullPolicy nulls() {
    return values.forms.nulls().all();
  }

  /// Returns what becomes of the nulls of one column.
  ///
  /// @param column the column or feature matrix
  /// @return its own policy, or that for all
  public NullPolicy nulls(String column) {
    return values.forms.nulls().forColumn(column);
  }

  /// Returns what a column of dates or timestamps counts.
  ///
  /// @param column the column
  /// @return its own unit, or that for all
  public EpochUnit timestamps(String column) {
    return values.forms.timestamps().forColumn(column);
  }

  /// Returns the form of a column of decimals.
  ///
  /// @param column the column
  /// @return its own form, or that for all
  public DecimalForm decimals(String column) {
    return values.forms.decimals().forColumn(column);
  }

  /// Returns how a column of strings is delivered.
  ///
  /// @param column the column
  /// @return its encoding, as it was asked for
  public StringEncoding strings(String column) {
    return values.forms.strings().forColumn(column);
  }

  /// Returns all that was asked for of the columns' form.
  ColumnForms forms() {
    return values.forms;
  }

  /// Returns the feature matrices.
  ///
  /// @return name to columns, in the order they were added; a copy
  public Map<String, List<String>> features() {
    return new LinkedHashMap<>(values.features);
  }

  /// Sets which of the training processes this is. Ranks read disjoint rows, the same number of
  /// each up to one: of those that the filter keeps, see [#countMatches(boolean)]. With a transform
  /// the same number before it.
  ///
  /// @param choice this process among all; [Rank#SINGLE] to read everything
  /// @return the changed options
  public LoaderOptions rank(Rank choice) {
    Values changed = new Values(values);
    changed.rank = Optional.of(Objects.requireNonNull(choice, "rank must not be null."));
    return new LoaderOptions(changed);
  }

  /// Returns which of the training processes this is.
  ///
  /// @return the rank; empty to find it in the environment, see [Ranks#fromEnvironment()]
  public Optional<Rank> rank() {
    return values.rank;
  }

  /// Returns which of the training processes this is, from the environment where it is not given.
  ///
  /// @throws IllegalArgumentException if the environment does not say it clearly
  Rank foundRank() {
    if (values.rank.isEmpty()) {
      return Ranks.fromEnvironment();
    }
    Rank given = values.rank.get();
    return given.count() == 1 ? given : Ranks.given(given, System.getenv());
  }

  /// Sets what becomes of rows that do not divide evenly among ranks.
  ///
  /// @param choice how all ranks come to the same number of batches
  /// @return the changed options
  public LoaderOptions rankEnd(RankEnd choice) {
    Values changed = new Values(values);
    changed.rankEnd = Objects.requireNonNull(choice, "rankEnd must not be null.");
    return new LoaderOptions(changed);
  }

  /// Sets whether the rows that match the filter are counted where there is more than one rank, so
  /// that all have the same number of batches: by one pass over the filter's columns before the
  /// first epoch, which every rank makes for itself. True by default.
  ///
  /// Row groups are not read of which the statistics say that all rows match, or none. Nothing is
  /// counted without a filter, with one rank, with [#stepsPerEpoch(long)], and with a transform,
  /// which may change the number of rows.
  ///
  /// @param on false to deal ranks equal numbers of rows before the filter: their numbers of
  ///   batches differ
  /// @return the changed options
  public LoaderOptions countMatches(boolean on) {
    Values changed = new Values(values);
    changed.countMatches = on;
    return new LoaderOptions(changed);
  }

  /// Returns whether the rows that match the filter are counted where there is more than one rank.
  ///
  /// @return true if so
  public boolean countMatches() {
    return values.countMatches;
  }

  /// Promises a number of batches in every epoch, so that all ranks have the same whatever a filter
  /// keeps. The epoch ends behind them; a rank that has fewer ends with an error. With
  /// [#dropLast(boolean)] a short batch is none of them.
  ///
  /// @param batches how many, at least 1
  /// @return the changed options
  /// @throws IllegalArgumentException if `batches` is below 1
  public LoaderOptions stepsPerEpoch(long batches) {
    require(batches >= 1, "stepsPerEpoch must be at least 1, got " + batches + ".");
    Values changed = new Values(values);
    changed.stepsPerEpoch = OptionalLong.of(batches);
    return new LoaderOptions(changed);
  }

  /// Returns the number of batches that is promised.
  ///
  /// @return empty to deliver all rows there are
  public OptionalLong stepsPerEpoch() {
    return values.stepsPerEpoch;
  }

  /// Returns what becomes of rows that do not divide evenly among ranks.
  ///
  /// @return the choice
  public RankEnd rankEnd() {
    return values.rankEnd;
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  /// The settings, changed only before they are published.
  private static final class Values {
    private int batchSize = 1024;
    private int workers = AUTO;
    private Shuffle shuffle = Shuffle.none();
    private long seed;
    private boolean dropLast;
    private Optional<Rank> rank = Optional.empty();
    private RankEnd rankEnd = RankEnd.EXACT;
    private boolean countMatches = true;
    private OptionalLong stepsPerEpoch = OptionalLong.empty();
    private Optional<ByteSize> memory = Optional.empty();
    private boolean pinMemory;
    private boolean lockMemory;
    private boolean poisonMemory;
    private int prefetchFactor = 2;
    private Duration timeout = Duration.ZERO;
    private boolean inOrder = true;
    private boolean splitPerWorker;
    private OutputFormat output = OutputFormat.TENSOR;
    private ColumnForms forms = ColumnForms.defaults();
    private Optional<Transform> transform = Optional.empty();
    private int transformRows = TRANSFORM_ROWS;
    private final Map<String, List<String>> features = new LinkedHashMap<>();

    private Values() {}

    private Values(Values from) {
      batchSize = from.batchSize;
      workers = from.workers;
      shuffle = from.shuffle;
      seed = from.seed;
      dropLast = from.dropLast;
      rank = from.rank;
      rankEnd = from.rankEnd;
      countMatches = from.countMatches;
      stepsPerEpoch = from.stepsPerEpoch;
      memory = from.memory;
      pinMemory = from.pinMemory;
      lockMemory = from.lockMemory;
      poisonMemory = from.poisonMemory;
      prefetchFactor = from.prefetchFactor;
      timeout = from.timeout;
      inOrder = from.inOrder;
      splitPerWorker = from.splitPerWorker;
      output = from.output;
      forms = from.forms;
      transform = from.transform;
      transformRows = from.transformRows;
      features.putAll(from.features);
    }
  }
}
