package dev.penstock.internal.order;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.compose.Balance;
import dev.penstock.compose.Composition;
import dev.penstock.internal.compose.StepCosts;
import dev.penstock.internal.plan.BatchTurns;
import dev.penstock.internal.plan.ChosenRows;
import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Dealing.Leg;
import dev.penstock.internal.plan.EpochEnd;
import dev.penstock.internal.plan.LeftOut;
import dev.penstock.internal.plan.Position;
import dev.penstock.internal.plan.RowFinder;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.state.Exclusion;
import dev.penstock.internal.state.SavedState;
import dev.penstock.internal.state.StateIdentity;
import dev.penstock.split.Plan;
import dev.penstock.split.Rank;
import dev.penstock.steps.ExcludedRows;
import dev.penstock.steps.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Decides what an epoch delivers before a row of it is read: where it begins or resumes, how its
/// rows are dealt to ranks, how many batches come. What the rows are, an [EpochOrder] says.
///
/// Immutable; share it freely among threads.
public final class EpochPlanner {
  /// Finds rows.
  @FunctionalInterface
  public interface RowSearch {
    /// Returns where rows are in the sources. It may read the files.
    ///
    /// @throws IllegalArgumentException if a column or a file is not there
    ChosenRows find(ExcludedRows rows);
  }

  private final OrderInput in;
  private final OrderInput whole; // with the excluded rows
  private final boolean isWhole; // whether no row is excluded
  private final RowSearch search;
  private final EpochOrder order;
  private final Resumption resumption;

  /// @throws IllegalArgumentException if options do not fit the order, or each other
  public EpochPlanner(OrderInput in) {
    this(
        in,
        _ -> {
          throw new IllegalStateException("Excluded rows are not looked for here.");
        });
  }

  public EpochPlanner(OrderInput in, RowSearch search) {
    this(in, in, true, search);
  }

  private EpochPlanner(OrderInput in, OrderInput whole, boolean isWhole, RowSearch search) {
    this.isWhole = isWhole;
    this.in = in;
    this.whole = whole;
    this.search = search;
    this.order = EpochOrder.of(in);
    this.resumption = new Resumption(in, order);
  }

  public Rank rank() {
    return in.rank();
  }

  /// Returns what plans epochs, and the states in them, from which rows are left out as a whole.
  /// States are those of all rows. The rows may have to be looked for.
  ///
  /// @param excluded the rows, and from where on
  public EpochPlanner without(long epoch, List<Exclusion> excluded) {
    List<Exclusion> before = excluded.stream().filter(each -> each.isBefore(epoch)).toList();
    if (before.isEmpty()) {
      return isWhole ? this : new EpochPlanner(whole, search);
    }
    ChosenRows cut = search.find(Exclusion.all(before));
    List<Source> sources = whole.sources().stream().map(each -> each.without(cut)).toList();
    return sources.equals(in.sources())
        ? this
        : new EpochPlanner(
            new OrderInput(whole.dataset(), whole.options(), whole.rank(), sources, whole.mix()),
            whole,
            false,
            search);
  }

