package dev.penstock;

import dev.penstock.internal.deliver.EpochEnd;
import dev.penstock.internal.plan.Position;
import dev.penstock.internal.plan.Run;
import dev.penstock.split.Plan;
import dev.penstock.split.Rank;
import java.util.List;
import java.util.OptionalInt;

/// What a rank delivers of an epoch: its share of what is left, and from where on.
///
/// @param plan the epoch of all ranks
/// @param identity what a state of it is a state of
/// @param rank whose share it is
/// @param from where it starts
/// @param workers the rank's rows from there on: as one list, or those of each worker that makes
///   batches of its own
/// @param end how the epoch ends
record EpochPlan(
    Plan plan,
    StateIdentity identity,
    Rank rank,
    EpochStart from,
    List<List<Run>> workers,
    EpochEnd end) {
  /// Returns all runs.
  ///
  /// @return in the order of the sequence, or of the workers
  List<Run> runs() {
    return workers.stream().flatMap(List::stream).toList();
  }

  /// Returns the state behind some more batches.
  ///
  /// @param further where in [#runs()] they end
  /// @param rows how many rows they have
  /// @param more how many they are
  LoaderState state(Position further, long rows, long more) {
    Position position = from.dealing().byMatches() ? new Position(rows, 0) : further;
    return new LoaderState(
        identity,
        plan.epoch(),
        from.past(),
        from.dealing(),
        OptionalInt.of(rank.index()),
        List.of(from.position().plus(position)),
        from.batches() + more);
  }
}
