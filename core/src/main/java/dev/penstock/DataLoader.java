package dev.penstock;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.batch.Batch;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.compose.Groups;
import dev.penstock.data.IterableDataset;
import dev.penstock.data.MapDataset;
import dev.penstock.internal.deliver.BatchCollation;
import dev.penstock.internal.deliver.BatchConsumer;
import dev.penstock.internal.deliver.StepTrace;
import dev.penstock.internal.pipeline.BatchPinning;
import dev.penstock.internal.pipeline.EpochHistory;
import dev.penstock.internal.pipeline.LoaderResources;
import dev.penstock.options.IterableOptions;
import dev.penstock.options.LoaderOptions;
import dev.penstock.options.MapOptions;
import dev.penstock.schema.Schema;
import dev.penstock.split.Plan;
import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.LoaderTotals;
import dev.penstock.stats.RankCosts;
import dev.penstock.steps.ExcludedRows;
import dev.penstock.steps.StepDigest;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Delivers the rows of a dataset in batches, epoch after epoch.
///
/// Every call of [#iterator()] starts the next epoch; the first is 0. Worker threads are started by
/// the first epoch and kept until [#close()].
///
/// **Ownership.** The caller closes the loader and every batch it receives. Closing the loader ends
/// its threads, closes its files and frees its memory; batches still open keep theirs until they
/// are closed. When nobody can reach a loader any more that was not closed, its threads end, with a
/// warning that says where it was made.
///
/// **Threads.** One thread iterates at a time; [#close()] may be called from any, also while
/// another waits for a batch. An interrupt ends that wait with an [java.io.UncheckedIOException];
/// no batch is lost by it. Code of the user that workers run may call any method of this but
/// [#iterator()] and [#resume]. An end waits up to 6 seconds for such code, interrupts it halfway,
/// and then leaves its thread behind with a warning that says where it is; what it holds is freed
/// when it returns. Nor does [#close()] wait for files that are listed and footers that are read
/// for the first epoch: this ends by itself, and the thread that wanted the epoch is told then that
/// the loader is closed.
///
/// **Order.** The batches of an epoch are a function of (files, columns, batch size, splits,
/// shuffle, seed, epoch), whatever the number of workers. A split strategy of your own is given
/// that number: if its answer depends on it, so does the order. With
/// [LoaderOptions#inOrder(boolean)] off the same batches come in the order in which they are made.
///
/// **Memory.** All off-heap memory is within [LoaderOptions#memory(String)], but for batches that
/// were received and not closed. A worker holds a page and a slice of each column it decodes; half
/// of the memory at most is for batches that are filled and not yet received. Java objects in
/// batches are on the heap; those ahead of the consumer take at most a quarter of it, by estimate,
/// beside its next batch.
///
/// **Errors.** What a worker meets is thrown by the iterator at the batch that could not be made:
/// an [java.io.UncheckedIOException] for the files' faults, with the sentence and the typed cause;
/// a [dev.penstock.format.MemoryLimitException] where the memory is too little. What code of the
/// user throws, or an extension, is the direct cause of an [IllegalStateException] that names the
/// rows or the batch; an [java.io.IOException] that of an [java.io.UncheckedIOException].
///
/// It is one file because users look for all that a loader does in one place; most of it is
/// documentation.
public final class DataLoader implements Loader<Batch> {
  private final StructuredDataset dataset;
  private final LoaderOptions options;
  private final EpochStarter epochs;
  private final LoaderResources resources;
  private final UnclosedBatches open;
  private final EpochHistory history = new EpochHistory();
  private volatile @Nullable ConsumedEpoch<?> running; // the last that was started

  private DataLoader(StructuredDataset dataset, LoaderOptions options) {
    this.dataset = Objects.requireNonNull(dataset, "dataset must not be null.");
    this.options = Objects.requireNonNull(options, "options must not be null.");
    this.epochs = new EpochStarter(dataset, options);
    this.open = new UnclosedBatches(options.memoryUse().allocator().isPresent());
    this.resources = new LoaderResources(this, epochs.pool);
  }

  /// Makes a loader. Nothing is opened yet.
  ///
  /// @param dataset what to read
  /// @param options how to deliver it
  /// @return the loader, to be closed
  /// @throws IllegalArgumentException if the module of the output format is absent, or no rank is
  ///   given and the environment does not say it clearly
  public static DataLoader of(StructuredDataset dataset, LoaderOptions options) {
    return new DataLoader(dataset, options);
  }

