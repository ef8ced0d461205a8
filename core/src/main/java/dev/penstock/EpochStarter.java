package dev.penstock;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.advice.Advice;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.clock.ClockedEpoch;
import dev.penstock.internal.clock.EpochRecorder;
import dev.penstock.internal.columns.BatchForms;
import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.columns.ColumnForms;
import dev.penstock.internal.compose.StepCosts;
import dev.penstock.internal.decode.BlockTransform;
import dev.penstock.internal.decode.EpochInput;
import dev.penstock.internal.decode.EpochResources;
import dev.penstock.internal.decode.Piling;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.decode.SkipCounter;
import dev.penstock.internal.deliver.BatchConsumer;
import dev.penstock.internal.deliver.Delivery;
import dev.penstock.internal.deliver.StepTrace;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.order.Counted;
import dev.penstock.internal.order.EpochPlan;
import dev.penstock.internal.order.EpochPlanner;
import dev.penstock.internal.order.EpochPlanner.RowSearch;
import dev.penstock.internal.order.Need;
import dev.penstock.internal.order.OrderInput;
import dev.penstock.internal.passes.Passes;
import dev.penstock.internal.pipeline.BatchColumns;
import dev.penstock.internal.pipeline.BatchPinning;
import dev.penstock.internal.pipeline.Epoch;
import dev.penstock.internal.pipeline.LoaderResources;
import dev.penstock.internal.pipeline.NextEpoch;
import dev.penstock.internal.pipeline.WorkerTuner;
import dev.penstock.internal.plan.ExpectedNulls;
import dev.penstock.internal.plan.LeftOut;
import dev.penstock.internal.plan.Mixing;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.SkippedSteps;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.state.Exclusion;
import dev.penstock.internal.state.SavedState;
import dev.penstock.internal.steps.StepNotes;
import dev.penstock.internal.workers.WorkerPool;
import dev.penstock.options.LoaderOptions;
import dev.penstock.options.Order;
import dev.penstock.options.RankShare;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.Plan;
import dev.penstock.split.PrunedRows.Level;
import dev.penstock.split.Rank;
import dev.penstock.split.Ranks;
import dev.penstock.split.Shuffle;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.MemoryStats;
import dev.penstock.stats.PassStats;
import dev.penstock.stats.RankCosts;
import dev.penstock.stats.ReadStats;
import dev.penstock.stats.SkippedRows;
import dev.penstock.steps.ExcludedRows;
import dev.penstock.steps.StepDigest;
import dev.penstock.steps.Steps;
import dev.penstock.steps.StepsReceived;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts the epochs of a [DataLoader]: plans each, reads what must be known before, and keeps what
/// they have in common. Workers hold it, so it does not know the loader: see [LoaderResources].
///
/// It is one file because all of it acts on the next place, the last epoch and what both read.
///
/// **Threads.** Safe for any; epochs are started by one at a time.
final class EpochStarter implements RowsOfSteps.Counting {
  /// Of its own name, so that it can be turned off where [#warnings()] is shown.
  private static final Logger WARNINGS_LOG =
      LoggerFactory.getLogger("dev.penstock.DataLoader.warnings");

  private static final Logger WORKERS_LOG = LoggerFactory.getLogger(WorkerTuner.class);

  private final long loaderNumber = ClockedEpoch.nextLoader();
  private final StructuredDataset given;
  private final StructuredDataset dataset; // the same, maybe without row groups
  private final LoaderOptions options;
  private final Rank rank;
  private final MemoryMeter meter;
  final WorkerPool pool;
  private final WorkerTuner tuner;
  private final Passes passes;
  final BatchPinning pinning;
  final NextEpoch place = new NextEpoch();
  private final AtomicBoolean isWarned = new AtomicBoolean();

  private volatile @Nullable EpochPlanner planner; // as soon as it is asked for
  private volatile @Nullable EpochPlanner cutPlanner; // the last, without excluded rows
  private volatile @Nullable BatchColumns columns; // as soon as they are asked for
  private volatile @Nullable Begun last;
  private @Nullable SkippedRows skippedBefore; // of all epochs, before their rows are read
  private volatile List<Advice> warnings = List.of();
  final StepRecording recording;

  @GuardedBy("this") // nothing is waited for with it, and no code of the user is called
  private @Nullable BatchLayout layout;

