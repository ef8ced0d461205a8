package dev.penstock;

import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.data.IterableDataset;
import dev.penstock.data.MapDataset;
import dev.penstock.format.MemoryLimitException;
import dev.penstock.internal.clock.ClockedEpoch;
import dev.penstock.internal.clock.EpochRecorder;
import dev.penstock.internal.columns.BatchForms;
import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.columns.ColumnForms;
import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.decode.BlockTransform;
import dev.penstock.internal.decode.EpochResources;
import dev.penstock.internal.decode.EpochInput;
import dev.penstock.internal.decode.Piling;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.deliver.BatchCollation;
import dev.penstock.internal.deliver.BatchConsumer;
import dev.penstock.internal.deliver.Delivery;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.order.Counted;
import dev.penstock.internal.order.EpochPlan;
import dev.penstock.internal.order.EpochPlanner;
import dev.penstock.internal.order.Need;
import dev.penstock.internal.order.OrderInput;
import dev.penstock.internal.passes.Passes;
import dev.penstock.internal.pipeline.Epoch;
import dev.penstock.internal.pipeline.WorkerTuner;
import dev.penstock.internal.plan.BatchTurns;
import dev.penstock.internal.plan.Mix;
import dev.penstock.internal.plan.Mixing;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.state.SavedState;
import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.ValuesPerRow;
import dev.penstock.internal.workers.TimedOut;
import dev.penstock.internal.workers.TransformException;
import dev.penstock.internal.workers.WorkerPool;
import dev.penstock.options.IterableOptions;
import dev.penstock.options.LoaderOptions;
import dev.penstock.options.MapOptions;
import dev.penstock.options.RankShare;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.Plan;
import dev.penstock.split.PrunedRows.Level;
import dev.penstock.split.Rank;
import dev.penstock.split.Ranks;
import dev.penstock.stats.MemoryStats;
import dev.penstock.stats.ReadStats;
import dev.penstock.stats.SkippedRows;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
/// a [MemoryLimitException] where the memory is too little.
public final class DataLoader implements Loader<Batch> {
  private static final Logger LOG = LoggerFactory.getLogger(DataLoader.class);

  /// Of its own name, so that it can be turned off where [#warnings()] is shown.
  private static final Logger NULLS_LOG = LoggerFactory.getLogger(ExpectedNulls.class);

  /// A consumer that holds more batches than this has most likely forgotten to close them.
  private static final int OPEN_BATCHES_WARN = 256;

  /// The highest epoch to start at: all whole numbers up to it are exact in any reader of JSON, and
  /// no run gets from there to one that cannot be counted.
  private static final long EPOCH_MAX = 1L << 53;

  private final long loaderNumber = ClockedEpoch.nextLoader();
  private final StructuredDataset dataset;
  private final LoaderOptions options;
  private final Rank rank;
  private final VocabularyPass vocabularies;
  private final Passes passes;
  private volatile @Nullable EpochPlanner planner; // as soon as it is asked for
  private final MemoryMeter meter;
  private final WorkerPool pool;
  private final WorkerTuner tuner;
  private final LoaderResources resources;
  private final BatchPinning pinning;
  private final AtomicInteger openBatches = new AtomicInteger();
  private final EpochHistory history = new EpochHistory();
  private final AtomicBoolean warned = new AtomicBoolean();

  private final AtomicBoolean nullsLookedFor = new AtomicBoolean();
  private volatile List<String> warnings = List.of();

  private volatile @Nullable Delivered columns; // as soon as they are asked for

  // Guarded by this; nothing is waited for with it, and no code of the user is called.
  private @Nullable BatchLayout layout;
  private @Nullable BatchMemory memory;
  private @Nullable Begun last;
  private @Nullable LoaderState resuming;
  private boolean isRefused; // the state, as it does not fit the files or options
  private long nextEpoch;

  /// What is delivered, and what makes it of what is read.
  private record Delivered(
      @Nullable BlockTransform transform, @Nullable Composing composing, Schema schema) {}

