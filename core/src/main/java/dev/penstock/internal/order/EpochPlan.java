package dev.penstock.internal.order;

import dev.penstock.internal.plan.EpochEnd;
import dev.penstock.internal.plan.Position;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.state.SavedState;
import dev.penstock.internal.state.StateIdentity;
import dev.penstock.split.Rank;
import dev.penstock.steps.Steps;
import java.util.List;
import java.util.OptionalInt;

/// What a rank delivers in an epoch: its share of the remaining rows, and where it starts.
///
/// @param workers the rank's remaining rows: one list, or a list per worker if each makes its own
///   batches
/// @param notesDelivered whether a state counts delivered rows where ranks were dealt what was
///   counted
public record EpochPlan(
    long epoch,
    StateIdentity identity,
    Rank rank,
    ResumePoint from,
    List<List<Run>> workers,
    EpochEnd end,
    boolean notesDelivered) {
  /// Returns all runs, in the order of the sequence, or of the workers.
  public List<Run> runs() {
    return workers.stream().flatMap(List::stream).toList();
  }

  /// Returns the state after some more batches, whose rows end at a position in [#runs()].
  public SavedState state(Position further, long rows, long more) {
    return state(further, rows, more, from.skips());
  }

  /// Returns the same with other steps that are not delivered.
  public SavedState state(Position further, long rows, long more, List<Steps> skips) {
    Position position =
        notesDelivered && from.dealing().byMatches() ? new Position(rows, 0) : further;
    return new SavedState(
        identity,
        epoch,
        from.past(),
        from.dealing(),
        OptionalInt.of(rank.index()),
        List.of(from.position().plus(position)),
        from.batches() + more,
        skips,
        from.excluded());
  }
}