  /// Makes a loader with all defaults. Nothing is opened yet.
  ///
  /// @param dataset what to read
  /// @return the loader, to be closed
  /// @throws IllegalArgumentException as the method with options
  public static DataLoader of(StructuredDataset dataset) {
    return of(dataset, LoaderOptions.defaults());
  }

  /// Makes a loader. Nothing is opened yet.
  ///
  /// @param dataset what to read
  /// @param change sets options, such as `o -> o.batchSize(512).shuffle(true)`
  /// @return the loader, to be closed
  /// @throws IllegalArgumentException as the method with options, or if the function drops what it
  ///   sets
  public static DataLoader of(StructuredDataset dataset, UnaryOperator<LoaderOptions> change) {
    return of(dataset, LoaderOptions.defaults(change));
  }

  /// Makes a loader of rows that are Java objects, by number, with all defaults: batches of one
  /// row.
  ///
  /// @param <T> what a row is
  /// @param dataset what to read
  /// @return the loader, to be closed
  public static <T> SampleLoader<T, Batch> of(MapDataset<T> dataset) {
    return of(dataset, MapOptions.defaults());
  }

  /// Makes a loader of rows that are Java objects, by number.
  ///
  /// @param <T> what a row is
  /// @param <B> what a batch is
  /// @param dataset what to read
  /// @param change sets options, such as `o -> o.batchSize(4).shuffle(true)`
  /// @return the loader, to be closed
  /// @throws IllegalArgumentException if options do not fit together
  public static <T, B> SampleLoader<T, B> of(
      MapDataset<T> dataset, Function<MapOptions<T, Batch>, MapOptions<T, B>> change) {
    return of(dataset, MapOptions.defaults(change));
  }

  /// Makes a loader of rows that are Java objects, by number.
  ///
  /// @param <T> what a row is
  /// @param <B> what a batch is
  /// @param dataset what to read
  /// @param options how to deliver it
  /// @return the loader, to be closed
  /// @throws IllegalArgumentException if options do not fit together
  public static <T, B> SampleLoader<T, B> of(MapDataset<T> dataset, MapOptions<T, B> options) {
    return SampleLoader.of(dataset, options);
  }

  /// Makes a loader of rows that are Java objects, one after another, with all defaults: batches of
  /// one row.
  ///
  /// @param <T> what a row is
  /// @param dataset what to read
  /// @return the loader, to be closed
  public static <T> SampleLoader<T, Batch> of(IterableDataset<T> dataset) {
    return of(dataset, IterableOptions.defaults());
  }

  /// Makes a loader of rows that are Java objects, one after another.
  ///
  /// @param <T> what a row is
  /// @param <B> what a batch is
  /// @param dataset what to read
  /// @param change sets options, such as `o -> o.batchSize(4).workers(2)`
  /// @return the loader, to be closed
  /// @throws IllegalArgumentException if options do not fit together
  public static <T, B> SampleLoader<T, B> of(
      IterableDataset<T> dataset,
      Function<IterableOptions<T, Batch>, IterableOptions<T, B>> change) {
    return of(dataset, IterableOptions.defaults(change));
  }

  /// Makes a loader of rows that are Java objects, one after another.
  ///
  /// @param <T> what a row is
  /// @param <B> what a batch is
  /// @param dataset what to read
  /// @param options how to deliver it
  /// @return the loader, to be closed
  /// @throws IllegalArgumentException if options do not fit together
  public static <T, B> SampleLoader<T, B> of(
      IterableDataset<T> dataset, IterableOptions<T, B> options) {
    return SampleLoader.of(dataset, options);
  }

  /// Starts the next epoch, ending the one before if it still runs. Before the first epoch the
  /// columns are read whose vocabulary has to be found, and those of the filter or the composition
  /// where rows or batches are counted, see [LoaderOptions#countMatches(boolean)].
  ///
  /// @return its batches, in order
  /// @throws java.io.UncheckedIOException if the files cannot be listed or their footers not be
  ///   read
  /// @throws IllegalArgumentException if the options do not fit the columns, or a split strategy
  ///   leaves rows out
  /// @throws IllegalStateException if the loader is closed, or a split strategy fails
  @Override
  public EpochIterator<Batch> iterator() {
    return begin(BatchCollation.NONE, null);
  }

  /// Starts the next epoch, and tells which rows are received.
  EpochIterator<Batch> iterator(StepTrace trace) {
    return begin(BatchCollation.NONE, trace);
  }