  /// An epoch that was started.
  private record Begun(EpochPlan plan, Epoch epoch) {}

  /// Where the next epoch begins.
  private record Next(long epoch, @Nullable LoaderState state) {
    @Nullable SavedState saved() {
      return state == null ? null : state.saved();
    }
  }

  private DataLoader(StructuredDataset dataset, LoaderOptions options) {
    this.dataset = Objects.requireNonNull(dataset, "dataset must not be null.");
    this.options = Objects.requireNonNull(options, "options must not be null.");
    this.rank = rank(options.rankShare());
    this.meter = new MemoryMeter(options.memoryUse().limitFor(options.reading().workers()).bytes());
    this.pool = new WorkerPool(options.reading().workers(), meter);
    this.tuner =
        options.reading().autoWorkers() && !options.order().splitPerWorker()
            ? WorkerTuner.upTo(options.reading().workers())
            : WorkerTuner.fixed(options.reading().workers());
    int sources = dataset.mixture().map(mixture -> mixture.sources().size()).orElse(1);
    this.passes = new Passes(options.reading().workers(), meter, sources);
    this.vocabularies = new VocabularyPass(dataset, options, this::columns);
    requireOutput();
    this.pinning = BatchPinning.of(options.memoryUse());
    this.resources = new LoaderResources(this, pool);
  }

  private static Rank rank(RankShare share) {
    if (share.rank().isEmpty()) {
      return Ranks.fromEnvironment();
    }
    Rank given = share.rank().get();
    return given.count() == 1 ? given : Ranks.given(given, System.getenv());
  }

