package dev.penstock.internal.order;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.plan.BatchTurns;
import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.EpochEnd;
import dev.penstock.internal.plan.Reach;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.state.SavedState;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Plan;
import dev.penstock.split.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The rows of another order, of which each worker makes batches of its own `Split`.
final class WorkerOrder extends EpochOrder {
  private final EpochOrder inner;

  private WorkerOrder(EpochOrder inner) {
    super(inner.in, inner.reach());
    this.inner = inner;
  }

  static WorkerOrder of(OrderInput in, Reach reach) {
    return new WorkerOrder(
        in.composition().isPresent()
            ? ComposedOrder.of(in, reach)
            : new FileOrder(in, reach, false));
  }

  @Override
  List<Need> counts(@Nullable SavedState state) {
    return inner.counts(state);
  }

  @Override
  boolean isDealtByCount() {
    return inner.isDealtByCount();
  }

  @Override
  Sequence rows(long epoch, List<Sequence> passes, Counted counted) {
    return inner.rows(epoch, passes, counted);
  }

  @Override
  Sequence numbered(Sequence rows, Dealing dealing, long epoch, Counted counted) {
    return inner.numbered(rows, dealing, epoch, counted);
  }

  @Override
  Sequence ordered(Sequence share) {
    return inner.ordered(share);
  }

  /// Returns the runs of each worker: those of its own Split, and of another one for each time that
  /// there are more Splits than workers.
  @Override
  List<List<Run>> runs(Sequence share, long epoch, @Nullable SavedState state) {
    requireApart(state);
    List<Split> splits = whole(in.only(), epoch).splits();
    int workers = in.atLeastOneWorker();
    List<List<Run>> runs = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      List<FileSplit> own = new ArrayList<>();
      for (int split = worker; split < splits.size(); split += workers) {
        own.addAll(splits.get(split).fileSplits());
      }
      own.removeIf(split -> split.rows() == 0);
      runs.add(ordered(in.only().sequence(own)).runs());
    }
    return runs;
  }

  private void requireApart(@Nullable SavedState state) {
    String reason = null;
    if (!isExact()) {
      String maker = maker();
      reason =
          "how many rows each has shows only when the "
              + (maker == null ? "filter has tested" : maker + " has made")
              + " them";
    } else if (in.rank().count() > 1) {
      reason = "ranks would have different numbers of batches, and this is rank " + in.rank();
    } else if (state != null && (state.batches() > 0 || !state.past().isEmpty())) {
      reason =
          "the state to resume is that of a sequence, after batch "
              + state.batches()
              + " of epoch "
              + state.epoch();
    }
    if (reason != null) {
      throw Advice.argumentError(
          "Cannot let each worker make batches of its own Split: %s. Leave out %s.",
          reason, Remedy.call("splitPerWorker", "true"));
    }
  }

  @Override
  @Nullable String maker() {
    return inner.maker();
  }

  @Override
  boolean acceptsCounted() {
    return inner.acceptsCounted();
  }

  @Override
  boolean isExact() {
    return inner.isExact();
  }

  @Override
  long batches(Dealing dealing, long epoch, Counted counted) {
    if (!isExact()) { // which an epoch refuses
      return inner.batches(dealing, epoch, counted);
    }
    List<List<Run>> own = runs(in.only().sequence(List.of()), epoch, null);
    return turns(own, in.options().batching().size()).batches();
  }

  @Override
  BatchTurns turns(List<List<Run>> runs, int batchSize) {
    int least = in.options().batching().dropLast() ? in.options().batching().size() : 1;
    return new BatchTurns(runs, batchSize, least);
  }

  @Override
  EpochEnd end(ResumePoint from, long rows, long left) {
    OptionalLong steps = in.options().batching().stepsPerEpoch();
    return steps.isPresent()
        ? EpochEnd.promised(Math.max(0, steps.getAsLong() - from.batches()), 1)
        : EpochEnd.of(1);
  }

  @Override
  long places(long epoch, Counted counted) {
    return inner.places(epoch, counted);
  }

  @Override
  Plan plan(Dealing dealing, long epoch, Counted counted) {
    return inner.plan(dealing, epoch, counted);
  }
}
