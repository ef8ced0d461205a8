package dev.penstock.internal.order;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Dealing.Leg;
import dev.penstock.internal.plan.Position;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.SkippedSteps;
import dev.penstock.internal.state.SavedState;
import dev.penstock.internal.state.StateIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// Where a rank goes on with a state, and whether it can.
record Resumption(OrderInput in, EpochOrder order) {
  /// Finds where a rank goes on.
  ///
  /// @param dealing how the rest is dealt if the world is another one
  /// @throws IllegalArgumentException if the state is of other rows, or of too few ranks
  ResumePoint start(SavedState state, StateIdentity identity, Dealing dealing) {
    if (!order.acceptsCounted() && state.countsMatches()) {
      throw new IllegalArgumentException(
          "Cannot resume: the state counts rows that match the filter, but here a "
              + order.maker()
              + " may change their number. Resume with the options of the stopped run.");
    }
    state.identity().require(identity);
    boolean isExact = order.isExact() || state.dealing().byMatches();
    if (isSameWorld(state.dealing(), dealing)) { // what was dealt stays so
      Position at = position(state, isExact);
      return new ResumePoint(
          state.past(), state.dealing(), at, state.batches(), state.skips(), state.excluded());
    }
    return new ResumePoint(
        stopped(state), dealing, Position.START, state.batches(), List.of(), state.excluded());
  }

  /// Returns where the ranks of all worlds up to a state stopped.
  ///
  /// @throws IllegalArgumentException if the state is of too few ranks to deal the rest anew
  List<Leg> stopped(SavedState state) {
    List<Leg> past = new ArrayList<>(state.past());
    past.add(stopped(state, order.isExact() || state.dealing().byMatches()));
    return past;
  }

  static boolean isSameWorld(Dealing one, Dealing other) {
    return one.world() == other.world() && one.end() == other.end();
  }

  private Position position(SavedState state, boolean exact) {
    List<Position> positions = state.positions();
    int rank = in.rank().index();
    if (positions.size() > 1) {
      return positions.get(rank);
    }
    if (!exact && state.rank().orElse(rank) != rank) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot resume rank %s with the state of rank %s: behind a filter or a"
                  + " transform every rank has a place of its own. Give each rank its own"
                  + " state, or all of them the merged one (LoaderState.merge).",
              in.rank(), state.rank().getAsInt()));
    }
    return positions.getFirst();
  }

  private Leg stopped(SavedState state, boolean exact) {
    int world = state.dealing().world();
    if (!exact && world > 1 && state.positions().size() < world) {
      throw new IllegalArgumentException(
          "Cannot deal the rest of the epoch anew with the state of one rank of "
              + world
              + ": behind a filter or a transform every rank has a place of its own. Merge the"
              + " states of all ranks first (LoaderState.merge).");
    }
    boolean isAhead = SkippedSteps.isAhead(state.skips(), state.batches());
    if (isAhead && !exact) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot deal the rest of the epoch anew behind batch %s: the steps %s are to be"
                  + " skipped, and which rows they have shows only when they are read. Resume with"
                  + " %s until these are behind.",
              state.batches(), state.skips(), state.dealing().text()));
    }
    return new Leg(
        state.dealing(),
        state.positions(),
        OptionalLong.of(state.batches()),
        state.skips(),
        isAhead ? order.placesOfBatch() : 0);
  }

  /// Checks that ranks can have stopped where a state says.
  ///
  /// @param alone the rank whose position it is where there is one
  void requireWithin(Leg leg, int alone, Sequence dealt) {
    List<Position> positions = leg.positions();
    Dealing dealing = leg.dealing();
    for (int i = 0; i < positions.size(); i++) {
      Position position = positions.get(i);
      boolean isAlone = positions.size() == 1;
      // Which may not be cut in the middle of a block.
      long share = dealing.share(dealt, isAlone ? alone : i).rows();
      // Of those who stopped after the same step some have a row less than the one that says so.
      long rows = isAlone ? Math.max(dealing.most(dealt.rows()), share) : share;
      if (position.rows() > rows) {
        throw Advice.argumentError(
            "Cannot resume: the state is behind row %s of a rank that has %s. Give"
                + " what %s wrote.",
            position.rows(), rows, Remedy.STATE);
      }
      if (position.behind() > 0 && (order.maker() == null || dealing.byMatches())) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Cannot resume: the state is behind %s of the rows that a transform made"
                    + " of row %s and its neighbours, but here is no transform. Resume with"
                    + " the options of the stopped run.",
                position.behind(), position.rows()));
      }
    }
  }
}