  /// Returns a state from which on rows are left out.
  ///
  /// @throws IllegalArgumentException if that cannot be from there on
  public SavedState excluding(ExcludedRows rows, SavedState state) {
    ExcludedRows more = rows.without(Exclusion.all(state.excluded()));
    List<Exclusion> all = new ArrayList<>(state.excluded());
    if (more.entries().isEmpty()) {
      return state;
    }
    if (state.batches() == 0) {
      all.add(new Exclusion(more, state.epoch(), 0));
      return state.excluding(all);
    }
    order.requireExcludable(state);
    boolean isAtEnd = // of the last world, by the same step
        state.excluded().stream()
                .anyMatch(each ->
                    each.isWithin(state.epoch())
                        && each.batches() == state.batches()
                        && each.legs() == state.past().size())
            && state.positions().stream().allMatch(Position.START::equals)
            && state.skips().isEmpty();
    List<Leg> past = isAtEnd ? state.past() : resumption.stopped(state);
    all.add(new Exclusion(more, state.epoch(), state.batches(), past.size()));
    return new SavedState(
        state.identity(),
        state.epoch(),
        past,
        dealing(),
        OptionalInt.of(in.rank().index()),
        List.of(Position.START),
        state.batches(),
        List.of(),
        all);
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
    List<Need> needs = order.counts(state);
    boolean isCut =
        state != null && state.excluded().stream().anyMatch(each -> each.isWithin(state.epoch()));
    return isCut && needs.isEmpty() && order.isCutByMatches()
        ? List.of(new Need.Matches(sources()))
        : needs;
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

  /// Returns what all ranks are dealt of an epoch from its start, in the order in which it is
  /// dealt.
  public Sequence dealt(long epoch, Counted counted) {
    Sequence rows = order.rows(epoch, order.passes(epoch), counted);
    return order.numbered(rows, dealing(), epoch, counted);
  }

  /// Returns where to add up what ranks are dealt, see [#dealt].
  ///
  /// @throws IllegalStateException if batches are not balanced
  public StepCosts costs(Sequence dealt) {
    long places = (long) order.placesOfBatch() * balance().accumulate();
    return new StepCosts(dealing(), dealt.rows(), places);
  }

  /// Returns how the cost of batches is counted.
  ///
  /// @throws IllegalStateException if it does not matter
  private Balance balance() {
    return in.composition()
        .flatMap(Composition::balancing)
        .orElseThrow(() ->
            new IllegalStateException(
                "Cannot tell what ranks cost: batches are not balanced. Use"
                    + " compose(Composition.balanced(column)), or buckets or packs that are"
                    + " balanced()."));
  }

  /// Returns what has to be counted before [#dealt].
  public List<Need> countsOfCosts() {
    balance();
    return order.counts(null);
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
    return beginning(epoch, List.of());
  }

  /// Returns the same without rows that were excluded in any epoch.
  public SavedState beginning(long epoch, List<Exclusion> excluded) {
    return new SavedState(
        identity(epoch, order.passes(epoch)),
        epoch,
        List.of(),
        dealing(),
        OptionalInt.of(in.rank().index()),
        List.of(Position.START),
        0,
        List.of(),
        Exclusion.at(epoch, excluded));
  }

  private Dealing dealing() {
    return new Dealing(in.rank().count(), in.options().rankShare().end(), order.isDealtByCount());
  }

  /// Plans an epoch, from a state on if there is one.
  ///
  /// @throws IllegalArgumentException if the state is not one of this epoch
  public EpochPlan plan(long epoch, Counted counted, @Nullable SavedState state) {
    List<Sequence> passes = order.passes(epoch);
    StateIdentity identity = identity(epoch, passes);
    ResumePoint from =
        state == null ? ResumePoint.of(dealing()) : resumption.start(state, identity, dealing());
    Sequence left = worlds(epoch, passes, counted, from).getLast().rows();
    if (state != null && Resumption.isSameWorld(state.dealing(), from.dealing())) {
      resumption.requireWithin(new Leg(from.dealing(), state.positions()), in.rank().index(), left);
    }
    return plan(epoch, identity, from, left, state, Long.MAX_VALUE);
  }

  /// @param left what the world has left to deliver, of all ranks
  /// @param end the step after the last that is wanted
  private EpochPlan plan(
      long epoch,
      StateIdentity identity,
      ResumePoint from,
      Sequence left,
      @Nullable SavedState state,
      long end) {
    Sequence share =
        order
            .ordered(from.dealing().share(left, in.rank().index()))
            .from(from.position(), in.options().transformation().rows());
    boolean isKnown = isKnown(from.dealing());
    if (isKnown) {
      share = wanted(share, from.batches(), end);
    }
    List<List<Run>> runs = order.runs(share, epoch, state);
    EpochEnd ending =
        order.end(from, isKnown ? left.rows() : -1, isKnown ? share.rows() : Long.MAX_VALUE);
    return new EpochPlan(epoch, identity, in.rank(), from, runs, ending, order.notesDelivered());
  }

  /// Returns whether it is known which places of a share a step has.
  private boolean isKnown(Dealing dealing) {
    return order.isExact() || dealing.byMatches();
  }

  /// Returns where each world of an epoch begins, the first one first, for any of its ranks.
  ///
  /// @param state where the epoch goes on; null at its start
  /// @param goesOn whether the world of this rank goes on there; else that of the state
  /// @throws IllegalArgumentException if the state is not one of this epoch
  /// @throws IllegalStateException if an earlier version wrote it, which did not note the steps of
  ///   worlds
  public List<SavedState> beginnings(long epoch, @Nullable SavedState state, boolean goesOn) {
    StateIdentity identity = identity(epoch, order.passes(epoch));
    Dealing dealing = state == null || goesOn ? dealing() : state.dealing();
    ResumePoint from =
        state == null ? ResumePoint.of(dealing) : resumption.start(state, identity, dealing);
    List<SavedState> worlds = new ArrayList<>();
    long first = 0;
    for (int world = 0; world <= from.past().size(); world++) {
      if (world > 0) {
        first =
            from.past()
                .get(world - 1)
                .batches()
                .orElseThrow(() ->
                    new IllegalStateException(
                        "Cannot tell the rows of steps: the state is of an earlier version, which"
                            + " did not note how many steps each world had."));
      }
      Leg leg = world < from.past().size() ? from.past().get(world) : null;
      worlds.add(
          new SavedState(
              identity,
              epoch,
              from.past().subList(0, world),
              leg == null ? from.dealing() : leg.dealing(),
              OptionalInt.empty(),
              List.of(Position.START),
              first,
              leg == null ? from.skips() : leg.skips(),
              from.excluded()));
    }
    return worlds;
  }

  /// Plans steps of this rank in the world of a state. Where only reading tells which places they
  /// have, the plan begins at the state: [ResumePoint#batches] says with which step.
  ///
  /// @param state where the world begins, or was before the steps
  public EpochPlan plan(Steps steps, Counted counted, SavedState state) {
    List<Sequence> passes = order.passes(state.epoch());
    StateIdentity identity = identity(state.epoch(), passes);
    ResumePoint from = resumption.start(state, identity, state.dealing());
    Sequence left = worlds(state.epoch(), passes, counted, from).getLast().rows();
    long before = isKnown(from.dealing()) ? Math.max(0, steps.from() - from.batches()) : 0;
    // Beyond the end there is nothing, however far.
    long places = Math.min(before, left.rows() + 1) * order.placesOfBatch();
    ResumePoint first =
        new ResumePoint(
            from.past(),
            from.dealing(),
            from.position().plus(new Position(places, 0)),
            from.batches() + before,
            from.skips(),
            from.excluded());
    return plan(state.epoch(), identity, first, left, state, steps.to());
  }

  /// Returns whether each row of a batch is a row of a file, so that the order tells which.
  ///
  /// @throws IllegalArgumentException if nothing tells in which step a batch comes
  public boolean isOfRows() {
    if (order instanceof WorkerOrder) {
      throw Advice.argumentError(
          "Cannot tell the rows of steps: each worker makes batches of its own Split. Leave out %s.",
          Remedy.call("splitPerWorker", "true"));
    }
    if (!in.options().order().inOrder()) {
      throw Advice.argumentError(
          "Cannot tell the rows of steps: batches come as soon as they are ready. Leave out %s.",
          Remedy.call("inOrder", "false"));
    }
    return in.composition().isEmpty() && !in.changesRows();
  }

  /// Returns what has to be counted before [#steps].
  public List<Need> countsOfSteps(@Nullable SavedState state) {
    List<Need> counted = order.counts(state);
    List<Source> tested = sources().stream().filter(each -> !each.pruning().isExact()).toList();
    return counted.isEmpty() && !tested.isEmpty() ? List.of(new Need.Matches(tested)) : counted;
  }

  /// Returns which rows each step has, where [#isOfRows].
  ///
  /// @param goesOn whether the world of this rank goes on from the state; else that of the state
  /// @throws IllegalArgumentException if the state is not one of this epoch
  public EpochSteps steps(long epoch, Counted counted, @Nullable SavedState state, boolean goesOn) {
    List<Sequence> passes = order.passes(epoch);
    Dealing dealing = state == null || goesOn ? dealing() : state.dealing();
    ResumePoint from =
        state == null
            ? ResumePoint.of(dealing)
            : resumption.start(state, identity(epoch, passes), dealing);
    List<DealtSteps> dealt = worlds(epoch, passes, counted, from);
    List<Position> positions = List.of(from.position());
    int rank = in.rank().index();
    if (state != null && Resumption.isSameWorld(state.dealing(), dealing)) {
      positions = state.positions();
      resumption.requireWithin(new Leg(from.dealing(), positions), rank, dealt.getLast().rows());
    }
    return new EpochSteps(order, counted, epoch, dealt, from, positions, rank);
  }

  private StateIdentity identity(long epoch, List<Sequence> passes) {
    if (isWhole) {
      return order.identity(passes);
    }
    EpochOrder all = EpochOrder.of(whole);
    return all.identity(all.passes(epoch));
  }

  private List<DealtSteps> worlds(
      long epoch, List<Sequence> passes, Counted counted, ResumePoint from) {
    List<DealtSteps> worlds = new ArrayList<>();
    Sequence left = order.rows(epoch, passes, counted);
    long first = 0;
    for (int i = 0; i < from.past().size(); i++) {
      Leg leg = from.past().get(i);
      left = order.numbered(left, leg.dealing(), epoch, counted);
      resumption.requireWithin(leg, 0, left);
      long end = leg.batches().orElse(first); // of steps that are not known
      worlds.add(new DealtSteps(leg.dealing(), left, first, end));
      left = leg.rest(left, order::ordered, in.options().transformation().rows());
      left = without(left, epoch, counted, from.excluded(), i + 1);
      first = end;
    }
    left = order.numbered(left, from.dealing(), epoch, counted);
    worlds.add(new DealtSteps(from.dealing(), left, first, Long.MAX_VALUE));
    return worlds;
  }

  /// Returns what a world left, without the rows that were excluded then.
  ///
  /// @param legs how many worlds had stopped
  private Sequence without(
      Sequence left, long epoch, Counted counted, List<Exclusion> excluded, int legs) {
    List<Exclusion> then =
        excluded.stream().filter(each -> each.isWithin(epoch) && each.legs() == legs).toList();
    return then.isEmpty()
        ? left
        : left.without(
            search.find(Exclusion.all(then)), new RowFinder(in.seed(), epoch, counted::of));
  }

  /// Returns the rows of the steps that are promised and wanted, so that no others are fetched; all
  /// if there are fewer.
  private Sequence wanted(Sequence share, long batchesBefore, long end) {
    long promised = in.options().batching().stepsPerEpoch().orElse(Long.MAX_VALUE);
    long steps = Math.max(0, Math.min(promised, end) - batchesBefore);
    int places = order.placesOfBatch();
    return steps <= share.rows() / places ? share.slice(0, steps * places) : share;
  }

  /// Returns how workers take turns that make batches of their own rows; null where any may take
  /// any run.
  public @Nullable BatchTurns turns(EpochPlan plan, int batchSize) {
    return order.turns(plan.workers(), batchSize);
  }
}
