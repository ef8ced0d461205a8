package dev.penstock;

import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.StringEncoding;
import dev.penstock.split.ByteSize;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Shuffle;
import dev.penstock.transform.Transform;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// How a [DataLoader] delivers rows. Immutable: a method that sets an option returns a changed
/// copy.
///
/// Options are set one by one, `o -> o.batchSize(512).workers(2)`, and read by subject, as
/// `options.batching().size()`: [Batching], [Reading], [Order], [RankShare], [MemoryUse],
/// [Columns], [Transformation].
///
/// Defaults: batch size 1024, automatic workers, no shuffle, seed 0, the short last batch kept, the
/// rank of the environment, [RankEnd#EXACT], matches counted for ranks, prefetch factor 2, batches
/// in order, memory of 512 MiB and 64 MiB more for each worker, [OutputFormat#TENSOR],
/// [NullPolicy#nan()].
public final class LoaderOptions {
  private static final LoaderOptions DEFAULTS =
      new LoaderOptions(
          Batching.DEFAULTS,
          Reading.automatic(),
          Order.DEFAULTS,
          RankShare.DEFAULTS,
          MemoryUse.DEFAULTS,
          Columns.DEFAULTS,
          Transformation.DEFAULTS);

  private final Batching batching;
  private final Reading reading;
  private final Order order;
  private final RankShare rankShare;
  private final MemoryUse memoryUse;
  private final Columns columns;
  private final Transformation transformation;

  private LoaderOptions(
      Batching batching,
      Reading reading,
      Order order,
      RankShare rankShare,
      MemoryUse memoryUse,
      Columns columns,
      Transformation transformation) {
    this.batching = batching;
    this.reading = reading;
    this.order = order;
    this.rankShare = rankShare;
    this.memoryUse = memoryUse;
    this.columns = columns;
    this.transformation = transformation;
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
    return with(batching.withSize(rows));
  }

  /// Sets whether a last batch with too few rows is left out.
  ///
  /// @param on true to leave it out
  /// @return the changed options
  public LoaderOptions dropLast(boolean on) {
    return with(batching.withDropLast(on));
  }

  /// Promises a number of batches in every epoch, so that all ranks have the same whatever a filter
  /// keeps. The epoch ends behind them; a rank that has fewer ends with an error. With
  /// [#dropLast(boolean)] a short batch is none of them.
  ///
  /// @param batches how many, at least 1
  /// @return the changed options
  /// @throws IllegalArgumentException if `batches` is below 1
  public LoaderOptions stepsPerEpoch(long batches) {
    return with(batching.withStepsPerEpoch(batches));
  }

  /// Sets the number of decoding threads.
  ///
  /// @param count a number of threads; 0 does all work on the calling thread, for debugging
  /// @return the changed options
  /// @throws IllegalArgumentException if `count` is negative
  public LoaderOptions workers(int count) {
    return with(reading.withWorkers(count));
  }

  /// Sets the number of decoding threads to what suits the machine: the processors this process may
  /// use (container limits counted) less one, at least one.
  ///
  /// @return the changed options
  public LoaderOptions autoWorkers() {
    return with(reading.withAutoWorkers());
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
    return with(reading.withPrefetchFactor(batches));
  }

  /// Sets how long the consumer waits for a batch from the workers; by default for ever. When the
  /// time is over, the iterator throws a [WorkerException], and the batch can be asked for again.
  /// Without workers the consumer does the work itself, and nothing is waited for.
  ///
  /// @param most zero waits for ever
  /// @return the changed options
  /// @throws IllegalArgumentException if `most` is negative
  public LoaderOptions timeout(Duration most) {
    return with(reading.withTimeout(most));
  }

  /// Sets how far rows may move.
  ///
  /// @param choice how to shuffle, anew each epoch
  /// @return the changed options
  public LoaderOptions shuffle(Shuffle choice) {
    return with(order.withShuffle(choice));
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
    return with(order.withSeed(value));
  }