  /// Returns a loader that delivers what a function makes of each batch. The function runs in the
  /// workers.
  ///
  /// @param <T> what the function makes
  /// @param function the function, which closes the batch or hands it on; see [CollatedLoader]
  /// @return a view of this loader; closing either closes both
  public <T> CollatedLoader<T> collate(CollatedLoader.Collate<T> function) {
    return new CollatedLoader<>(
        this, Objects.requireNonNull(function, "collate must not be null."));
  }

  <T> EpochIterator<T> start(CollatedLoader.Collate<T> function) {
    BatchPinning pins = epochs.pinning; // workers must not know the loader, see LoaderResources
    return begin(BatchCollation.of(batch -> pins.pinned(function.apply(batch))), null);
  }

  private <T> EpochIterator<T> begin(BatchCollation collation, @Nullable StepTrace trace) {
    EpochStarter.Begun begun = begun(collation, trace);
    long first = begun.plan().from().batches();
    ConsumedEpoch.Consumption consumption = new ConsumedEpoch.Consumption(collation, trace, first);
    ConsumedEpoch<T> epoch =
        new ConsumedEpoch<>(this, consumption, begun.epoch(), epochs.pool, open);
    running = epoch;
    return epoch;
  }

  /// Starts the next epoch. Without a monitor, because files may be read.
  private EpochStarter.Begun begun(BatchCollation collation, @Nullable StepTrace trace) {
    BatchConsumer consumer =
        new BatchConsumer(options.reading().timeout(), collation, open::closed);
    EpochStarter.Begun begun = epochs.start(consumer, resources, trace);
    history.begin(() -> epochs.stats(begun), begun.epoch()::timeline, begun::steps);
    return begun;
  }

  /// Decides what this rank reads in an epoch, without reading it. What was counted for earlier
  /// epochs, see [LoaderOptions#countMatches(boolean)], is not counted again.
  ///
  /// @param epoch the epoch, counted from 0
  /// @return the checked plan
  /// @throws java.io.UncheckedIOException if the files cannot be listed or their footers not be
  ///   read
  /// @throws IllegalArgumentException if the filter does not fit, or the strategy leaves rows out
  /// @throws IllegalStateException if the loader is closed and has to count
  public Plan plan(long epoch) {
    return epochs.plan(epoch);
  }

  /// Returns where the next batch starts, to go on from there in another run. To be called by the
  /// thread that receives the batches: what it has received counts, what was read ahead does not.
  ///
  /// Behind the last batch of an epoch it means the next one. Where only reading on tells that it
  /// was the last, behind a filter whose matches were not counted or a transform that may change
  /// the number of rows, it does so when [EpochIterator#hasNext()] has said it; before, it is a
  /// place of which nothing is left.
  ///
  /// @return the state
  /// @throws IllegalStateException within an epoch whose batches do not come in order
  /// @throws java.io.UncheckedIOException if the files cannot be listed or their footers not be
  ///   read, before the first epoch
  @Override
  public LoaderState state() {
    return new LoaderState(epochs.state());
  }

  @Override
  public Optional<String> groupedBy() {
    return options.batching().composition().orElse(null) instanceof Groups(String column)
        ? Optional.of(column)
        : Optional.empty();
  }

  @Override
  public boolean hasState() {
    return epochs.hasState();
  }

  /// Goes on where another run stopped: the next epoch is the state's, and begins with the batch
  /// that would have come next. Row groups that were delivered are not read.
  ///
  /// @param state where to go on
  /// @throws IllegalStateException if the loader is closed
  /// @see LoaderState
  @Override
  public void resume(LoaderState state) {
    Objects.requireNonNull(state, "state must not be null.");
    epochs.pool.requireReady();
    epochs.pool.end("the loader resumes elsewhere");
    epochs.place.resume(state.saved);
  }

  /// Returns the digest of the rows of the last batch that was received, for those who log steps
  /// themselves.
  ///
  /// @return the digest; empty before the first batch of an epoch, and without
  ///   [LoaderOptions#stepDigests(boolean)]
  public Optional<StepDigest> lastStep() {
    return epochs.lastStep();
  }

  /// Returns which rows steps had or will have, on any rank, in the epoch of [#state()], see
  /// [RowsOfSteps]. Reads no rows.
  ///
  /// @param steps which
  /// @return by step, then rank, then place
  /// @throws IllegalStateException if only reading tells
  @Override
  public Stream<StepRow> rowsOf(Steps steps) {
    return RowsOfSteps.of(dataset, options, epochs.state(), epochs).rows(steps);
  }

