package dev.penstock;

import dev.penstock.internal.deliver.EpochEnd;
import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Dealing.Stage;
import dev.penstock.internal.plan.Matches;
import dev.penstock.internal.plan.Position;
import dev.penstock.internal.plan.Pruning;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.Table;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Plan;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What a rank delivers of an epoch: its share of what is left, and from where on.
///
/// @param plan the epoch of all ranks
/// @param identity what a state of it is a state of
/// @param number the epoch, counted from 0
/// @param past where the ranks of earlier worlds stopped
/// @param dealing how the rest is dealt
/// @param rank whose share it is
/// @param start where the rank goes on in its share
/// @param batches how many batches were received before
/// @param workers the rank's rows from there on: as one list, or those of each worker that makes
///   batches of its own
/// @param end how the epoch ends
record EpochPlan(
    Plan plan,
    StateIdentity identity,
    long number,
    List<Stage> past,
    Dealing dealing,
    Rank rank,
    Position start,
    long batches,
    List<List<Run>> workers,
    EpochEnd end) {
  /// Plans an epoch.
  ///
  /// @param plan the epoch of all ranks
  /// @param isCounted whether the rows that match are dealt, where it begins
  /// @param matches which rows match; null where that is not needed
  /// @param state where to go on; null to begin
  /// @throws IllegalArgumentException if the state is not one of this epoch
  static EpochPlan of(
      StructuredDataset dataset,
      LoaderOptions options,
      Rank rank,
      Table table,
      Pruning pruning,
      Plan plan,
      boolean isCounted,
      @Nullable Matches matches,
      @Nullable LoaderState state) {
    Sequence all = Sequence.of(plan.sequence(), table, pruning);
    StateIdentity identity = StateIdentity.of(dataset, options, table, all);
    boolean exact = pruning.isExact() && options.transform().isEmpty();
    Dealing dealing = new Dealing(rank.count(), options.rankEnd(), isCounted);
    if (options.transform().isPresent() && state != null && state.countsMatches()) {
      throw new IllegalArgumentException(
          "Cannot resume: the state counts rows that match the filter, but here a transform may"
              + " change their number. Resume with the options of the stopped run.");
    }
    List<Stage> past = new ArrayList<>();
    Position start = Position.START;
    long batches = 0;
    if (state != null) {
      state.identity().require(identity);
      past.addAll(state.past());
      batches = state.batches();
      if (isSameWorld(state.dealing(), dealing)) {
        dealing = state.dealing(); // what was dealt stays so
        start = position(state, rank, exact || dealing.byMatches());
      } else {
        past.add(stopped(state, exact || state.dealing().byMatches()));
      }
    }
    Sequence left = all;
    UnaryOperator<Sequence> order = order(options.shuffle());
    for (Stage stage : past) {
      left = left.byMatches(counts(stage.dealing(), matches));
      requireWithin(stage, 0, left, options);
      left = stage.rest(left, order, options.transformRows());
    }
    left = left.byMatches(counts(dealing, matches));
    if (state != null && isSameWorld(state.dealing(), dealing)) {
      requireWithin(new Stage(dealing, state.positions()), rank.index(), left, options);
    }
    if (options.splitPerWorker()) {
      requireApart(options, rank, exact, state);
      return new EpochPlan(
          plan,
          identity,
          plan.epoch(),
          past,
          dealing,
          rank,
          Position.START,
          0,
          apart(plan, Math.max(1, options.workers()), table, pruning, order),
          end(options, dealing, -1, Long.MAX_VALUE, 0, 0));
    }
    Sequence share =
        order.apply(dealing.share(left, rank.index())).from(start, options.transformRows());
    boolean isKnown = exact || dealing.byMatches();
    if (isKnown && options.stepsPerEpoch().isPresent()) {
      share = promised(share, options, batches);
    }
    return new EpochPlan(
        plan,
        identity,
        plan.epoch(),
        past,
        dealing,
        rank,
        start,
        batches,
        List.of(share.runs()),
        end(
            options,
            dealing,
            isKnown ? left.rows() : -1,
            isKnown ? share.rows() : Long.MAX_VALUE,
            start.rows(),
            batches));
  }

  /// Returns the rows of the steps that are promised, so that no others are fetched; all if there
  /// are fewer.
  private static Sequence promised(Sequence share, LoaderOptions options, long batchesBefore) {
    long steps = Math.max(0, options.stepsPerEpoch().getAsLong() - batchesBefore);
    boolean hasMore = steps < share.rows() / options.batchSize();
    return hasMore ? share.slice(0, steps * options.batchSize()) : share;
  }

  private static boolean isSameWorld(Dealing one, Dealing other) {
    return one.world() == other.world() && one.end() == other.end();
  }

  /// Checks that ranks can have stopped where a state says.
  ///
  /// @param alone the rank whose position it is where there is one
  private static void requireWithin(Stage stage, int alone, Sequence dealt, LoaderOptions options) {
    List<Position> positions = stage.positions();
    Dealing dealing = stage.dealing();
    for (int i = 0; i < positions.size(); i++) {
      Position position = positions.get(i);
      boolean isAlone = positions.size() == 1;
      // Which may not be cut in the middle of a block.
      long share = dealing.share(dealt, isAlone ? alone : i).rows();
      // Of those who stopped after the same step some have a row less than the one that says so.
      long rows = isAlone ? Math.max(dealing.most(dealt.rows()), share) : share;
      if (position.rows() > rows) {
        throw new IllegalArgumentException(
            "Cannot resume: the state is behind row "
                + position.rows()
                + " of a rank that has "
                + rows
                + ". Give what LoaderState.toJson() wrote.");
      }
      if (position.behind() > 0 && options.transform().isEmpty()) {
        throw new IllegalArgumentException(
            "Cannot resume: the state is behind "
                + position.behind()
                + " of the rows that a transform made of row "
                + position.rows()
                + " and its neighbours, but here is no transform. Resume with the options of the"
                + " stopped run.");
      }
    }
  }

  private static @Nullable Matches counts(Dealing dealing, @Nullable Matches matches) {
    return dealing.byMatches() ? Objects.requireNonNull(matches) : null;
  }

  /// Returns the state at the start of an epoch, for which nothing needs to be counted.
  static LoaderState beginning(
      StructuredDataset dataset,
      LoaderOptions options,
      Rank rank,
      Table table,
      Pruning pruning,
      Plan plan,
      boolean isCounted) {
    return new LoaderState(
        StateIdentity.of(dataset, options, table, Sequence.of(plan.sequence(), table, pruning)),
        plan.epoch(),
        List.of(),
        new Dealing(rank.count(), options.rankEnd(), isCounted),
        OptionalInt.of(rank.index()),
        List.of(Position.START),
        0);
  }

  private static void requireApart(
      LoaderOptions options, Rank rank, boolean exact, @Nullable LoaderState state) {
    String reason = null;
    if (!exact) {
      reason =
          "how many rows each has shows only when the "
              + (options.transform().isPresent() ? "transform has made" : "filter has tested")
              + " them";
    } else if (rank.count() > 1) {
      reason = "ranks would have different numbers of batches, and this is rank " + rank;
    } else if (state != null && (state.batches() > 0 || !state.past().isEmpty())) {
      reason =
          "the state to resume is that of a sequence, after batch "
              + state.batches()
              + " of epoch "
              + state.epoch();
    }
    if (reason != null) {
      throw new IllegalArgumentException(
          "Cannot let each worker make batches of its own Split: "
              + reason
              + ". Leave out splitPerWorker(true).");
    }
  }

  /// Returns the runs of each worker: those of its own Split, and of another one for each time that
  /// there are more Splits than workers.
  private static List<List<Run>> apart(
      Plan plan, int workers, Table table, Pruning pruning, UnaryOperator<Sequence> order) {
    List<List<Run>> runs = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      List<FileSplit> own = new ArrayList<>();
      for (int split = worker; split < plan.splits().size(); split += workers) {
        own.addAll(plan.splits().get(split).fileSplits());
      }
      own.removeIf(split -> split.rows() == 0);
      runs.add(order.apply(Sequence.of(own, table, pruning)).runs());
    }
    return runs;
  }

  /// Returns all runs.
  ///
  /// @return in the order of the sequence, or of the workers
  List<Run> runs() {
    return workers.stream().flatMap(List::stream).toList();
  }

  /// Returns what puts a rank's share in its order.
  private static UnaryOperator<Sequence> order(Shuffle shuffle) {
    return shuffle instanceof Shuffle.Window(int rows, int _)
        ? share -> share.windowed(rows)
        : UnaryOperator.identity();
  }

  private static Position position(LoaderState state, Rank rank, boolean exact) {
    List<Position> positions = state.positions();
    if (positions.size() > 1) {
      return positions.get(rank.index());
    }
    if (!exact && state.rank().orElse(rank.index()) != rank.index()) {
      throw new IllegalArgumentException(
          "Cannot resume rank "
              + rank
              + " with the state of rank "
              + state.rank().getAsInt()
              + ": behind a filter or a transform every rank has a place of its own. Give each rank"
              + " its own state, or all of them the merged one (LoaderState.merge).");
    }
    return positions.getFirst();
  }

  private static Stage stopped(LoaderState state, boolean exact) {
    int world = state.dealing().world();
    if (!exact && world > 1 && state.positions().size() < world) {
      throw new IllegalArgumentException(
          "Cannot deal the rest of the epoch anew with the state of one rank of "
              + world
              + ": behind a filter or a transform every rank has a place of its own. Merge the"
              + " states of all ranks first (LoaderState.merge).");
    }
    return new Stage(state.dealing(), state.positions());
  }

  /// All ranks deliver the same number of batches, also those that have a row less.
  ///
  /// @param rows the rows of all ranks, -1 where that is not known
  /// @param left how many of the rank's are left, if that is known
  /// @param delivered the rank's rows that were delivered before
  /// @param batchesBefore the batches that they were
  private static EpochEnd end(
      LoaderOptions options,
      Dealing dealing,
      long rows,
      long left,
      long delivered,
      long batchesBefore) {
    int batchSize = options.batchSize();
    // Workers that make batches of their own drop their short ones themselves.
    int multiple = options.dropLast() && !options.splitPerWorker() ? batchSize : 1;
    if (options.stepsPerEpoch().isPresent()) {
      long steps = Math.max(0, options.stepsPerEpoch().getAsLong() - batchesBefore);
      return EpochEnd.promised(steps, multiple);
    }
    if (options.splitPerWorker() || rows < 0) {
      return EpochEnd.of(multiple);
    }
    if (options.dropLast()) {
      long batches = Math.max(0, dealing.least(rows) - delivered) / batchSize;
      return new EpochEnd(1, batches * batchSize, batches, false);
    }
    long batches = Math.ceilDiv(Math.max(0, dealing.most(rows) - delivered), batchSize);
    return new EpochEnd(1, left, batches, false);
  }

  /// Returns the state behind some more batches.
  ///
  /// @param further where in [#runs()] they end
  /// @param rows how many rows they have
  /// @param more how many they are
  LoaderState state(Position further, long rows, long more) {
    Position position = dealing.byMatches() ? new Position(rows, 0) : further;
    return new LoaderState(
        identity,
        number,
        past,
        dealing,
        OptionalInt.of(rank.index()),
        List.of(start.plus(position)),
        batches + more);
  }
}
