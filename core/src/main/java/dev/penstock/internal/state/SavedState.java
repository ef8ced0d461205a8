package dev.penstock.internal.state;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.choice.Shown;
import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Dealing.Leg;
import dev.penstock.internal.plan.Position;
import dev.penstock.internal.plan.SkippedSteps;
import dev.penstock.steps.Steps;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/// Where a run goes on.
///
/// @param past where the ranks of earlier worlds stopped, the first world first
/// @param rank the rank of this state; empty if there is a position for each rank
/// @param positions the rank's position in its share; or the positions of all ranks
/// @param batches how many of the epoch were received or skipped, over all resumes
/// @param skips the steps that are not delivered, as they are dealt now
/// @param excluded the rows that are not delivered, and from where on
public record SavedState(
    StateIdentity identity,
    long epoch,
    List<Leg> past,
    Dealing dealing,
    OptionalInt rank,
    List<Position> positions,
    long batches,
    List<Steps> skips,
    List<Exclusion> excluded) {
  public SavedState {
    past = List.copyOf(past);
    positions = List.copyOf(positions);
    skips = SkippedSteps.joined(skips);
    excluded = Exclusion.joined(excluded);
  }

  /// Reads what [#toJson] wrote.
  ///
  /// @throws IllegalArgumentException if it is not a state, or is of a later version
  public static SavedState parse(String json) {
    return StateJson.read(json);
  }

  public String toJson() {
    return StateJson.write(this);
  }

  /// Returns whether its positions count only rows that match the filter.
  public boolean countsMatches() {
    return dealing.byMatches() || past.stream().anyMatch(stage -> stage.dealing().byMatches());
  }

  /// Returns the same with other steps that are not delivered.
  public SavedState skipping(List<Steps> others) {
    return new SavedState(
        identity, epoch, past, dealing, rank, positions, batches, others, excluded);
  }

  /// Returns the same with other rows that are not delivered.
  public SavedState excluding(List<Exclusion> others) {
    return new SavedState(identity, epoch, past, dealing, rank, positions, batches, skips, others);
  }

  /// Joins the states of all ranks after the same step, in any order.
  ///
  /// @throws IllegalArgumentException if they are from different runs, or some ranks are missing
  public static SavedState merge(List<SavedState> states) {
    if (states.isEmpty()) {
      throw new IllegalArgumentException("Cannot merge states: there is none.");
    }
    SavedState first = states.getFirst();
    int world = first.dealing.world();
    Map<Integer, Position> byRank = new HashMap<>();
    for (SavedState state : states) {
      first.requireSameStep(state);
      for (int i = 0; i < state.positions.size(); i++) {
        byRank.put(state.rank.orElse(i), state.positions.get(i));
      }
    }
    boolean isGivenToMany = states.size() > byRank.size() && byRank.size() < world;
    if (isGivenToMany && byRank.values().stream().distinct().count() == 1) {
      return first;
    }
    List<Position> positions = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      Position found = byRank.get(rank);
      if (found == null) {
        throw new IllegalArgumentException(
            "Cannot merge states: that of rank " + rank + " of " + world + " is not there.");
      }
      positions.add(found);
    }
    return new SavedState(
        first.identity,
        first.epoch,
        first.past,
        first.dealing,
        OptionalInt.empty(),
        positions,
        first.batches,
        first.skips,
        first.excluded);
  }

  private void requireSameStep(SavedState state) {
    state.identity.require(identity);
    if (!reduced(state.past).equals(reduced(past))) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot merge states: one went on from %s, another from %s. Take the"
                  + " states of ranks that resumed with the same one.",
              text(past), text(state.past)));
    }
    if (state.epoch != epoch || state.batches != batches || !state.dealing.equals(dealing)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot merge states: one is after batch %s of epoch %s with %s, another"
                  + " after batch %s of epoch %s with %s. Take the states of one step.",
              batches, epoch, dealing.text(), state.batches, state.epoch, state.dealing.world()));
    }
    requireSame("steps to skip", skips, state.skips);
    requireSame("excluded rows", excluded, state.excluded);
  }

  private static void requireSame(String what, List<?> here, List<?> there) {
    if (!here.equals(there)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot merge states: the %s are %s in one but %s in another. All ranks have to skip"
                  + " and to exclude the same at the same step.",
              what, Shown.list(here, Object::toString), Shown.list(there, Object::toString)));
    }
  }

  private static List<Leg> reduced(List<Leg> past) {
    return past.stream().map(Leg::reduced).toList();
  }

  private static String text(List<Leg> past) {
    return past.isEmpty()
        ? "the start of the epoch"
        : past.stream().map(Leg::text).collect(Collectors.joining(" and then "));
  }
}