  /// Asks which rows steps have in the epoch of a state that this loader went on from, or would.
  /// May be called while an epoch runs. What was counted for the loader is not counted again.
  ///
  /// @param state a state of the run; it need not be [#state()]
  /// @return the rows
  public RowsOfSteps rowsOfSteps(LoaderState state) {
    return RowsOfSteps.of(dataset, options, state.saved, epochs);
  }

  /// Leaves out steps of the epoch of [#state()]: from now on their rows are not delivered in it,
  /// all others come as they would. Steps keep their numbers. All ranks have to skip the same
  /// steps.
  ///
  /// The batches of these steps are read and made, and closed instead of delivered; the open
  /// iterator goes on behind them. [LoaderState#batches()] counts them, [#stats()] does not. The
  /// state has it, so it survives stops. In another world, or behind rows that are excluded later,
  /// the rows of these steps are left out of what is dealt anew; where only reading tells which
  /// rows these are, behind a filter whose matches were not counted or a transform that may change
  /// the number of rows, such a state is refused until the steps are behind.
  ///
  /// @param steps which; those that were received already stay so
  /// @throws IllegalStateException if batches have no order, see [#hasState()]
  @Override
  public void skip(Steps steps) {
    epochs.skip(Objects.requireNonNull(steps, "steps must not be null."));
  }

  /// Leaves out rows: from the next step on they never come, in this epoch and in later ones, as if
  /// the files did not have them. The state has it, and from where. All ranks have to exclude the
  /// same rows at the same step.
  ///
  /// Within an epoch the rest is dealt to the ranks anew, without these rows; the open iterator
  /// goes on with that, and what was read ahead is dropped. [#stats()] begins anew. An epoch whose
  /// iterator was closed before its end is gone on with by the next call of [#iterator()]. A state
  /// that is given to [#resume] decides: what it does not exclude comes again.
  ///
  /// Before the first batch of an epoch its order is that of the other rows, as if the files had no
  /// others; steps to skip are then those of this order.
  ///
  /// Keys are found by one pass over their columns, once per loader.
  ///
  /// @param rows which
  /// @throws IllegalArgumentException if no file has the column, the row or the key. Also where
  ///   ranks have places of their own, so that dealing the rest anew takes the states of all of
  ///   them, see [LoaderState#merge]
  /// @throws IllegalStateException if batches have no order, see [#hasState()]; within an epoch of
  ///   a composition, or of a transform that has begun a block
  /// @throws java.io.UncheckedIOException if the files cannot be read
  @Override
  public void exclude(ExcludedRows rows) {
    Objects.requireNonNull(rows, "rows must not be null.");
    ConsumedEpoch<?> open = running;
    if (epochs.exclude(rows) && open != null && !open.isLeft()) {
      ConsumedEpoch.Consumption same = open.consumption;
      open.goOn(begun(same.collation(), same.traceFrom(epochs.state().batches())).epoch());
    }
  }

  /// Sets the number of the next epoch. Epochs advance by themselves; this is for starting
  /// elsewhere. A state that was given to [#resume] and not gone on from stays if it is of that
  /// epoch, unless it was refused.
  ///
  /// @param epoch the number that the next call of [#iterator()] starts, in `[0, 2^53]`
  /// @throws IllegalArgumentException if `epoch` is not in there
  @Override
  public void setEpoch(long epoch) {
    epochs.place.set(epoch);
  }

  /// Returns the number of batches in an epoch, which is the same for all ranks. Reads the footers
  /// the first time, and the columns of a filter where its matches are counted, see
  /// [LoaderOptions#countMatches(boolean)]. With [LoaderOptions#splitPerWorker(boolean)] it is that
  /// of the next epoch.
  ///
  /// @return how many
  /// @throws IllegalStateException if a filter, a transform or a composition leaves it open until
  ///   the rows are read, or the loader is closed and has to count
  /// @throws java.io.UncheckedIOException if the files cannot be listed or their footers not be
  ///   read
  @Override
  public long batchesPerEpoch() {
    return options
        .batching()
        .stepsPerEpoch() // for which no file need be there
        .orElseGet(epochs::batches);
  }

  /// Measures what the batches of all ranks will cost at each step of the next epoch, and what they
  /// would without balancing, by one pass over the column that decides it. Keeps 16 bytes for each
  /// step of each rank.
  ///
  /// @return the costs
  /// @throws IllegalStateException if batches are not balanced, see
  ///   [dev.penstock.compose.Composition#balanced], or the loader is closed
  /// @throws java.io.UncheckedIOException if the files cannot be read
  public RankCosts rankCosts() {
    return epochs.rankCosts();
  }

