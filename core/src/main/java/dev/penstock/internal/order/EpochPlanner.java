package dev.penstock.internal.order;

import dev.penstock.internal.plan.BatchTurns;
import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Dealing.Leg;
import dev.penstock.internal.plan.EpochEnd;
import dev.penstock.internal.plan.LeftOut;
import dev.penstock.internal.plan.Position;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.state.SavedState;
import dev.penstock.internal.state.StateIdentity;
import dev.penstock.split.Plan;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Decides what an epoch delivers before a row of it is read: where it begins or resumes, how its
/// rows are dealt to ranks, how many batches come. What the rows are, an [EpochOrder] says.
///
/// Immutable; share it freely among threads.
public final class EpochPlanner {
  private final OrderInput in;
  private final EpochOrder order;
  private final Resumption resumption;

  /// @throws IllegalArgumentException if options do not fit the order, or each other
  public EpochPlanner(OrderInput in) {
    this.in = in;
    this.order = EpochOrder.of(in);
    this.resumption = new Resumption(in, order);
  }

  public List<Source> sources() {
    return in.sources();
  }

  /// Returns what is left out before rows are read.
  public LeftOut leftOut() {
    return LeftOut.of(sources());
  }

  /// Returns how many rows no source of a mixture takes, besides those that statistics rule out; 0
  /// without a mixture, where that shows when rows are read.
  public long leftOutByCount(Counted counted) {
    return in.mix().isPresent() ? leftOut().byCount(sources(), counted::of) : 0;
  }

  /// Returns what has to be counted before [#plan(long, Counted, SavedState)].
  public List<Need> counts(@Nullable SavedState state) {
    return order.counts(state);
  }

  public List<Need> stores() {
    return order.stores();
  }

  public List<Need> countsOfShare() {
    return order.isPlanCounted() ? order.counts(null) : List.of();
  }

  public Plan share(long epoch, Counted counted) {
    return order.plan(dealing(), epoch, counted);
  }

  /// Returns what has to be counted before [#batches].
  ///
  /// @throws IllegalStateException if the number shows only when the rows are read
  public List<Need> countsOfBatches() {
    order.requireCountable();
    return order.counts(null);
  }

  public long batches(long epoch, Counted counted) {
    return order.batches(dealing(), epoch, counted);
  }

  /// Returns the state at the start of an epoch, for which nothing needs to be counted.
  public SavedState beginning(long epoch) {
    return new SavedState(
        order.identity(order.passes(epoch)),
        epoch,
        List.of(),
        dealing(),
        OptionalInt.of(in.rank().index()),
        List.of(Position.START),
        0);
  }

  private Dealing dealing() {
    return new Dealing(in.rank().count(), in.options().rankShare().end(), order.isDealtByCount());
  }

  /// Plans an epoch, from a state on if there is one.
  ///
  /// @throws IllegalArgumentException if the state is not one of this epoch
  public EpochPlan plan(long epoch, Counted counted, @Nullable SavedState state) {
    List<Sequence> passes = order.passes(epoch);
    StateIdentity identity = order.identity(passes);
    Sequence all = order.rows(epoch, passes, counted);
    ResumePoint from =
        state == null ? ResumePoint.of(dealing()) : resumption.start(state, identity, dealing());
    Sequence left = all;
    for (Leg leg : from.past()) {
      left = order.numbered(left, leg.dealing(), epoch, counted);
      resumption.requireWithin(leg, 0, left);
      left = leg.rest(left, order::ordered, in.options().transformation().rows());
    }
    left = order.numbered(left, from.dealing(), epoch, counted);
    int rank = in.rank().index();
    if (state != null && Resumption.isSameWorld(state.dealing(), from.dealing())) {
      resumption.requireWithin(new Leg(from.dealing(), state.positions()), rank, left);
    }
    Sequence share =
        order
            .ordered(from.dealing().share(left, rank))
            .from(from.position(), in.options().transformation().rows());
    boolean isKnown = order.isExact() || from.dealing().byMatches();
    if (isKnown) {
      share = promised(share, from.batches());
    }
    List<List<Run>> runs = order.runs(share, epoch, state);
    EpochEnd end =
        order.end(from, isKnown ? left.rows() : -1, isKnown ? share.rows() : Long.MAX_VALUE);
    return new EpochPlan(epoch, identity, in.rank(), from, runs, end, order.notesDelivered());
  }

  /// Returns the rows of the steps that are promised, so that no others are fetched; all if there
  /// are fewer.
  private Sequence promised(Sequence share, long batchesBefore) {
    OptionalLong promised = in.options().batching().stepsPerEpoch();
    if (promised.isEmpty()) {
      return share;
    }
    long steps = Math.max(0, promised.getAsLong() - batchesBefore);
    int places = order.placesOfBatch();
    return steps <= share.rows() / places ? share.slice(0, steps * places) : share;
  }

  /// Returns how workers take turns that make batches of their own rows; null where any may take
  /// any run.
  public @Nullable BatchTurns turns(EpochPlan plan, int batchSize) {
    return order.turns(plan.workers(), batchSize);
  }
}
