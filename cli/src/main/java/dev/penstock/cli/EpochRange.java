package dev.penstock.cli;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import java.util.Optional;

/// The epochs of a run, and where it starts in the first one.
///
/// @param end the epoch after the last
/// @param saved where to continue in the first; empty to start at its beginning
record EpochRange(long first, long end, Optional<SavedState> saved) {
  /// Returns the range of a run over one epoch, or the rest of that epoch.
  ///
  /// The state after the last batch of an epoch is the state before the first batch of the next. If
  /// no epoch is named, nothing is left of the finished epoch then.
  static EpochRange ofOne(RequestOptions request, Optional<SavedState> saved) {
    if (saved.isEmpty() || request.choosesEpoch()) {
      return of(request, 1, saved);
    }
    LoaderState state = saved.get().state();
    boolean isAtEnd = state.batches() == 0 && state.epoch() > 0;
    return new EpochRange(
        state.epoch(), isAtEnd ? state.epoch() : Math.addExact(state.epoch(), 1), saved);
  }

  /// Returns the range of a run over some epochs, or the rest of them.
  ///
  /// @throws IllegalArgumentException if the state lies in another epoch
  static EpochRange of(RequestOptions request, int epochs, Optional<SavedState> saved) {
    long first = request.epoch();
    long end = first + epochs;
    if (saved.isEmpty()) {
      return new EpochRange(first, end, saved);
    }
    LoaderState state = saved.get().state();
    long at = state.epoch();
    if (at < first || at > end || (at == end && state.batches() > 0)) {
      throw new IllegalArgumentException(
          ("Cannot resume: the state is in epoch %s after batch %s, but the epochs are [%s, %s)"
                  + " here. Choose epochs as in the stopped run.")
              .formatted(at, state.batches(), first, end));
    }
    return new EpochRange(at, end, saved);
  }

  boolean isEmpty() {
    return first == end;
  }

  /// Moves a loader to the start of the range.
  void begin(DataLoader loader) {
    loader.setEpoch(first);
    saved.ifPresent(each -> loader.resume(each.state()));
  }
}
