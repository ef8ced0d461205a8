package dev.penstock;

import dev.penstock.ConsumedEpoch.Consumption;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.columns.ColumnForms;
import dev.penstock.internal.decode.EpochInput;
import dev.penstock.internal.decode.EpochResources;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.deliver.BatchCollation;
import dev.penstock.internal.deliver.BatchConsumer;
import dev.penstock.internal.deliver.Delivery;
import dev.penstock.internal.deliver.StepTrace;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.order.Counted;
import dev.penstock.internal.order.EpochPlan;
import dev.penstock.internal.order.EpochPlanner;
import dev.penstock.internal.order.EpochPlanner.RowSearch;
import dev.penstock.internal.order.OrderInput;
import dev.penstock.internal.passes.Passes;
import dev.penstock.internal.pipeline.BatchColumns;
import dev.penstock.internal.pipeline.Epoch;
import dev.penstock.internal.pipeline.WorkerTuner;
import dev.penstock.internal.plan.SkippedSteps;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.internal.state.SavedState;
import dev.penstock.internal.table.TableFile;
import dev.penstock.internal.table.ValuesPerRow;
import dev.penstock.internal.workers.WorkerPool;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// An epoch that is run again, or before its time, to see which rows its steps have where only
/// reading tells. Batches have no columns: what is read is the column that decides a composition,
/// or what a transform is given.
///
/// Where it is known which places a step has, only the runs of the wanted steps are read. Else a
/// rank's share is read from where the world began, or from where the state is.
///
/// **Threads.** One at a time.
///
/// **Errors.** Those of a [DataLoader].
final class TracedRun implements AutoCloseable {
  /// Is told what the rows of a step were made of, one step after another.
  interface Sink {
    void step(long step, int rank, List<List<RowPart>> rows);
  }

  private final LoaderOptions options;
  private final long epoch;
  private final @Nullable SavedState state;
  private final StructuredDataset dataset;
  private final List<Source> sources = new ArrayList<>();
  private final List<Map<Location, TableFile>> filesOfSources = new ArrayList<>();
  private final NamedRows named;
  private final BatchColumns columns;
  private final List<SavedState> worlds;
  private final MemoryMeter meter;
  private final WorkerPool pool;
  private final Passes passes;
  private final RowSearch search;

  /// Lists the files; reads no rows.
  ///
  /// @param asks the rank that asks: any of the world that the epoch begins or goes on with
  /// @param state where the epoch goes on; null at its start
  /// @param goesOn whether the world of `asks` goes on there; else that of the state
  TracedRun(
      StructuredDataset dataset,
      LoaderOptions options,
      Rank asks,
      long epoch,
      @Nullable SavedState state,
      boolean goesOn) {
    this.options = options;
    this.epoch = epoch;
    this.state = state;
    this.dataset = EpochStarter.planned(dataset, options);
    for (StructuredDataset each : this.dataset.sources()) {
      Source source = each.source(sources.size());
      sources.add(source);
      filesOfSources.add(source.table().byLocation());
    }
    this.named = new NamedRows(dataset, epoch);
    this.columns =
        BatchColumns.of(options, this.dataset.readableSchema(), this.dataset.table()).deciding();
    int workers = options.reading().workers();
    this.meter = new MemoryMeter(options.memoryUse().limitFor(workers).bytes());
    this.pool = new WorkerPool(workers, meter);
    this.passes = new Passes(workers, meter, sources.size());
    this.search = rows -> passes.find(rows, () -> EpochStarter.sources(dataset));
    this.worlds = planner(asks).beginnings(epoch, state, goesOn);
  }

  private EpochPlanner planner(Rank rank) {
    return new EpochPlanner(
            new OrderInput(dataset, options, rank, sources, dataset.mixture().map(Mixture::mix)),
            search)
        .without(epoch, state == null ? List.of() : state.excluded());
  }

  /// Returns chosen rows of steps, by step, then rank, then place. They are held all at once, and
  /// are to be taken before the next.
  ///
  /// @param rank the only rank that is asked for; empty for all
  NamedRows rows(Steps wanted, OptionalInt rank, Predicate<RowPart> chosen) {
    named.clear();
    int world = worlds.stream().mapToInt(each -> each.dealing().world()).max().orElseThrow();
    for (int each = 0; each < world; each++) {
      if (rank.orElse(each) == each) {
        read(wanted, each, (step, of, rows) -> addRows(step, of, rows, chosen));
      }
    }
    named.sort();
    return named;
  }