  /// Sets whether batches come in the order of the sequence, as they do by default.
  ///
  /// @param on false for each batch as soon as it is made, as torch's `in_order=False`: no batch
  ///   waits for one before it that is slow. The batches are the same, and each comes once; their
  ///   order changes from run to run. Then [DataLoader#state()] is known only between epochs
  /// @return the changed options
  public LoaderOptions inOrder(boolean on) {
    return with(order.withInOrder(on));
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
    return with(order.withSplitPerWorker(on));
  }

  /// Sets which of the training processes this is. Ranks read disjoint rows, the same number of
  /// each up to one: of those that the filter keeps, see [#countMatches(boolean)]. With a transform
  /// the same number before it.
  ///
  /// @param choice this process among all; [Rank#SINGLE] to read everything
  /// @return the changed options
  public LoaderOptions rank(Rank choice) {
    return with(rankShare.withRank(choice));
  }

  /// Sets how rows that do not divide evenly are dealt to ranks.
  ///
  /// @param choice how all ranks come to the same number of batches
  /// @return the changed options
  public LoaderOptions rankEnd(RankEnd choice) {
    return with(rankShare.withEnd(choice));
  }

  /// Sets whether the rows that match the filter are counted where there is more than one rank, so
  /// that all have the same number of batches: by one pass over the filter's columns before the
  /// first epoch, which every rank makes for itself. True by default.
  ///
  /// Skips row groups whose statistics say that all rows match, or none. Nothing is counted without
  /// a filter, with one rank, with [#stepsPerEpoch(long)], and with a transform, which may change
  /// the number of rows.
  ///
  /// @param on false to deal ranks equal numbers of rows before the filter: their numbers of
  ///   batches differ
  /// @return the changed options
  public LoaderOptions countMatches(boolean on) {
    return with(rankShare.withCountMatches(on));
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
    return with(memoryUse.withLimit(size));
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
    return with(memoryUse.withPin(on));
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
    return with(memoryUse.withLock(on));
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
    return with(memoryUse.withPoison(on));
  }

  /// Sets the form of the columns in a batch.
  ///
  /// @param format tensors, arrays or lists
  /// @return the changed options
  public LoaderOptions output(OutputFormat format) {
    return with(columns.withOutput(format));
  }

  /// Sets how nulls are handled.
  ///
  /// @param policy the policy for all columns that have none of their own
  /// @return the changed options
  public LoaderOptions nulls(NullPolicy policy) {
    return with(columns.withNulls(columns.nulls().withAll(policy)));
  }

  /// Sets how the nulls of one column are handled.
  ///
  /// @param column a column of the dataset; or a feature matrix, for those of its columns that have
  ///   no policy of their own
  /// @param policy the policy; one that does not fit the column's type is refused by
  ///   [DataLoader#iterator()]
  /// @return the changed options
  public LoaderOptions nulls(String column, NullPolicy policy) {
    return with(columns.withNulls(columns.nulls().with(column, policy)));
  }

  /// Makes dates and timestamps `INT64` counts of one unit since 1970-01-01.
  ///
  /// It holds for columns of their own, not for elements of lists and parts of objects. Under
  /// [OutputFormat#MAP] it is checked, and values are objects all the same.
  ///
  /// @param unit the unit for all columns that have none of their own
  /// @return the changed options
  public LoaderOptions timestamps(EpochUnit unit) {
    return with(columns.withTimestamps(columns.timestamps().withAll(unit)));
  }

  /// Makes one column of dates or timestamps `INT64` counts of a unit, see
  /// [#timestamps(EpochUnit)].
  ///
  /// @param column a column of the dataset; one of another type is refused by
  ///   [DataLoader#iterator()]
  /// @param unit the unit
  /// @return the changed options
  public LoaderOptions timestamps(String column, EpochUnit unit) {
    return with(columns.withTimestamps(columns.timestamps().with(column, unit)));
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
    return with(columns.withDecimals(columns.decimals().withAll(form)));
  }

