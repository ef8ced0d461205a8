package dev.penstock.options;

import dev.penstock.advice.CheckReturnValue;
import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.StringEncoding;
import dev.penstock.compose.Composition;
import dev.penstock.spi.batch.BatchAllocator;
import dev.penstock.split.ByteSize;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Shuffle;
import dev.penstock.transform.Transform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// How a [dev.penstock.DataLoader] delivers rows. Immutable: a method that sets an option returns a
/// changed copy, and throws [IllegalArgumentException] if the value is out of its range.
///
/// Set options one by one, `o -> o.batchSize(512).workers(2)`; read them by group, as in
/// `options.batching().size()`: [Batching], [Reading], [Order], [RankShare], [MemoryUse],
/// [Columns], [Transformation], [Recording].
///
/// Defaults: batch size 1024, automatic workers, no shuffle, seed 0, the short last batch kept, the
/// rank from the environment, [RankEnd#EXACT], matches counted if there are several ranks, prefetch
/// factor 2, batches in order, 512 MiB of memory plus 64 MiB per worker, [OutputFormat#TENSOR],
/// [NullPolicy#nan()].
///
/// It is one file because users look for all options in one place; most of it is their
/// documentation.
@CheckReturnValue
public final class LoaderOptions extends Options {
  private static final LoaderOptions DEFAULTS = new LoaderOptions();

  private final Batching batching;
  private final Reading reading;
  private final Order order;
  private final RankShare rankShare;
  private final MemoryUse memoryUse;
  private final Columns columns;
  private final Transformation transformation;
  private final Recording recording;

  private LoaderOptions() {
    this(
        Batching.DEFAULTS,
        Reading.INLINE.withAutoWorkers(),
        Order.DEFAULTS,
        RankShare.DEFAULTS,
        MemoryUse.DEFAULTS,
        Columns.DEFAULTS,
        Transformation.DEFAULTS,
        Recording.DEFAULTS);
  }

  private LoaderOptions(
      Batching batching,
      Reading reading,
      Order order,
      RankShare rankShare,
      MemoryUse memoryUse,
      Columns columns,
      Transformation transformation,
      Recording recording) {
    this.batching = batching;
    this.reading = reading;
    this.order = order;
    this.rankShare = rankShare;
    this.memoryUse = memoryUse;
    this.columns = columns;
    this.transformation = transformation;
    this.recording = recording;
  }

  /// {@return the defaults}
  public static LoaderOptions defaults() {
    return DEFAULTS;
  }

  /// {@return the defaults as a function changes them}
  ///
  /// @param change sets options, such as `o -> o.batchSize(512).shuffle(true)`
  /// @throws IllegalArgumentException if it drops what it sets
  public static LoaderOptions defaults(UnaryOperator<LoaderOptions> change) {
    return changed(new LoaderOptions(), change);
  }

  /// {@return a copy with a number of rows in a batch}
  ///
  /// @param rows at least 1
  public LoaderOptions batchSize(int rows) {
    return with(batching.withSize(rows));
  }

  /// {@return a copy that leaves out a last batch with too few rows}
  ///
  /// @param on true to leave it out
  public LoaderOptions dropLast(boolean on) {
    return with(batching.withDropLast(on));
  }

  /// {@return a copy with a fixed number of batches in every epoch, so that all ranks have the same
  /// number whatever a filter keeps} The epoch ends after them; a rank with too few rows ends with
  /// an error. With [#dropLast(boolean)] a short batch does not count.
  ///
  /// @param batches how many, at least 1
  public LoaderOptions stepsPerEpoch(long batches) {
    return with(batching.withStepsPerEpoch(batches));
  }

  /// {@return a copy that composes the rows of each window before they are batched: into batches of
  /// lists of similar length, lists packed into rows of one length, whole groups, sliding windows,
  /// or weighted draws}
  ///
  /// Groups, sliding windows and draws read the column that decides them once before the first
  /// epoch; so do buckets and packs if [#countMatches(boolean)] says so, or does not say otherwise
  /// and there are several ranks, unless [#stepsPerEpoch(long)] promises a number.
  ///
  /// @param choice what to make of them
  public LoaderOptions compose(Composition choice) {
    return with(batching.withComposition(choice));
  }

