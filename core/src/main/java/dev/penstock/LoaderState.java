package dev.penstock;

import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Dealing.Leg;
import dev.penstock.internal.plan.Position;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/// Where to continue: how much of an epoch the consumer has received, in a few numbers.
///
/// A loader with this state delivers exactly the rows that would have come next, bit for bit, with
/// any number of workers. With another number of ranks the remaining rows are dealt anew: none is
/// lost, none comes twice. The state of any one rank is enough for that, except with a transform,
/// or with a filter whose matches were not counted (see
/// [dev.penstock.options.LoaderOptions#countMatches(boolean)]): there it takes the states of all
/// ranks, see [#merge].
///
/// The state identifies its files, columns, filter, shuffle, seed and splits. A loader that differs
/// in one of them refuses it. Batch size, workers and other options may differ; the next batch
/// starts with the next row.
///
/// **Order.** Its JSON is part of our contract: later versions read it.
///
/// Immutable.
public final class LoaderState {
  private final StateIdentity identity;
  private final long epoch;
  private final List<Leg> past;
  private final Dealing dealing;
  private final OptionalInt rank;
  private final List<Position> positions;
  private final long batches;

  /// Makes a state.
  ///
  /// @param past where the ranks of earlier worlds stopped, the first world first
  /// @param rank the rank of this state; empty if there is a position for each rank
  /// @param positions the rank's position in its share; or the positions of all ranks
  LoaderState(
      StateIdentity identity,
      long epoch,
      List<Leg> past,
      Dealing dealing,
      OptionalInt rank,
      List<Position> positions,
      long batches) {
    this.identity = identity;
    this.epoch = epoch;
    this.past = List.copyOf(past);
    this.dealing = dealing;
    this.rank = rank;
    this.positions = List.copyOf(positions);
    this.batches = batches;
  }

  /// Reads a state.
  ///
  /// @param json a text that [#toJson()] wrote
  /// @return the state
  /// @throws IllegalArgumentException if it is not a state, or is of a later version
  public static LoaderState parse(String json) {
    return StateJson.read(json);
  }

  /// Joins the states of all ranks after the same step.
  ///
  /// A loader that resumed returns the state that it was given until its first batch. So if that
  /// was a merged state, or the state of one rank that all were given, it is the result.
  ///
  /// @param states one for each rank, in any order
  /// @return a state that any rank can resume with, in a world of any size
  /// @throws IllegalArgumentException if they are from different runs, or some ranks are missing
  public static LoaderState merge(List<LoaderState> states) {
    if (states.isEmpty()) {
      throw new IllegalArgumentException("Cannot merge states: there is none.");
    }
    LoaderState first = states.getFirst();
    int world = first.dealing.world();
    Map<Integer, Position> byRank = new HashMap<>();
    for (LoaderState state : states) {
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
    return new LoaderState(
        first.identity,
        first.epoch,
        first.past,
        first.dealing,
        OptionalInt.empty(),
        positions,
        first.batches);
  }

  private void requireSameStep(LoaderState state) {
    state.identity.require(identity);
    if (!reduced(state.past).equals(reduced(past))) {
      throw new IllegalArgumentException(
          "Cannot merge states: one went on from "
              + text(past)
              + ", another from "
              + text(state.past)
              + ". Take the states of ranks that resumed with the same one.");
    }
    if (state.epoch != epoch || state.batches != batches || !state.dealing.equals(dealing)) {
      throw new IllegalArgumentException(
          "Cannot merge states: one is after batch "
              + batches
              + " of epoch "
              + epoch
              + " with "
              + dealing.text()
              + ", another after batch "
              + state.batches
              + " of epoch "
              + state.epoch
              + " with "
              + state.dealing.world()
              + ". Take the states of one step.");
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

  /// Writes the state.
  ///
  /// @return JSON, to be read by [#parse]
  public String toJson() {
    return StateJson.write(this);
  }

  /// Returns the epoch to continue.
  ///
  /// @return counted from 0
  public long epoch() {
    return epoch;
  }

  /// Returns how many batches of the epoch this rank has received.
  ///
  /// @return counted over all resumes; 0 at the start of an epoch
  public long batches() {
    return batches;
  }

  StateIdentity identity() {
    return identity;
  }

  List<Leg> past() {
    return past;
  }

  Dealing dealing() {
    return dealing;
  }

  OptionalInt rank() {
    return rank;
  }

  /// Returns whether its positions count only rows that match the filter.
  boolean countsMatches() {
    return dealing.byMatches() || past.stream().anyMatch(stage -> stage.dealing().byMatches());
  }

  List<Position> positions() {
    return positions;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LoaderState state && toJson().equals(state.toJson());
  }

  @Override
  public int hashCode() {
    return Objects.hash(identity, epoch, batches);
  }

  @Override
  public String toString() {
    return toJson();
  }
}