  /// Returns the number of rows that this rank gets in its next epoch, if that is known before they
  /// are read. Reads the footers the first time.
  ///
  /// @return how many; empty with a filter, a transform that may change it, a composition or
  ///   [LoaderOptions#splitPerWorker(boolean)]
  /// @throws java.io.UncheckedIOException if the files cannot be listed or their footers not be
  ///   read
  public OptionalLong rowsPerEpoch() {
    boolean isOpen =
        isFiltered()
            || options.batching().composition().isPresent()
            || !options.transformation().keepsRows()
            || options.order().splitPerWorker();
    if (isOpen) {
      return OptionalLong.empty();
    }
    long planned = plan(epochs.place.next().epoch()).rows();
    long batches = batchesPerEpoch();
    int size = options.batching().size();
    return OptionalLong.of(batches > planned / size ? planned : batches * size);
  }

  /// Returns whether a filter may leave out rows, of the dataset or of a source of a mixture.
  ///
  /// @return true if so
  public boolean isFiltered() {
    return dataset.filter().isPresent()
        || dataset.mixture().stream()
            .flatMap(mixture -> mixture.sources().stream())
            .anyMatch(source -> source.dataset().filter().isPresent());
  }

  /// Returns the vocabulary of a column that is delivered as codes. Finds it, if it was not given,
  /// by one pass over the column and the rows that the filter keeps; then it is kept.
  ///
  /// @param column the column
  /// @return the strings, by code
  /// @throws IllegalArgumentException if the column is not delivered as codes, or has too many
  ///   different strings
  /// @throws java.io.UncheckedIOException if the files cannot be read
  /// @throws IllegalStateException if it has to be found and the loader is closed
  public Vocabulary vocabulary(String column) {
    if (!(options.columns().strings().forColumn(column) instanceof StringEncoding.Codes codes)) {
      throw Advice.argumentError(
          "Cannot give the vocabulary of column '%s': it is not delivered as codes. Use %s.",
          column,
          Remedy.of(
              "strings", "COLUMN=codes", "LoaderOptions.strings(column, StringEncoding.codes())"));
    }
    return codes.vocabulary().orElseGet(() -> found(column));
  }

  private Vocabulary found(String column) {
    StringEncoding encoding = epochs.complete().strings().forColumn(column);
    return ((StringEncoding.Codes) encoding).vocabulary().orElseThrow();
  }

  /// Returns what is read.
  ///
  /// @return the dataset
  public StructuredDataset dataset() {
    return dataset;
  }

  /// Returns the columns of the rows that are batched: those of the dataset, or what a transform
  /// and a composition make of them. Lists and reads the files the first time.
  ///
  /// @return the columns, before they become tensors
  /// @throws java.io.UncheckedIOException if the files cannot be listed or their footers not be
  ///   read
  /// @throws IllegalArgumentException if the transform or the composition does not fit the columns
  /// @throws IllegalStateException if the loader is closed
  public Schema schema() {
    return epochs.columns().schema();
  }

  /// Returns what the first epoch warned of when it began, to show it in another way than the log
  /// does, which has it under the name `dev.penstock.DataLoader.warnings`: what
  /// [StructuredDataset#warnings()] says, and columns that have nulls according to the files'
  /// statistics, without a place for them, see [dev.penstock.batch.NullPolicy].
  ///
  /// @return the sentences; empty before the first epoch
  public List<Advice> warnings() {
    return epochs.warnings();
  }

  /// Returns how it is delivered.
  ///
  /// @return the options
  public LoaderOptions options() {
    return options;
  }

  /// Returns what the current epoch has done so far; when none is running, what the last one did.
  ///
  /// @return a snapshot, from any thread; before the first epoch all but memory and bad files is
  ///   zero
  @Override
  public LoaderStats stats() {
    return epochs.stats();
  }

  @Override
  public LoaderTotals totals() {
    return history.totals();
  }

  @Override
  public List<EpochRecord> history() {
    return history.epochs();
  }

  /// Ends all threads and frees all memory; batches still open keep theirs until they are closed.
  /// May be called from any thread, and by code of the user that a worker runs, which is not waited
  /// for then. Calling it again does nothing.
  @Override
  public void close() {
    epochs.close(); // ends what another thread waits for in iterator()
    resources.close();
    epochs.recording.close();
  }

  /// Shows what is read and how, as far as it is known: nothing is opened for it.
  @Override
  public String toString() {
    return "DataLoader of "
        + dataset
        + " with "
        + options.text()
        + (epochs.pool.isClosed() ? ", closed" : "");
  }
}