  /// {@return a copy with a number of decoding threads}
  ///
  /// @param count a number of threads; 0 does all work on the calling thread, for debugging
  public LoaderOptions workers(int count) {
    return with(reading.withWorkers(count));
  }

  /// {@return a copy that lets the loader choose how many threads decode, at most one for each
  /// processor that this process may use (within container limits)} This is the default.
  ///
  /// All of them decode at first. If the consumer hardly ever waits for a batch, those that are not
  /// needed are parked, so that the consumer has the processors; if it waits, they are called back.
  /// That changes no row: the order does not depend on the number of workers. Within an epoch at
  /// least as many decode as share the columns of a run, up to four. With
  /// [#splitPerWorker(boolean)], all of them always decode. A loader logs their number once, at
  /// level INFO.
  public LoaderOptions autoWorkers() {
    return with(reading.withAutoWorkers());
  }

  /// {@return a copy with the number of finished batches that each worker may be ahead of the
  /// consumer} If memory permits, there are also the run of rows that each worker is decoding, and
  /// the rows decoded in one step or 1 MiB of batches, whichever is more. Results of
  /// [dev.penstock.DataLoader#collate] never exceed this factor.
  ///
  /// @param batches at least 1
  public LoaderOptions prefetchFactor(int batches) {
    return with(reading.withPrefetchFactor(batches));
  }

  /// {@return a copy with the longest time that the consumer waits for a batch from the workers; by
  /// default it waits for ever} After that time the iterator throws a
  /// [dev.penstock.WorkerException]; the caller may ask for the batch again. Without workers the
  /// consumer does the work itself and never waits.
  ///
  /// @param most zero waits for ever
  public LoaderOptions timeout(Duration most) {
    return with(reading.withTimeout(most));
  }

  /// {@return a copy with a shuffle, which says how far rows may move}
  ///
  /// @param choice how to shuffle, anew each epoch
  public LoaderOptions shuffle(Shuffle choice) {
    return with(order.withShuffle(choice));
  }

  /// {@return a copy that shuffles as torch's `shuffle=True` does}
  ///
  /// @param on true for [Shuffle#splits()], false for [Shuffle#none()]
  public LoaderOptions shuffle(boolean on) {
    return shuffle(on ? Shuffle.splits() : Shuffle.none());
  }

  /// {@return a copy with a seed for the shuffle}
  ///
  /// @param value any number; the order of an epoch follows from it and the epoch's number
  public LoaderOptions seed(long value) {
    return with(order.withSeed(value));
  }

  /// {@return a copy in which batches come in the order of the sequence, as they do by default}
  ///
  /// @param on false to deliver each batch as soon as it is made, as torch's `in_order=False`, so
  ///   that no batch waits for a slow one before it. The batches are the same, and each comes once;
  ///   their order changes from run to run. [dev.penstock.DataLoader#state()] is then available
  ///   only between epochs
  public LoaderOptions inOrder(boolean on) {
    return with(order.withInOrder(on));
  }

  /// {@return a copy in which each worker makes batches of its own [dev.penstock.split.Split] only,
  /// as torch's workers do of an `IterableDataset`} Use it to compare with torch. Batches come from
  /// worker 0, 1, 2 and so on in turn, skipping workers that have no more; the last batch of each
  /// may be short, or is dropped with [#dropLast(boolean)].
  ///
  /// The order then depends on the number of workers, a slow Split delays all workers, and
  /// [dev.penstock.DataLoader#state()] is available only between epochs. It cannot be combined with
  /// a filter that tests rows, a transform that may change their number, or several ranks: there
  /// the numbers of batches are not known beforehand, or differ.
  ///
  /// @param on true for batches of single Splits
  public LoaderOptions splitPerWorker(boolean on) {
    return with(order.withSplitPerWorker(on));
  }

  /// {@return a copy for one of the training processes} Ranks read disjoint rows, and their numbers
  /// of rows that the filter keeps differ by at most one, see [#countMatches(boolean)]. With a
  /// transform that may change the number of rows this holds for the rows before it.
  ///
  /// @param choice this process among all; [Rank#SINGLE] to read everything
  public LoaderOptions rank(Rank choice) {
    return with(rankShare.withRank(choice));
  }

  /// {@return a copy with a rule for rows that do not divide evenly among the ranks}
  ///
  /// @param choice how all ranks come to the same number of batches
  public LoaderOptions rankEnd(RankEnd choice) {
    return with(rankShare.withEnd(choice));
  }