  private void addRows(long step, int rank, List<List<RowPart>> rows, Predicate<RowPart> chosen) {
    for (int place = 0; place < rows.size(); place++) {
      for (RowPart part : rows.get(place)) {
        if (chosen.test(part)) {
          RowOrigin of = part.origin();
          TableFile file = Objects.requireNonNull(filesOfSources.get(part.source()).get(of.file()));
          named.add(step, rank, place, part.source(), file, of.first(), of.end(), elements(part));
        }
      }
    }
  }

  private static Optional<StepRow.Part> elements(RowPart part) {
    return part.isWhole()
        ? Optional.empty()
        : Optional.of(new StepRow.Part(part.from(), part.count(), part.offset()));
  }

  /// Reads steps of a rank; of those behind the end of the epoch or skipped, and of a rank that a
  /// world did not have, there are none.
  void read(Steps wanted, int rank, Sink sink) {
    for (int i = 0; i < worlds.size(); i++) {
      SavedState begin = worlds.get(i);
      boolean isLast = i + 1 == worlds.size();
      long end = isLast ? Long.MAX_VALUE : worlds.get(i + 1).batches();
      long from = Math.max(wanted.from(), begin.batches());
      long to = Math.min(wanted.to(), end);
      if (from < to && rank < begin.dealing().world()) {
        Steps own = new Steps(from, to);
        run(isLast ? nearest(begin, own, rank) : begin, own, rank, sink);
      }
    }
  }

  /// Returns where the last world was before some steps of a rank.
  private SavedState nearest(SavedState begin, Steps steps, int rank) {
    SavedState at = state;
    boolean isBefore =
        at != null
            && at.dealing().equals(begin.dealing())
            && at.past().size() == begin.past().size()
            && at.batches() <= steps.from()
            && at.rank().orElse(rank) == rank;
    return isBefore && at != null
        ? new SavedState(
            at.identity(),
            at.epoch(),
            at.past(),
            at.dealing(),
            at.rank(),
            at.positions(),
            at.batches(),
            begin.skips(),
            at.excluded())
        : begin;
  }

  private void run(SavedState from, Steps wanted, int rank, Sink sink) {
    Rank own = new Rank(rank, from.dealing().world());
    EpochPlanner planner = planner(own);
    RowSteps steps = columns.steps(sources, passes.findings(), epoch, own);
    Counted counted = passes.count(planner.counts(from), () -> steps);
    EpochPlan plan = planner.plan(wanted, counted, from);
    long first = plan.from().batches();
    StepTrace trace =
        (number, rows) -> {
          long step = first + number;
          if (step >= wanted.from() && !SkippedSteps.contains(from.skips(), step)) {
            sink.step(step, rank, rows);
          }
        };
    BatchLayout layout = layout(columns.batchSize(plan.runs()));
    try (BatchMemory memory = new BatchMemory(meter, layout.slabBytes())) {
      Epoch running = epoch(plan, steps, delivery(layout, memory, plan, trace));
      pool.start(running);
      try (EpochIterator<Batch> batches =
          new ConsumedEpoch<>(
              this,
              new Consumption(BatchCollation.NONE, trace, first),
              running,
              pool,
              new UnclosedBatches(false))) {
        for (long left = wanted.to() - first; left > 0 && batches.hasNext(); left--) {
          batches.next().close();
        }
      }
    }
  }

  private BatchLayout layout(int batchSize) {
    return BatchLayout.of(
        columns.schema(),
        batchSize,
        OutputFormat.TENSOR,
        false,
        ColumnForms.defaults(),
        Map.of(),
        Set.of(),
        _ -> ValuesPerRow.UNKNOWN);
  }

  private Delivery delivery(
      BatchLayout layout, BatchMemory memory, EpochPlan plan, StepTrace trace) {
    return new Delivery(
        layout,
        memory,
        plan.end(),
        options.reading().prefetchFactor(),
        true,
        new BatchConsumer(options.reading().timeout(), BatchCollation.NONE, () -> {}),
        trace);
  }

  private Epoch epoch(EpochPlan plan, RowSteps steps, Delivery delivery) {
    int workers = options.reading().workers();
    return new Epoch(
        epoch,
        new EpochInput(plan.runs(), null, steps),
        new EpochResources(pool, workers, workers, meter),
        delivery,
        WorkerTuner.fixed(workers));
  }

  @Override
  public void close() {
    passes.close();
    pool.close();
  }
}
