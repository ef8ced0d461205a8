package dev.penstock;

import dev.penstock.internal.state.SavedState;
import java.util.List;
import java.util.Objects;

/// Where to continue: how much of an epoch the consumer has received, in a few numbers.
///
/// A loader with this state delivers exactly the rows that would have come next, bit for bit, with
/// any number of workers. With another number of ranks the remaining rows are dealt anew: none is
/// lost, none comes twice. The state of any one rank is enough for that, except with a transform
/// that may change the number of rows, or with a filter whose matches were not counted (see
/// [dev.penstock.options.LoaderOptions#countMatches(boolean)]): there it takes the states of all
/// ranks, see [#merge].
///
/// The state identifies its files, columns, filter, shuffle, seed and splits. A loader that differs
/// in one of them refuses it. Batch size, workers and other options may differ; the next batch
/// starts with the next row.
///
/// It also has the steps to skip ([DataLoader#skip]) and the rows that are excluded
/// ([DataLoader#exclude]): a loader that resumes leaves them out.
///
/// **Order.** Its JSON is part of our contract: later versions read it.
///
/// Immutable.
public final class LoaderState {
  final SavedState saved;

  LoaderState(SavedState saved) {
    this.saved = saved;
  }

  /// Reads a state.
  ///
  /// @param json a text that [#toJson()] wrote
  /// @return the state
  /// @throws IllegalArgumentException if it is not a state, or is of a later version
  public static LoaderState parse(String json) {
    return new LoaderState(SavedState.parse(json));
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
    return new LoaderState(SavedState.merge(states.stream().map(each -> each.saved).toList()));
  }

  /// Writes the state.
  ///
  /// @return JSON, to be read by [#parse]
  public String toJson() {
    return saved.toJson();
  }

  /// Returns the epoch to continue.
  ///
  /// @return counted from 0
  public long epoch() {
    return saved.epoch();
  }

  /// Returns how many batches of the epoch this rank has received or skipped.
  ///
  /// @return counted over all resumes; 0 at the start of an epoch
  public long batches() {
    return saved.batches();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LoaderState state && toJson().equals(state.toJson());
  }

  @Override
  public int hashCode() {
    return Objects.hash(saved.identity(), epoch(), batches());
  }

  @Override
  public String toString() {
    return toJson();
  }
}