  /// {@return a copy that counts the rows that match the filter if there is more than one rank, so
  /// that all ranks have the same number of batches} Every rank then reads the filter's columns
  /// once before the first epoch. By default it does.
  ///
  /// With [#compose] they count what it makes instead, by the column that decides it; `true` counts
  /// that with one rank, too, so that [dev.penstock.DataLoader#batchesPerEpoch()] is known.
  ///
  /// The count skips row groups whose statistics say that all rows match, or none. No matches are
  /// counted without a filter, with one rank, with [#stepsPerEpoch(long)], or with a transform that
  /// may change the number of rows.
  ///
  /// @param on false to deal ranks equal numbers of rows before the filter: their numbers of
  ///   batches differ
  public LoaderOptions countMatches(boolean on) {
    return with(rankShare.withCountMatches(on));
  }

  /// {@return a copy with a limit on the off-heap memory that the loader may take: for pages,
  /// decoded slices, staged rows, shuffle windows, and batches until they are received} With little
  /// memory the loader reads less far ahead, and fewer workers read at once; the batches are the
  /// same.
  ///
  /// Rows that cannot be read within it end the epoch with a
  /// [dev.penstock.format.MemoryLimitException] that says how much is needed. Batches that were
  /// received but not closed do not count, nor do footers, which are on the heap. Java objects in
  /// batches, such as texts and maps, come on top: those ahead of the consumer take at most a
  /// quarter of this limit, by estimate.
  ///
  /// @param size for example `512MiB`, see [ByteSize#parse]
  public LoaderOptions memory(String size) {
    Objects.requireNonNull(size, "memory must not be null.");
    return memory(ByteSize.parse(size));
  }

  /// {@return a copy with a limit on the off-heap memory, see [#memory(String)]}
  ///
  /// @param size more than 0
  public LoaderOptions memory(ByteSize size) {
    return with(memoryUse.withLimit(size));
  }

  /// {@return a copy in which batches lie in pinned memory, from which a GPU copies while other
  /// work goes on: torch's `pin_memory`} See `DevicePrefetcher`.
  ///
  /// The loader registers its memory for batches with the CUDA driver once, on allocation, for all
  /// contexts, and reuses it for later batches. Without a driver it logs a warning and pins
  /// nothing.
  ///
  /// @param on true to pin
  public LoaderOptions pinMemory(boolean on) {
    return with(memoryUse.withPin(on));
  }

  /// {@return a copy that keeps the memory of batches from being swapped out, by `mlock`}
  ///
  /// `RLIMIT_MEMLOCK` (`ulimit -l`) limits how much a process may lock, often to 8 MiB. Memory
  /// beyond the limit is not locked, and a warning is logged. For a GPU use [#pinMemory(boolean)].
  ///
  /// @param on true to lock
  public LoaderOptions lockMemory(boolean on) {
    return with(memoryUse.withLock(on));
  }

  /// {@return a copy that overwrites the memory of a batch with bytes `0xfe` when the batch is
  /// closed, to find code that keeps a buffer of it} A tensor of a closed batch refuses to be read,
  /// but a kept buffer or address shows the rows of a later batch, which look right. Overwritten
  /// rows are large negative numbers. It costs a pass over each batch, so use it for debugging.
  ///
  /// @param on true to overwrite; false by default
  public LoaderOptions poisonMemory(boolean on) {
    return with(memoryUse.withPoison(on));
  }

  /// {@return a copy that puts batches wholly into memory of your own, for example to share them
  /// with another process}
  ///
  /// Such batches hold no Java objects. A column that would be a list of them is a
  /// [dev.penstock.spi.format.ColumnSlice] in the form that [dev.penstock.spi.batch.BatchForm]
  /// describes, and under [OutputFormat#ARROW] all columns are: read them by
  /// [dev.penstock.batch.Batch#column]. [OutputFormat#ARRAY] and [OutputFormat#MAP] are refused.
  ///
  /// @param allocator provides the memory
  public LoaderOptions batchAllocator(BatchAllocator allocator) {
    return with(memoryUse.withAllocator(allocator));
  }

  /// {@return a copy that delivers columns in this form}
  ///
  /// @param format tensors, arrays or lists
  public LoaderOptions output(OutputFormat format) {
    return with(columns.withOutput(format));
  }

