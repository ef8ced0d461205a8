package dev.penstock.internal.order;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.plan.BatchTurns;
import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.EpochEnd;
import dev.penstock.internal.plan.LeftOut;
import dev.penstock.internal.plan.Reach;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.state.SavedState;
import dev.penstock.internal.state.StateIdentity;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Plan;
import dev.penstock.split.Shuffle;
import dev.penstock.split.Split;
import dev.penstock.split.TargetSizeSplitStrategy;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What makes the rows of an epoch. Each kind answers for itself what it refuses (when it is made),
/// what has to be counted first, which rows come, how many batches, and what a state notes.
///
/// Immutable; share it freely among threads.
abstract sealed class EpochOrder
    permits FileOrder, GlobalOrder, MixtureOrder, ComposedOrder, WorkerOrder {
  final OrderInput in;
  private final Reach reach;

  /// @param reach how far rows move before anything else is done with them
  EpochOrder(OrderInput in, Reach reach) {
    this.in = in;
    this.reach = reach;
  }

  /// Chooses the order; only here is asked which kind it is.
  ///
  /// @throws IllegalArgumentException if it does not fit the other options
  static EpochOrder of(OrderInput in) {
    return switch (in.options().order().shuffle()) {
      case Shuffle.None _ -> inFiles(in, Reach.NONE);
      case Shuffle.Splits _ -> inFiles(in, Reach.SPLITS);
      case Shuffle.Window(int rows, int interleave) -> inFiles(in, Reach.window(rows, interleave));
      case Shuffle.Global(Shuffle.Passes passes) ->
          in.mix().isPresent() ? MixtureOrder.global(in, passes) : GlobalOrder.keyed(in, passes);
      case Shuffle.Torch(Shuffle.Passes passes) -> GlobalOrder.torch(in, passes);
    };
  }

  private static EpochOrder inFiles(OrderInput in, Reach reach) {
    if (in.mix().isPresent()) {
      return MixtureOrder.of(in, reach);
    }
    if (in.options().order().splitPerWorker()) {
      return WorkerOrder.of(in, reach);
    }
    return in.composition().isPresent() ? ComposedOrder.of(in, reach) : new FileOrder(in, reach);
  }

  final Reach reach() {
    return reach;
  }

  /// Returns what has to be counted before an epoch's rows are known.
  abstract List<Need> counts(@Nullable SavedState state);

  /// Returns what an epoch is read from besides the files.
  List<Need> stores() {
    return List.of();
  }

  /// Returns whether ranks are dealt what was counted.
  boolean isDealtByCount() {
    return false;
  }

  /// Returns what an epoch of the only source reads, in its order.
  final Plan whole(long epoch) {
    Plan whole = whole(in.only(), epoch);
    return in.only().isCut()
        ? plan(epoch, in.only().sequence(whole.sequence()).splits(), List.of())
        : whole;
  }

  /// Returns the rows of each source in file order, or as far from it as they move at first. Of a
  /// mixture, `pass` says how often a source was read before.
  final List<Sequence> passes(long pass) {
    return in.sources().stream()
        .map(source -> source.sequence(whole(source, pass).sequence()))
        .toList();
  }

  final Plan whole(Source source, long pass) {
    return source.plan(reach, in.seed(), pass, in.atLeastOneWorker());
  }

  /// Returns all rows of an epoch, as they are dealt to ranks.
  ///
  /// @param passes those of the epoch, see [#passes]
  abstract Sequence rows(long epoch, List<Sequence> passes, Counted counted);

  /// Returns rows of an epoch, or what a world left of them, numbered as another world was dealt
  /// them.
  Sequence numbered(Sequence rows, Dealing dealing, long epoch, Counted counted) {
    return rows;
  }

  Sequence ordered(Sequence share) {
    return share;
  }

  /// Returns rows of a rank's share, numbered by what is delivered of them.
  ///
  /// @param rows in the order of the share
  Sequence delivered(Sequence rows, Counted counted) {
    return rows;
  }

  /// Returns rows `[from, to)` of what is delivered of a rank's share.
  Sequence delivered(Sequence share, long from, long to, Counted counted) {
    return delivered(ordered(share), counted).slice(from, to);
  }

  /// Returns what is left of a rank's share, as it reads it: one list, or one for each worker that
  /// makes batches of its own.
  List<List<Run>> runs(Sequence share, long epoch, @Nullable SavedState state) {
    return List.of(share.runs());
  }

  /// Returns how workers take turns with what they read; null where any may take any run.
  @Nullable BatchTurns turns(List<List<Run>> runs, int batchSize) {
    return null;
  }

  /// Returns how an epoch ends. All ranks deliver the same number of batches, also those that have
  /// a row less.
  ///
  /// @param rows the rows of all ranks, -1 where that is not known
  /// @param left how many of the rank's are left, if that is known
  EpochEnd end(ResumePoint from, long rows, long left) {
    int places = placesOfBatch();
    boolean isDropping = in.options().batching().dropLast();
    OptionalLong steps = in.options().batching().stepsPerEpoch();
    if (steps.isPresent()) {
      long more = Math.max(0, steps.getAsLong() - from.batches());
      return EpochEnd.promised(more, isDropping ? places : 1);
    }
    if (rows < 0) {
      return EpochEnd.of(isDropping ? places : 1);
    }
    long before = from.position().rows();
    if (isDropping) {
      long batches = Math.max(0, from.dealing().least(rows) - before) / places;
      return new EpochEnd(1, batches * places, batches, false);
    }
    long batches = Math.ceilDiv(Math.max(0, from.dealing().most(rows) - before), places);
    int rowsOfPlace = in.options().batching().size() / places;
    return new EpochEnd(1, left * rowsOfPlace, batches, false);
  }

  /// Returns what may change the number of rows, for messages; null if nothing may.
  @Nullable String maker() {
    return in.changesRows() ? "transform" : null;
  }

  /// Returns whether a state may count what ranks were dealt by.
  boolean acceptsCounted() {
    return maker() == null;
  }

  /// Checks that rows can be left out of what is left behind a state within an epoch.
  ///
  /// @throws IllegalStateException if not
  final void requireExcludable(SavedState state) {
    boolean isBegun = state.positions().stream().anyMatch(each -> each.behind() > 0);
    boolean isMade = in.changesRows() && reach.isInWindows();
    if (in.composition().isPresent() || isBegun || isMade) {
      throw new IllegalStateException(
          Sentence.of(
              "Cannot exclude rows behind batch %s of epoch %s: %s. Exclude them before the first"
                  + " batch of an epoch, and skip the steps that have them in this one.",
              state.batches(),
              state.epoch(),
              in.composition().isPresent()
                  ? "a composition makes others of them"
                  : isMade
                      ? "a shuffle window has what a transform makes of them"
                      : "the transform has made rows of a block, of which only some were"
                          + " delivered"));
    }
  }

  /// Returns whether it takes the matches of a filter to leave rows out of what a world left.
  final boolean isCutByMatches() {
    return reach.isInWindows() && !in.isFilterExact();
  }

  /// Returns whether each row of the sequence becomes one row of a batch.
  abstract boolean isExact();

  /// Returns whether a state counts delivered rows where ranks were dealt what was counted; else it
  /// says how far the sequence was read.
  boolean notesDelivered() {
    return true;
  }

  /// Returns whether they can be counted on request, see [OrderInput#isCounted].
  boolean isCountable() {
    return false;
  }

  /// Checks that counting tells how many batches an epoch has.
  ///
  /// @throws IllegalStateException if that shows only when the rows are read
  void requireCountable() {
    if (!isDealtByCount() && !isExact()) {
      String maker = maker();
      throw Advice.stateError(
          "Cannot tell the number of batches: how many rows the %s shows only when they are"
              + " read. %s%s promises a number.",
          maker == null ? "filter keeps" : maker + " makes",
          isCountable()
              ? Remedy.call("countMatches", "true").within("", " reads them once to count, ")
              : "",
          Remedy.of("stepsPerEpoch", "N", "stepsPerEpoch(n)"));
    }
  }

  /// Returns how many batches an epoch has, which is the same for all ranks.
  long batches(Dealing dealing, long epoch, Counted counted) {
    long places = places(epoch, counted);
    return in.options().batching().dropLast()
        ? dealing.least(places) / placesOfBatch()
        : Math.ceilDiv(dealing.most(places), placesOfBatch());
  }

  /// Returns how many rows all ranks have, or other things that have a place.
  abstract long places(long epoch, Counted counted);

  /// Returns how many places of the sequence make a batch.
  final int placesOfBatch() {
    return in.isCut() ? 1 : in.options().batching().size();
  }

  /// Returns what a rank reads, to be shown.
  abstract Plan plan(Dealing dealing, long epoch, Counted counted);

  /// Returns whether [#plan] needs what is counted.
  boolean isPlanCounted() {
    return in.rank().count() > 1;
  }

  final Plan plan(long epoch, List<FileSplit> splits, List<Long> rowsOfSources) {
    LeftOut out = LeftOut.of(in.sources());
    List<Split> dealt = TargetSizeSplitStrategy.dealEvenly(splits, in.atLeastOneWorker());
    return new Plan(epoch, out.files(), dealt, splits, out.rows(), out.unopened(), rowsOfSources);
  }

  /// Returns what a state is checked against.
  StateIdentity identity(List<Sequence> passes) {
    return StateIdentity.of(in.only(), text(), in.seed(), passes.getFirst());
  }

  final String text() {
    return name()
        + in.composition().map(each -> ", " + each).orElse("")
        + (in.isOfBatches() ? " in batches of " + in.options().batching().size() : "");
  }

  /// Returns how rows move, as a state has it.
  String name() {
    return in.options().order().shuffle().toString();
  }
}