  @GuardedBy("this")
  private @Nullable BatchMemory memory;

  /// An epoch that was started.
  ///
  /// @param skipped what filters leave out, as far as it was known before
  /// @param notes the digests of its steps; null if nobody wants them
  record Begun(
      EpochPlan plan,
      Epoch epoch,
      List<PassStats> passes,
      SkippedRows skipped,
      @Nullable StepNotes notes) {
    Optional<StepsReceived> steps() {
      return Optional.ofNullable(notes).map(StepNotes::received);
    }
  }

  EpochStarter(StructuredDataset dataset, LoaderOptions options) {
    this.given = dataset;
    this.dataset = planned(dataset, options);
    this.options = options;
    this.recording = new StepRecording(options, loaderNumber);
    this.rank = rank(options.rankShare());
    int workers = options.reading().workers();
    this.meter = new MemoryMeter(options.memoryUse().limitFor(workers).bytes());
    this.pool = new WorkerPool(workers, meter);
    this.tuner =
        options.reading().autoWorkers() && !options.order().splitPerWorker()
            ? WorkerTuner.upTo(workers)
            : WorkerTuner.fixed(workers);
    this.passes =
        new Passes(workers, meter, dataset.mixture().map(each -> each.sources().size()).orElse(1));
    requireOutput();
    if (options.reading().autoWorkers()) {
      WORKERS_LOG.info(
          "{} workers, chosen automatically: one for each processor that this process may use.{}",
          workers,
          tuner.isFixed() ? "" : " Fewer of them decode while the consumer hardly waits.");
    }
    this.pinning = BatchPinning.of(options.memoryUse());
  }

  /// Returns the dataset, without row groups where the order does not follow from them.
  static StructuredDataset planned(StructuredDataset dataset, LoaderOptions options) {
    Order order = options.order();
    boolean isOfSplits = order.shuffle() instanceof Shuffle.Splits;
    boolean isOfFiles =
        (isOfSplits || order.shuffle() instanceof Shuffle.None)
            && !order.splitPerWorker()
            && options.transformation().keepsRows()
            && options.batching().composition().isEmpty();
    return isOfFiles ? dataset.byRows(isOfSplits) : dataset;
  }