  /// {@return a copy with a policy for nulls}
  ///
  /// @param policy the policy for all columns without their own policy
  public LoaderOptions nulls(NullPolicy policy) {
    return with(columns.withNulls(columns.nulls().withAll(policy)));
  }

  /// {@return a copy with a policy for the nulls of one column}
  ///
  /// @param column a column of the dataset; or a feature matrix, for those of its columns without
  ///   their own policy
  /// @param policy the policy; [dev.penstock.DataLoader#iterator()] refuses one that does not fit
  ///   the column's type
  public LoaderOptions nulls(String column, NullPolicy policy) {
    return with(columns.withNulls(columns.nulls().with(column, policy)));
  }

  /// {@return a copy that makes dates and timestamps `INT64` counts of one unit since 1970-01-01}
  ///
  /// It holds for columns of their own, not for elements of lists and parts of objects. Under
  /// [OutputFormat#MAP] it is checked, and values are objects all the same.
  ///
  /// @param unit the unit for all columns without their own unit
  public LoaderOptions timestamps(EpochUnit unit) {
    return with(columns.withTimestamps(columns.timestamps().withAll(unit)));
  }

  /// {@return a copy that makes one column of dates or timestamps `INT64` counts of a unit, see
  /// [#timestamps(EpochUnit)]}
  ///
  /// @param column a column of the dataset; [dev.penstock.DataLoader#iterator()] refuses one of
  ///   another type
  /// @param unit the unit
  public LoaderOptions timestamps(String column, EpochUnit unit) {
    return with(columns.withTimestamps(columns.timestamps().with(column, unit)));
  }

  /// {@return a copy that delivers decimals in this form}
  ///
  /// It applies to whole columns, not to elements of lists and parts of objects; in a feature
  /// matrix decimals are always floats. Under [OutputFormat#MAP] it is only checked: values remain
  /// objects.
  ///
  /// @param form the form of all columns without their own form
  public LoaderOptions decimals(DecimalForm form) {
    return with(columns.withDecimals(columns.decimals().withAll(form)));
  }

  /// {@return a copy that delivers one column of decimals in this form, see
  /// [#decimals(DecimalForm)]}
  ///
  /// @param column a column of the dataset; [dev.penstock.DataLoader#iterator()] refuses one of
  ///   another type
  /// @param form its form
  public LoaderOptions decimals(String column, DecimalForm form) {
    return with(columns.withDecimals(columns.decimals().with(column, form)));
  }

  /// {@return a copy that delivers one column of strings in this encoding}
  ///
  /// It applies to whole columns, not to elements of lists and parts of objects. Under
  /// [OutputFormat#MAP] it is only checked: values remain strings.
  ///
  /// @param column a column of the dataset; [dev.penstock.DataLoader#iterator()] refuses one of
  ///   another type
  /// @param encoding a list, codes or hash buckets
  public LoaderOptions strings(String column, StringEncoding encoding) {
    return with(columns.withStrings(columns.strings().with(column, encoding)));
  }

  /// {@return a copy with one more feature matrix: a `FLOAT32` tensor of shape `[rows, n]`, one
  /// column per name, in that order} Numbers are rounded to the nearest float; booleans become 0
  /// and 1. The columns are delivered in the matrix only, but for [#keepColumns].
  ///
  /// @param name the matrix's name in the batch, which no other matrix has
  /// @param columns numeric or boolean columns of the dataset, at least one and each once, or
  ///   dotted paths of such fields in its structs
  public LoaderOptions features(String name, String... columns) {
    return features(name, Arrays.asList(columns));
  }

  /// {@return a copy with one more feature matrix, see [#features(String, String...)]}
  ///
  /// @param name the matrix's name in the batch
  /// @param columns as there
  public LoaderOptions features(String name, List<String> columns) {
    return with(this.columns.withFeatures(name, columns));
  }

  /// {@return a copy that delivers columns on their own also where a feature matrix has them}
  ///
  /// @param columns columns of the dataset
  public LoaderOptions keepColumns(String... columns) {
    return with(this.columns.withKept(Arrays.asList(columns)));
  }