  /// Sets the form of one column of decimals, see [#decimals(DecimalForm)].
  ///
  /// @param column a column of the dataset; one of another type is refused by
  ///   [DataLoader#iterator()]
  /// @param form its form
  /// @return the changed options
  public LoaderOptions decimals(String column, DecimalForm form) {
    return with(columns.withDecimals(columns.decimals().with(column, form)));
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
    return with(columns.withStrings(columns.strings().with(column, encoding)));
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
    return with(this.columns.withFeatures(name, columns));
  }

  /// Sets a function that changes columns and rows before they are batched, in the workers. It is
  /// given aligned runs of 65,536 rows of each row group, see [Transform].
  ///
  /// The other options (features, nulls) then speak of the columns that it gives.
  ///
  /// @param function the function
  /// @return the changed options
  public LoaderOptions transform(Transform function) {
    return transform(function, Transformation.ROWS);
  }

  /// Sets a function that changes columns and rows before they are batched, in the workers.
  ///
  /// @param function the function
  /// @param rows how many rows of a row group it is given at a time, at least 1: the wanted ones of
  ///   `[k * rows, (k + 1) * rows)`. A worker holds so many rows of all columns
  /// @return the changed options
  /// @throws IllegalArgumentException if `rows` is below 1
  public LoaderOptions transform(Transform function, int rows) {
    return with(Transformation.ofRows(function, rows));
  }

  /// Sets a function that changes columns and rows before they are batched, in the workers, and is
  /// given whole row groups. A worker holds a row group of all columns.
  ///
  /// @param function the function
  /// @return the changed options
  public LoaderOptions transformRowGroups(Transform function) {
    return with(Transformation.ofRowGroups(function));
  }

  /// Returns how rows become batches.
  ///
  /// @return the size of batches, whether a short last one is dropped, and the number promised
  public Batching batching() {
    return batching;
  }

  /// Returns who makes the batches, and how far ahead.
  ///
  /// @return workers, prefetch factor and timeout
  public Reading reading() {
    return reading;
  }

  /// Returns in which order rows and batches come.
  ///
  /// @return the shuffle, its seed, and the order of batches
  public Order order() {
    return order;
  }

  /// Returns which share of the rows this process reads.
  ///
  /// @return the rank, and how ranks come to the same number of batches
  public RankShare rankShare() {
    return rankShare;
  }

  /// Returns how much memory the loader takes, and how it treats that of batches.
  ///
  /// @return the limit, and what is done with the memory of batches
  public MemoryUse memoryUse() {
    return memoryUse;
  }

  /// Returns in which form columns come.
  ///
  /// @return the output format, the choices for columns, and the feature matrices
  public Columns columns() {
    return columns;
  }

  /// Returns what changes columns and rows before they are batched.
  ///
  /// @return the function, and how many rows it is given at a time
  public Transformation transformation() {
    return transformation;
  }

  /// Returns the most off-heap memory that the loader may take.
  long memoryBytes() {
    return memoryUse.limitFor(reading.workers()).bytes();
  }

  private LoaderOptions with(Batching changed) {
    return new LoaderOptions(
        changed, reading, order, rankShare, memoryUse, columns, transformation);
  }

  private LoaderOptions with(Reading changed) {
    return new LoaderOptions(
        batching, changed, order, rankShare, memoryUse, columns, transformation);
  }

  private LoaderOptions with(Order changed) {
    return new LoaderOptions(
        batching, reading, changed, rankShare, memoryUse, columns, transformation);
  }

  private LoaderOptions with(RankShare changed) {
    return new LoaderOptions(batching, reading, order, changed, memoryUse, columns, transformation);
  }

  private LoaderOptions with(MemoryUse changed) {
    return new LoaderOptions(batching, reading, order, rankShare, changed, columns, transformation);
  }

  private LoaderOptions with(Columns changed) {
    return new LoaderOptions(
        batching, reading, order, rankShare, memoryUse, changed, transformation);
  }

  private LoaderOptions with(Transformation changed) {
    return new LoaderOptions(batching, reading, order, rankShare, memoryUse, columns, changed);
  }
}
