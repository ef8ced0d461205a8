package dev.penstock.cli;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.batch.Batch;
import dev.penstock.cli.measure.RowDigest;
import dev.penstock.cli.measure.ShuffleReport;
import dev.penstock.cli.output.Progress;
import dev.penstock.cli.output.Step;
import dev.penstock.split.Rank;
import java.util.Optional;
import java.util.OptionalLong;

/// Runs epochs of a loader as a training loop would: computes digests, and stops and saves as
/// requested.
final class LoadRun {
  private final DataLoader loader;
  private final StateOptions states;
  private final String rank;

  private long resumedAfter;
  private Optional<BegunEpoch> begun;
  private boolean isKnown;
  private boolean isWarned;
  private long batches;
  private LoaderState state;

  /// Makes the run of a loader that is at the start of the range.
  LoadRun(DataLoader loader, EpochRange range, StateOptions states) {
    this.loader = loader;
    this.states = states;
    this.rank = loader.options().rankShare().rank().orElse(Rank.SINGLE).toString();
    this.state = loader.state();
    this.resumedAfter = state.batches();
    // Another rank's rows do not count here.
    this.begun = range.saved().flatMap(SavedState::begun).filter(each -> each.rank().equals(rank));
    this.isKnown = resumedAfter == 0 || begun.isPresent();
  }

  /// Returns whether the run has reached its limit of batches.
  boolean isStopped() {
    return batches >= states.stopAfter();
  }

  /// Returns whether the epoch that was run last is complete.
  boolean hasEnded(long epoch) {
    return state.epoch() > epoch;
  }

  /// Runs the next epoch, or the rest of it.
  ///
  /// @param rowsExpected its number of rows, see [Step#of]
  EpochReport epoch(
      String name, Progress progress, long rowsExpected, Optional<ShuffleReport> shuffle) {
    RowDigest digest = begun.map(BegunEpoch::digest).orElseGet(RowDigest::new);
    long rowsBefore = begun.map(BegunEpoch::rows).orElse(0L);
    long batchesBefore = batchesBefore();
    long start = System.nanoTime();
    try (EpochIterator<Batch> epoch = begin(progress)) {
      if (!isWarned) {
        isWarned = true;
        loader.warnings().forEach(warning -> progress.say(CommandWords.warning(warning)));
      }
      while (!isStopped() && epoch.hasNext()) {
        try (Batch batch = epoch.next()) {
          digest.add(batch);
        }
        batches++;
        progress.update(() ->
            Step.of(
                ofRank() + name,
                loader.stats(),
                rowsBefore,
                isKnown ? rowsExpected : -1,
                System.nanoTime() - start));
        if (states.isDue(batches)) {
          state = loader.state();
          if (!hasEnded(epoch.epoch())) { // else it is saved after the epoch's report
            save(rowsBefore + loader.stats().rows(), digest);
          }
        }
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      state = loader.state();
      boolean ended = hasEnded(epoch.epoch());
      return new EpochReport(
          loader.stats(),
          seconds,
          new EpochReport.Delivered(
              rowsBefore + loader.stats().rows(), batchesBefore + loader.stats().batches(), digest),
          resumedAfter,
          isKnown && ended,
          shuffle);
    }
  }

  private long batchesBefore() {
    return isKnown
        ? begun.map(BegunEpoch::batches).orElse(OptionalLong.empty()).orElse(resumedAfter)
        : 0;
  }

  /// Returns how many steps the epoch has had that is not complete, with those that were skipped.
  long stoppedAfter() {
    return state.batches();
  }

  private EpochIterator<Batch> begin(Progress progress) {
    try (PassProgress _ = new PassProgress(loader, ofRank(), progress)) {
      return loader.iterator();
    }
  }

  private String ofRank() {
    return rank.equals(Rank.SINGLE.toString()) ? "" : "rank " + rank + ", ";
  }

  /// Saves the state that the run began with.
  void saveAgain() {
    states.save(new SavedState(state, begun));
  }

  /// Saves the state after an epoch that has been reported, and drops the epoch.
  void save(EpochReport report) {
    save(report.delivered().rows(), report.delivered().digest());
    begun = Optional.empty();
    resumedAfter = 0;
    isKnown = true;
  }

  private void save(long rows, RowDigest digest) {
    boolean isInside = state.batches() > 0;
    long batches = batchesBefore() + loader.stats().batches();
    OptionalLong ifSkipped =
        batches == state.batches() ? OptionalLong.empty() : OptionalLong.of(batches);
    states.save(
        new SavedState(
            state,
            isInside && isKnown
                ? Optional.of(new BegunEpoch(rank, rows, ifSkipped, digest))
                : Optional.empty()));
  }
}
