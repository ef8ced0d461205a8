package dev.penstock;

import dev.penstock.internal.clock.ClockedEpoch;
import dev.penstock.internal.order.EpochPlan;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.steps.RowDigests;
import dev.penstock.internal.steps.StepLog;
import dev.penstock.internal.steps.StepNotes;
import dev.penstock.options.LoaderOptions;
import dev.penstock.options.Recording;
import dev.penstock.split.Rank;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The digests of a loader's steps, and their log, if its options want them.
///
/// **Threads.** One begins epochs at a time; [#close] from any.
final class StepRecording implements AutoCloseable {
  private final LoaderOptions options;
  private final long loaderNumber;
  private volatile @Nullable StepLog log; // as soon as it is written to
  private @Nullable RowDigests digests; // as soon as they are made

  StepRecording(LoaderOptions options, long loaderNumber) {
    this.options = options;
    this.loaderNumber = loaderNumber;
  }

  /// Returns what makes the digests of a dataset's rows.
  static RowDigests digests(StructuredDataset dataset, LoaderOptions options) {
    return digests(EpochStarter.sources(EpochStarter.planned(dataset, options)));
  }

  private static RowDigests digests(List<Source> sources) {
    return new RowDigests(sources.stream().map(each -> each.table().files()).toList());
  }

  /// Returns what takes note of an epoch's steps; null if nobody wants that.
  @Nullable StepNotes begin(EpochPlan plan, Rank rank, Supplier<List<Source>> sources) {
    Recording recording = options.recording();
    if (!recording.stepDigests() && !StepNotes.LOG.isDebugEnabled()) {
      return null;
    }
    if (log == null && recording.stepLog().isPresent()) {
      log = StepLog.open(recording.stepLog().get());
    }
    RowDigests known = digests;
    if (known == null) {
      known = digests(sources.get());
      digests = known;
    }
    return new StepNotes(
        known,
        new ClockedEpoch(loaderNumber, options::text, plan.epoch(), null),
        new StepNotes.Steps(plan.from().batches(), rank.index(), plan.from().dealing().world()),
        log);
  }

  @Override
  public void close() {
    StepLog open = log;
    if (open != null) {
      open.close();
    }
  }
}