  private void requireOutput() {
    OutputFormat output = options.columns().output();
    if (options.memoryUse().allocator().isEmpty()) {
      BatchForms.require(output);
    } else if (output == OutputFormat.ARRAY || output == OutputFormat.MAP) {
      throw new IllegalArgumentException(
          "Cannot put batches of OutputFormat."
              + output
              + " into an allocator's memory: they are Java objects. Use TENSOR or ARROW.");
    }
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

  /// Makes a loader. Nothing is opened yet.
  ///
  /// @param dataset what to read
  /// @param change sets options, such as `o -> o.batchSize(512).shuffle(true)`
  /// @return the loader, to be closed
  /// @throws IllegalArgumentException as the other method
  public static DataLoader of(StructuredDataset dataset, UnaryOperator<LoaderOptions> change) {
    return of(dataset, change.apply(LoaderOptions.defaults()));
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
    return of(dataset, change.apply(MapOptions.defaults()));
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
    return of(dataset, change.apply(IterableOptions.defaults()));
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
  /// @throws IllegalStateException if the loader is closed
  @Override
  public EpochIterator<Batch> iterator() {
    return new Batches(begin(BatchCollation.NONE));
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
    BatchPinning pins = pinning; // workers must not know the loader, see LoaderResources
    return begin(BatchCollation.of(batch -> pins.pinned(function.apply(batch))));
  }

  /// Starts the next epoch. Without the monitor first, because files may be read.
  private <T> EpochIterator<T> begin(BatchCollation collation) {
    pool.requireReady();
    ColumnForms forms = columnForms();
    pool.end("a later epoch was started");
    Next next = next();
    Counted counted = count(planner().counts(next.saved()));
    fillCaches(forms);
    return start(collation, forms, next, counted);
  }

  /// Checks that the caller is not code of the user that this loader runs.
  ///
  /// @throws IllegalStateException if it is, or this is closed
  void requireOutside() {
    pool.requireReady();
  }

  private synchronized Next next() {
    return new Next(nextEpoch, resuming);
  }

  /// Returns what plans all epochs. It may list and read the files.
  private EpochPlanner planner() {
    EpochPlanner known = planner;
    if (known == null) {
      List<Source> sources = new ArrayList<>();
      for (StructuredDataset each : dataset.sources()) {
        sources.add(each.source(sources.size()));
      }
      Optional<Mix> mix = dataset.mixture().map(Mixture::mix);
      known = new EpochPlanner(new OrderInput(dataset, options, rank, sources, mix));
      planner = known;
    }
    return known;
  }

  /// Counts what has to be known before rows are. It may read the files.
  private Counted count(List<Need> needs) {
    try {
      return passes.count(needs, () -> steps(columnsAndTransform(), 0));
    } catch (TransformException e) {
      throw new WorkerException(String.valueOf(e.getMessage()), e);
    }
  }

  /// Returns the form of the columns. It may read the files.
  private ColumnForms columnForms() {
    boolean asStored =
        options.columns().output() == OutputFormat.MAP
            || options.columns().output() == OutputFormat.ARROW;
    if (asStored) { // no vocabulary is needed
      ColumnForms.of(options.columns()).requireFits(columns(), options.columns().features());
      return ColumnForms.of(options.columns());
    }
    return vocabularies.forms();
  }

  private Schema columns() {
    return columnsAndTransform().schema();
  }

  /// Returns the columns of the batches: those of the files, or those that a transform makes. It
  /// may list and read the files.
  private Delivered columnsAndTransform() {
    pool.requireReady();
    Delivered known = columns;
    if (known == null) {
      Schema schema = dataset.readableSchema();
      pool.requireReady(); // it may have been closed meanwhile
      BlockTransform transform =
          options
              .transformation()
              .function()
              .map(each -> BlockTransform.of(each, options.transformation().rows(), schema))
              .orElse(null);
      Schema rows = transform == null ? schema : transform.output();
      Composing composing =
          options
              .batching()
              .composition()
              .map(each -> Composing.of(each, options.batching().size(), rows))
              .orElse(null);
      known = new Delivered(transform, composing, composing == null ? rows : composing.output());
      columns = known;
    }
    return known;
  }

  private <T> EpochIterator<T> start(
      BatchCollation collation, ColumnForms forms, Next next, Counted counted) {
    Table table = dataset.table();
    EpochPlan plan;
    try {
      plan = planner().plan(next.epoch(), counted, next.saved());
    } catch (IllegalArgumentException e) {
      synchronized (this) {
        isRefused = true;
      }
      throw e;
    }
    Delivered with = columnsAndTransform();
    BatchLayout form;
    BatchMemory batches;
    synchronized (this) {
      int batchSize = batchSize(plan, with);
      if (layout == null || memory == null || layout.batchSize() != batchSize) {
        layout = layout(table, with, forms, batchSize);
        memory =
            new BatchMemory(meter, layout.slabBytes(), layout.columnsInParts(), pinning.memory())
                .poison(options.memoryUse().poison());
        resources.memory(memory);
      }
      form = layout;
      batches = memory;
    }
    BatchConsumer consumer =
        new BatchConsumer(options.reading().timeout(), collation, openBatches::decrementAndGet);
    Delivery delivery =
        new Delivery(
            form,
            batches,
            plan.end(),
            options.reading().prefetchFactor(),
            options.order().inOrder(),
            consumer);
    RowSteps steps = steps(with, next.epoch());
    for (Need need : planner().stores()) {
      if (need instanceof Need.Piles && !plan.runs().isEmpty()) {
        steps = steps.piling(passes.pile(plan.runs(), form.columns(), steps));
      }
    }
    Epoch epoch = epoch(plan, steps, delivery, form.batchSize());
    pool.start(epoch);
    warnOfNulls(form, with);
    Begun begun = new Begun(plan, epoch);
    history.begin(() -> stats(begun), epoch::timeline);
    synchronized (this) {
      last = begun;
      resuming = null;
      nextEpoch = next.epoch() + 1;
    }
    return new Pass<>(epoch);
  }

  /// Warns once of nulls that would end the epoch; its workers are at work meanwhile. What a
  /// transform makes of nulls is its own affair.
  private void warnOfNulls(BatchLayout form, Delivered with) {
    if (!nullsLookedFor.compareAndSet(false, true) || with.transform() != null) {
      return;
    }
    Schema read = dataset.table().everyColumn();
    List<Field> columns =
        form.refusingNulls().stream()
            .filter(column -> read.find(column.name()).equals(Optional.of(column)))
            .filter(column ->
                options.columns().nulls().forColumn(column.name()) instanceof NullPolicy.NaN)
            .toList();
    warnings = ExpectedNulls.warning(columns, planner().sources()).stream().toList();
    warnings.forEach(NULLS_LOG::warn);
  }

  private Epoch epoch(EpochPlan plan, RowSteps steps, Delivery delivery, int batchSize) {
    try {
      BatchTurns turns = planner().turns(plan, batchSize);
      return new Epoch(
          plan.epoch(),
          new EpochInput(plan.runs(), turns, steps),
          new EpochResources(
              pool, options.reading().workers(), tuner.decoding(), meter, clocked(plan.epoch())),
          delivery,
          tuner);
    } catch (Throwable e) {
      Piling piling = steps.piling();
      if (piling != null) {
        piling.piles().close();
      }
      throw e;
    }
  }

  private ClockedEpoch clocked(long epoch) {
    return new ClockedEpoch(
        loaderNumber,
        options::text, // a lambda would hold the loader, which its workers must not know
        epoch,
        options.isRecorded() ? EpochRecorder.now() : null);
  }

  private RowSteps steps(Delivered with, long epoch) {
    return new RowSteps(
        planner().sources().stream()
            .map(source ->
                new RowSteps.Source(
                    source.table().everyColumn(), passes.findings().get(source.number())))
            .toList(),
        with.transform(),
        with.composing(),
        epoch,
        options.order().seed(),
        rank,
        null,
        null);
  }

  private void fillCaches(ColumnForms forms) {
    for (Need need : planner().stores()) {
      if (need instanceof Need.Cache cache) {
        Delivered with = columnsAndTransform();
        BatchLayout form = layout(dataset.table(), with, forms, options.batching().size());
        passes.fill(cache, with.schema(), form.columns(), steps(with, 0));
      }
    }
  }

  /// Returns what the rank reads in an epoch.
  Plan plan(long epoch) {
    return planner().share(epoch, count(planner().countsOfShare()));
  }

  /// Returns where the next batch starts, to go on from there in another run. To be called by the
  /// thread that receives the batches: what it has received counts, what was read ahead does not.
  ///
  /// Behind the last batch of an epoch it means the next one. Where only reading on tells that it
  /// was the last, behind a filter whose matches were not counted or a transform, it does so when
  /// [EpochIterator#hasNext()] has said it; before, it is a place of which nothing is left.
  ///
  /// @return the state
  /// @throws IllegalStateException within an epoch whose batches do not come in order
  /// @throws java.io.UncheckedIOException if the files cannot be listed or their footers not be
  ///   read, before the first epoch
  @Override
  public LoaderState state() {
    Begun begun;
    Next next;
    synchronized (this) {
      begun = last;
      next = next();
    }
    if (next.state() != null) {
      return next.state();
    }
    if (begun != null && begun.plan().epoch() == next.epoch() - 1 && !begun.epoch().isOver()) {
      Epoch epoch = begun.epoch();
      requireInOrder(epoch);
      return new LoaderState(
          begun.plan().state(epoch.position(), epoch.rowsDelivered(), epoch.batchesDelivered()));
    }
    // The end of an epoch is the beginning of the next one.
    return new LoaderState(planner().beginning(next.epoch()));
  }

  @Override
  public boolean hasState() {
    return options.order().inOrder() && !options.order().splitPerWorker();
  }

  private void requireInOrder(Epoch epoch) {
    boolean isApart = options.order().splitPerWorker();
    if ((isApart || !options.order().inOrder()) && epoch.batchesDelivered() > 0) {
      String option = isApart ? "splitPerWorker(true)" : "inOrder(false)";
      throw new IllegalStateException(
          "Cannot say where epoch "
              + epoch.number()
              + " goes on: with "
              + option
              + (isApart
                  ? " each worker has a place of its own."
                  : " the batches received need not be the first ones.")
              + " Ask at the end of an epoch, or leave out "
              + option
              + ".");
    }
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
    pool.requireReady();
    pool.end("the loader resumes elsewhere");
    synchronized (this) {
      resuming = state;
      isRefused = false;
      nextEpoch = state.epoch();
    }
  }

  /// Returns the rows of a batch. None is larger than what there is to deliver, whatever was asked
  /// for; but a transform or a composition may add rows.
  private int batchSize(EpochPlan plan, Delivered with) {
    long rows = plan.runs().stream().mapToLong(Run::rowCount).sum();
    return with.transform() == null && with.composing() == null
        ? Math.clamp(rows, 1, options.batching().size())
        : options.batching().size();
  }

  private BatchLayout layout(Table table, Delivered with, ColumnForms forms, int batchSize) {
    Schema columns = with.schema();
    Schema read = table.everyColumn();
    int length = with.composing() == null ? 0 : with.composing().length();
    return BatchLayout.of(
        columns,
        batchSize,
        options.columns().output(),
        options.memoryUse().allocator().isPresent(),
        forms,
        options.columns().features(),
        column ->
            length > 0
                ? new ValuesPerRow(length, length)
                : columns.find(column).equals(read.find(column))
                    ? table.valuesPerRow(column)
                    : ValuesPerRow.UNKNOWN);
  }

  /// Sets the number of the next epoch. Epochs advance by themselves; this is for starting
  /// elsewhere. A state that was given to [#resume] and not gone on from stays if it is of that
  /// epoch, unless it was refused.
  ///
  /// @param epoch the number that the next call of [#iterator()] starts, in `[0, 2^53]`
  /// @throws IllegalArgumentException if `epoch` is not in there
  @Override
  public synchronized void setEpoch(long epoch) {
    requireEpoch(epoch);
    LoaderState place = resuming;
    if (place == null || isRefused || place.epoch() != epoch) {
      nextEpoch = epoch;
      resuming = null;
    }
  }

  static void requireEpoch(long epoch) {
    if (epoch < 0 || epoch > EPOCH_MAX) {
      throw new IllegalArgumentException(
          "epoch must be in [0, " + EPOCH_MAX + "], got " + epoch + ".");
    }
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
    if (options.batching().stepsPerEpoch().isPresent()) { // for which no file need be there
      return options.batching().stepsPerEpoch().getAsLong();
    }
    return planner().batches(next().epoch(), count(planner().countsOfBatches()));
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
      throw new IllegalArgumentException(
          "Cannot give the vocabulary of column '"
              + column
              + "': it is not delivered as codes. Use LoaderOptions.strings(column,"
              + " StringEncoding.codes()).");
    }
    return codes.vocabulary().orElseGet(() -> found(column));
  }

  private Vocabulary found(String column) {
    StringEncoding encoding = vocabularies.forms().strings().forColumn(column);
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
    return columns();
  }

  /// Returns what the first epoch warned of when it began, for who shows warnings in another way
  /// than the log does: columns that have nulls according to the files' statistics, without a place
  /// for them, see [dev.penstock.batch.NullPolicy].
  ///
  /// @return the sentences; empty before the first epoch
  public List<String> warnings() {
    return warnings;
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
    Begun begun;
    Next next;
    synchronized (this) {
      begun = last;
      next = next();
    }
    return begun == null
        ? LoaderStats.none(next.epoch(), dataset.knownBadFiles(), memoryStats())
        : stats(begun);
  }

  private MemoryStats memoryStats() {
    return new MemoryStats(meter.used(), meter.peak(), meter.limit());
  }

  private LoaderStats stats(Begun begun) {
    Epoch epoch = begun.epoch();
    return new LoaderStats(
        epoch.number(),
        epoch.rowsDelivered(),
        epoch.batchesDelivered(),
        Mixing.sources(begun.plan().runs(), epoch.rowsDelivered()),
        epoch.padding(),
        dataset.knownBadFiles(),
        read(epoch),
        memoryStats(),
        epoch.times(),
        epoch.queue());
  }

  @Override
  public LoaderTotals totals() {
    return history.totals();
  }

  private ReadStats read(Epoch epoch) {
    return new ReadStats(epoch.storesRead(), epoch.bytesCached(), skipped(epoch));
  }

  @Override
  public List<EpochRecord> history() {
    return history.epochs();
  }

  @Override
  public void report(Path file) throws IOException {
    Reports.write(this, file);
  }

  private SkippedRows skipped(Epoch epoch) {
    return new SkippedRows(
        planner().prunedFiles(),
        planner().prunedRows(),
        epoch.rowsSkipped(Level.BLOOM_FILTER),
        epoch.rowsSkipped(Level.PAGE_INDEX),
        epoch.rowsTestedInVain());
  }

  /// Ends all threads and frees all memory; batches still open keep theirs until they are closed.
  /// May be called from any thread, and by code of the user that a worker runs, which is not waited
  /// for then. Calling it again does nothing.
  @Override
  public void close() {
    vocabularies.close(); // ends what another thread waits for in iterator()
    passes.close();
    resources.close();
  }

  /// Shows what is read and how, as far as it is known: nothing is opened for it.
  @Override
  public String toString() {
    return "DataLoader of "
        + dataset
        + " with "
        + options.text()
        + (pool.isClosed() ? ", closed" : "");
  }

  private void countOpenBatch() {
    boolean isOthers = options.memoryUse().allocator().isPresent(); // who closes as it needs
    if (openBatches.incrementAndGet() > OPEN_BATCHES_WARN
        && !isOthers
        && warned.compareAndSet(false, true)) {
      LOG.warn(
          "{} batches are open at once: close each batch when you are done with it"
              + " (try-with-resources), so that its memory is used again.",
          OPEN_BATCHES_WARN);
    }
  }

  /// The consumer's side of an epoch.
  private final class Pass<T> implements EpochIterator<T> {
    private final Epoch epoch;
    private volatile boolean left;

    private Pass(Epoch epoch) {
      this.epoch = epoch;
    }

    @Override
    public long epoch() {
      return epoch.number();
    }

    @Override
    public boolean hasNext() {
      try {
        return !left && !epoch.isAtEnd();
      } catch (TimedOut e) {
        throw WorkerErrors.timedOut(epoch.number(), e);
      } catch (InterruptedIOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      } finally {
        Reference.reachabilityFence(this);
      }
    }

    @Override
    public boolean isReady() {
      return !left && epoch.isReady();
    }

    @Override
    @SuppressWarnings("unchecked") // the function that made the value gives T
    public T next() {
      Object delivered;
      try {
        delivered = epoch.next();
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      } catch (MemoryLimitException e) {
        throw new MemoryLimitException(e);
      } catch (TimedOut e) {
        throw WorkerErrors.timedOut(epoch.number(), e);
      } catch (Throwable e) {
        throw new IllegalStateException(e.getMessage(), e);
      } finally {
        Reference.reachabilityFence(this);
      }
      if (delivered == null) {
        String stopped = epoch.stopped();
        if (stopped != null) {
          throw new IllegalStateException(stopped);
        }
        throw new NoSuchElementException("Epoch " + epoch.number() + " has no more batches.");
      }
      countOpenBatch();
      return (T) delivered;
    }

    @Override
    public void close() {
      left = true;
      pool.end(epoch, "its iterator is closed");
    }

    @Override
    public String toString() {
      return "EpochIterator of epoch " + epoch.number();
    }
  }

  /// An epoch of plain batches.
  private record Batches(EpochIterator<Batch> pass) implements EpochIterator<Batch> {
    @Override
    public long epoch() {
      return pass.epoch();
    }

    @Override
    public boolean hasNext() {
      return pass.hasNext();
    }

    @Override
    public boolean isReady() {
      return pass.isReady();
    }

    @Override
    public Batch next() {
      return pass.next();
    }

    @Override
    public void close() {
      pass.close();
    }

    @Override
    public String toString() {
      return pass.toString();
    }
  }
}