  static Rank rank(RankShare share) {
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

  List<Advice> warnings() {
    return warnings;
  }

  /// Starts the next epoch. It may list and read the files.
  ///
  /// @param resources keeps the memory of batches
  Begun start(BatchConsumer consumer, LoaderResources resources, @Nullable StepTrace trace) {
    pool.requireReady();
    ColumnForms forms = forms();
    pool.end("a later epoch was started");
    NextEpoch.Next next = begun(place.next());
    EpochPlanner planner = planner(next);
    Counted counted = count(planner.counts(next.state()));
    BatchColumns made = columns();
    fillCaches(made, forms);
    EpochPlan plan = plan(planner, next, counted);
    requireSkippable(plan);
    StepNotes notes = recording.begin(plan, rank, () -> planner().sources());
    StepTrace told = notes == null || trace == null ? notes : notes.and(trace);
    Delivery delivery =
        delivery(made, forms, plan, consumer, resources, told == null ? trace : told);
    RowSteps steps = steps(next.epoch());
    for (Need need : planner().stores()) {
      if (need instanceof Need.Piles && !plan.runs().isEmpty()) {
        steps = steps.fromPiles(passes.pile(plan.runs(), delivery.layout().columns(), steps));
      }
    }
    Epoch epoch = epoch(plan, steps, delivery);
    epoch.skip(plan.from().batches(), plan.from().skips());
    pool.start(epoch);
    warn(delivery.layout(), made);
    Begun begun = new Begun(plan, epoch, passes.take(), skippedBefore(counted), notes);
    last = begun;
    place.begun(next.epoch());
    return begun;
  }

  /// Returns the digest of the last step that was received of the last epoch.
  Optional<StepDigest> lastStep() {
    return Optional.ofNullable(last).map(Begun::notes).flatMap(StepNotes::last);
  }

  private SkippedRows skippedBefore(Counted counted) {
    SkippedRows known = skippedBefore;
    if (known == null) {
      LeftOut out = planner().leftOut();
      long counts = planner().leftOutByCount(counted);
      known = new SkippedRows(out.unopened().size(), out.byStatistics(), 0, 0, counts);
      skippedBefore = known;
    }
    return known;
  }

  /// Begins an epoch with the rows that were excluded before, which a state has.
  private NextEpoch.Next begun(NextEpoch.Next next) {
    return next.state() != null || next.excluded().isEmpty()
        ? next
        : new NextEpoch.Next(
            next.epoch(), planner().beginning(next.epoch(), next.excluded()), next.excluded());
  }

  private void requireSkippable(EpochPlan plan) {
    if (SkippedSteps.isAhead(plan.from().skips(), plan.from().batches()) && !hasState()) {
      throw new IllegalStateException(
          Sentence.of(
              "Cannot skip the steps %s, as the state says: batches have no order here. Leave out"
                  + " inOrder(false) and splitPerWorker(true).",
              plan.from().skips()));
    }
  }

  boolean hasState() {
    return options.order().inOrder() && !options.order().splitPerWorker();
  }

  private EpochPlan plan(EpochPlanner planner, NextEpoch.Next next, Counted counted) {
    try {
      return planner.plan(next.epoch(), counted, next.state());
    } catch (IllegalArgumentException e) {
      place.refuse();
      throw e;
    }
  }

  private synchronized Delivery delivery(
      BatchColumns made,
      ColumnForms forms,
      EpochPlan plan,
      BatchConsumer consumer,
      LoaderResources resources,
      @Nullable StepTrace trace) {
    int batchSize = made.batchSize(plan.runs());
    if (layout == null || memory == null || layout.batchSize() != batchSize) {
      layout = made.layout(dataset.table(), forms, batchSize);
      memory =
          new BatchMemory(meter, layout.slabBytes(), layout.columnsInParts(), pinning.memory())
              .poison(options.memoryUse().poison());
      resources.memory(memory);
    }
    return new Delivery(
        layout,
        memory,
        plan.end(),
        options.reading().prefetchFactor(),
        options.order().inOrder(),
        consumer,
        trace);
  }

  private Epoch epoch(EpochPlan plan, RowSteps steps, Delivery delivery) {
    try {
      return new Epoch(
          plan.epoch(),
          new EpochInput(plan.runs(), planner().turns(plan, delivery.layout().batchSize()), steps),
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
        loaderNumber, options::text, epoch, options.isRecorded() ? EpochRecorder.now() : null);
  }

  /// Warns once; the workers are at work meanwhile.
  private void warn(BatchLayout form, BatchColumns made) {
    if (isWarned.compareAndSet(false, true)) {
      List<Advice> all = new ArrayList<>(dataset.warnings());
      expectedNulls(form, made).ifPresent(all::add);
      all.forEach(warning -> WARNINGS_LOG.warn(warning.toString()));
      warnings = List.copyOf(all);
    }
  }

  /// Returns that nulls would end the epoch. What a transform makes of nulls is its own affair.
  private Optional<Advice> expectedNulls(BatchLayout form, BatchColumns made) {
    if (made.transform() != null) {
      return Optional.empty();
    }
    Schema read = dataset.table().everyColumn();
    List<Field> refusing =
        form.refusingNulls().stream()
            .filter(column -> read.find(column.name()).equals(Optional.of(column)))
            .filter(column ->
                options.columns().nulls().forColumn(column.name()) instanceof NullPolicy.NaN)
            .toList();
    return ExpectedNulls.warning(refusing, planner().sources());
  }

  /// Returns what plans all epochs. It may list and read the files.
  @Override
  public EpochPlanner planner() {
    EpochPlanner known = planner;
    if (known == null) {
      known = planner(dataset);
      planner = known;
    }
    return known;
  }

  private EpochPlanner planner(StructuredDataset planned) {
    return planner(planned, options, rank, rows -> passes.find(rows, this::everyRow));
  }

  static EpochPlanner planner(
      StructuredDataset planned, LoaderOptions options, Rank rank, RowSearch search) {
    return new EpochPlanner(
        new OrderInput(
            planned, options, rank, sources(planned), planned.mixture().map(Mixture::mix)),
        search);
  }

  static List<Source> sources(StructuredDataset planned) {
    List<Source> sources = new ArrayList<>();
    for (StructuredDataset each : planned.sources()) {
      sources.add(each.source(sources.size()));
    }
    return sources;
  }

  /// Returns what plans an epoch, without the rows that were excluded before it.
  private EpochPlanner planner(NextEpoch.Next next) {
    EpochPlanner whole = planner();
    if (next.excluded().isEmpty()) {
      return whole;
    }
    NextEpoch.Next begun = begun(next);
    EpochPlanner known = cutPlanner;
    cutPlanner = (known == null ? whole : known).without(begun.epoch(), excluded(begun));
    return cutPlanner;
  }

  private static List<Exclusion> excluded(NextEpoch.Next begun) {
    return begun.state() == null ? List.of() : begun.state().excluded();
  }

  /// Returns the sources with the footers of all files.
  private List<Source> everyRow() {
    return given == dataset ? planner().sources() : sources(given);
  }

  /// Returns the columns of the batches. It may list and read the files.
  BatchColumns columns() {
    pool.requireReady();
    BatchColumns known = columns;
    if (known == null) {
      Schema read = dataset.readableSchema();
      pool.requireReady(); // it may have been closed meanwhile
      known = BatchColumns.of(options, read, dataset.table());
      columns = known;
    }
    return known;
  }

  /// Returns the forms of the columns; with vocabularies only if batches need them.
  private ColumnForms forms() {
    boolean isAsStored =
        options.columns().output() == OutputFormat.MAP
            || options.columns().output() == OutputFormat.ARROW;
    return isAsStored ? asked() : complete();
  }

  private ColumnForms asked() {
    ColumnForms forms = ColumnForms.of(options.columns());
    forms.requireFits(columns().schema(), options.columns().features());
    return forms;
  }

  /// Returns the forms of the columns with all vocabularies. It may read the files.
  ColumnForms complete() {
    return passes.complete(this::asked, () -> planner().sources(), () -> steps(0));
  }

  private RowSteps steps(long epoch) {
    return columns().steps(planner().sources(), passes.findings(), epoch, rank);
  }

  /// Counts what has to be known before rows are. It may read the files.
  @Override
  public Counted count(List<Need> needs) {
    return passes.count(needs, () -> steps(0));
  }

  @Override
  public Optional<Counted> known(List<Need> needs) {
    return passes.known(needs);
  }

  private void fillCaches(BatchColumns made, ColumnForms forms) {
    for (Need need : planner().stores()) {
      if (need instanceof Need.Cache cache && made.transform() != null) {
        Schema read = made.transform().input();
        RowSteps steps = steps(0).noting(BlockTransform.none(read), (_, _) -> {});
        passes.fill(cache, read, List.of(), steps);
      } else if (need instanceof Need.Cache cache) {
        BatchLayout form = made.layout(dataset.table(), forms, options.batching().size());
        passes.fill(cache, made.schema(), form.columns(), steps(0));
      }
    }
  }

  /// Returns what the rank reads in an epoch, with the row groups of all files.
  Plan plan(long epoch) {
    EpochPlanner whole = given == dataset ? planner() : planner(given);
    EpochPlanner left = whole.without(epoch, Exclusion.at(epoch, place.next().excluded()));
    return left.share(epoch, count(left.countsOfShare()));
  }

  /// Returns how many batches the next epoch has, where no number was promised.
  long batches() {
    EpochPlanner planner = planner(place.next());
    return planner.batches(place.next().epoch(), count(planner.countsOfBatches()));
  }

  /// Returns what the steps of all ranks cost in the next epoch, from its start.
  RankCosts rankCosts() {
    long epoch = place.next().epoch();
    EpochPlanner planner = planner().without(epoch, Exclusion.at(epoch, place.next().excluded()));
    Sequence dealt = planner.dealt(epoch, count(planner.countsOfCosts()));
    StepCosts costs = planner.costs(dealt);
    passes.measure(dealt.runs(), steps(epoch), costs);
    return costs.costs();
  }

  /// Returns where the next batch starts.
  SavedState state() {
    NextEpoch.Next next = place.next();
    if (next.state() != null) {
      return next.state();
    }
    Begun begun = running();
    if (begun != null) {
      Epoch epoch = begun.epoch();
      requireInOrder(epoch);
      return begun
          .plan()
          .state(epoch.position(), epoch.rowsPassed(), epoch.batchesPassed(), epoch.skippedSteps());
    }
    // The end of an epoch is the beginning of the next one.
    return planner().beginning(next.epoch(), next.excluded());
  }

  /// Leaves out steps of the epoch of [#state()].
  void skip(Steps steps) {
    requireState("skip steps");
    SavedState state = state();
    List<Steps> all = SkippedSteps.with(state.skips(), steps, state.batches());
    Begun running = running();
    if (running != null) {
      running.epoch().skip(running.plan().from().batches(), all);
    } else {
      place.resume(state.skipping(all));
    }
  }

  /// Leaves out rows from the place of [#state()] on. Returns whether the running epoch has to be
  /// started again for that.
  boolean exclude(ExcludedRows rows) {
    requireState("exclude rows");
    SavedState state = state();
    Begun running = running();
    passes.requireFound(rows, this::everyRow);
    EpochPlanner planner = planner().without(state.epoch(), state.excluded());
    SavedState changed = planner.excluding(rows, state);
    if (running != null) {
      pool.end(running.epoch(), "rows are excluded");
    }
    place.resume(changed);
    return running != null;
  }

  private @Nullable Begun running() {
    Begun begun = last;
    NextEpoch.Next next = place.next();
    return next.state() == null
            && begun != null
            && begun.plan().epoch() == next.epoch() - 1
            && !begun.epoch().isOver()
        ? begun
        : null;
  }

  private void requireState(String what) {
    if (!hasState()) {
      throw new IllegalStateException(
          Sentence.of(
              "Cannot %s: batches have no order here. Leave out inOrder(false) and"
                  + " splitPerWorker(true).",
              what));
    }
  }

  private void requireInOrder(Epoch epoch) {
    boolean isApart = options.order().splitPerWorker();
    if ((isApart || !options.order().inOrder()) && epoch.batchesDelivered() > 0) {
      String option = isApart ? "splitPerWorker(true)" : "inOrder(false)";
      throw new IllegalStateException(
          Sentence.of(
              "Cannot say where epoch %s goes on: with %s%s Ask at the end of an epoch,"
                  + " or leave out %s.",
              epoch.number(),
              option,
              isApart
                  ? " each worker has a place of its own."
                  : " the batches received need not be the first ones.",
              option));
    }
  }

  /// Returns what the last epoch has done so far.
  LoaderStats stats() {
    Begun begun = last;
    return begun == null
        ? LoaderStats.none(
            place.next().epoch(), dataset.knownBadFiles(), passes.stats(), memoryStats())
        : stats(begun);
  }

  LoaderStats stats(Begun begun) {
    Epoch epoch = begun.epoch();
    return new LoaderStats(
        epoch.number(),
        epoch.rowsDelivered(),
        epoch.batchesDelivered(),
        rowsOfSources(begun),
        epoch.skips().padding(),
        dataset.knownBadFiles(),
        begun.passes(),
        new ReadStats(epoch.storesRead(), epoch.bytesCached(), skipped(begun)),
        memoryStats(),
        epoch.times(),
        epoch.queue());
  }

  private List<Long> rowsOfSources(Begun begun) {
    boolean isComposed = options.batching().composition().isPresent();
    Epoch epoch = begun.epoch();
    List<Run> runs = begun.plan().runs();
    List<Long> all =
        Mixing.sources(runs, isComposed ? epoch.position().rows() : epoch.rowsPassed());
    for (Epoch.Stretch skipped : epoch.dropped()) {
      List<Long> before = Mixing.sources(runs, skipped.first());
      List<Long> upTo = Mixing.sources(runs, skipped.end());
      List<Long> rows = all;
      all =
          IntStream.range(0, rows.size())
              .mapToObj(i -> rows.get(i) - upTo.get(i) + before.get(i))
              .toList();
    }
    return all;
  }

  private static SkippedRows skipped(Begun begun) {
    SkipCounter found = begun.epoch().skips();
    return begun
        .skipped()
        .plus(
            new SkippedRows(
                0,
                0,
                found.rows(Level.BLOOM_FILTER),
                found.rows(Level.PAGE_INDEX),
                found.tested()));
  }

  private MemoryStats memoryStats() {
    return new MemoryStats(meter.used(), meter.peak(), meter.limit());
  }

  /// Ends a pass that is on its way. Threads and memory are the [LoaderResources]' affair.
  void close() {
    passes.close();
  }
}