  /// {@return a copy with a function that changes columns and rows before they are batched, in the
  /// workers} It receives aligned runs of [Transform#rows()] rows of each row group, see
  /// [Transform].
  ///
  /// The other options (features, nulls) then apply to the columns that it returns.
  ///
  /// @param function the function
  public LoaderOptions transform(Transform function) {
    Objects.requireNonNull(function, "transform must not be null.");
    return transform(function, function.rows());
  }

  /// {@return a copy with a function that changes columns and rows before they are batched, in the
  /// workers}
  ///
  /// @param function the function
  /// @param rows how many rows of a row group it receives at a time, at least 1: the wanted ones of
  ///   `[k * rows, (k + 1) * rows)`. A worker holds this many rows of all columns
  public LoaderOptions transform(Transform function, int rows) {
    return with(Transformation.ofRows(function, rows));
  }

  /// {@return a copy with a function that changes columns and rows before they are batched, in the
  /// workers, and receives whole row groups} A worker holds all columns of a row group.
  ///
  /// @param function the function
  public LoaderOptions transformRowGroups(Transform function) {
    return with(Transformation.ofRowGroups(function));
  }

  /// {@return a copy that records what happens when in its epochs: which worker decoded which rows,
  /// who waited for what, and its numbers over time} [dev.penstock.Loader#report] shows it. It
  /// costs well below 1 % of the time, and 2 MB on the heap for each of the last ten epochs.
  ///
  /// @param on true to record
  public LoaderOptions record(boolean on) {
    return with(recording.withTimeline(on));
  }

  /// {@return a copy that makes a digest of the rows of each step, see
  /// [dev.penstock.steps.StepDigest]} They are in [dev.penstock.DataLoader#lastStep()], in
  /// [dev.penstock.Loader#report], at level DEBUG of the logger `dev.penstock.steps`, and in the
  /// flight recorder as `penstock.Step`.
  ///
  /// @param on true to make them; false, the default, writes no log either
  public LoaderOptions stepDigests(boolean on) {
    return with(recording.withStepDigests(on));
  }

  /// {@return a copy that appends a line to a file for each batch that is received, with the digest
  /// of its rows, see [#stepDigests(boolean)]} A line is what
  /// [dev.penstock.steps.StepDigest#toJson] writes. It is in the file before the batch is received,
  /// so a process that is killed loses none. [dev.penstock.StepAudit] compares such lines with what
  /// should have come.
  ///
  /// If a line cannot be written, as on a full disk, the epoch ends with an
  /// [java.io.UncheckedIOException].
  ///
  /// @param file a file of this machine; it is made if it does not exist. Ranks may share one,
  ///   unless it is on a network file system
  public LoaderOptions stepLog(Path file) {
    return with(recording.withStepLog(file));
  }

  /// {@return how rows become batches}
  public Batching batching() {
    return batching;
  }

  /// {@return which threads make the batches, and how far ahead}
  public Reading reading() {
    return reading;
  }

  /// {@return the order of rows and batches}
  public Order order() {
    return order;
  }

  /// {@return which share of the rows this process reads}
  public RankShare rankShare() {
    return rankShare;
  }

  /// {@return how much memory the loader takes, and how it treats the memory of batches}
  public MemoryUse memoryUse() {
    return memoryUse;
  }

  /// {@return the form of the columns}
  public Columns columns() {
    return columns;
  }

  /// {@return what changes columns and rows before they are batched}
  public Transformation transformation() {
    return transformation;
  }

  /// {@return whether the loader records what happens when}
  public boolean isRecorded() {
    return recording.timeline();
  }

  /// {@return what the loader notes of what it does}
  public Recording recording() {
    return recording;
  }

  private LoaderOptions with(Record group) {
    copied();
    return new LoaderOptions(
        group instanceof Batching changed ? changed : batching,
        group instanceof Reading changed ? changed : reading,
        group instanceof Order changed ? changed : order,
        group instanceof RankShare changed ? changed : rankShare,
        group instanceof MemoryUse changed ? changed : memoryUse,
        group instanceof Columns changed ? changed : columns,
        group instanceof Transformation changed ? changed : transformation,
        group instanceof Recording changed ? changed : recording);
  }

  @Override
  public String toString() {
    return "LoaderOptions " + text();
  }

  /// {@return the batch size, the workers, and every option that is not the default: `[batchSize
  /// 512, workers 2, seed 7]`}
  public String text() {
    return OptionsText.of(this);
  }
}
