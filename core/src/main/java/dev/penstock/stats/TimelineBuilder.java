package dev.penstock.stats;

import java.util.ArrayList;
import java.util.List;

/// Collects what happens when in an epoch, in bounded memory, see [Timeline].
///
/// **Threads.** Any; a call takes some nanoseconds, and rarely a millisecond.
public final class TimelineBuilder {
  private static final int SPANS_MAX = 10_000;
  private static final int SAMPLES_MAX = 1_000;
  private static final long SAMPLE_NANOS = 20_000_000;

  // Guarded by this.
  private final Spans<SliceSpan> slices =
      new Spans<>(SPANS_MAX, SliceSpan::worker, SliceSpan::slices, SliceSpan::plus);
  private final Spans<WaitSpan> waits =
      new Spans<>(SPANS_MAX, WaitSpan::worker, WaitSpan::waits, WaitSpan::plus);
  private List<StatsSample> samples = new ArrayList<>();
  private long sampleEvery = SAMPLE_NANOS;

  /// Begins with nothing.
  public TimelineBuilder() {}

  /// Adds a slice.
  ///
  /// @param slice not before an earlier one of its worker
  public synchronized void add(SliceSpan slice) {
    slices.add(slice);
  }

  /// Adds a wait.
  ///
  /// @param wait not before an earlier one of its worker
  public synchronized void add(WaitSpan wait) {
    waits.add(wait);
  }

  /// Adds a sample. One that comes too soon replaces the one before, so that the last is kept.
  ///
  /// @param sample not before an earlier one
  public synchronized void add(StatsSample sample) {
    int last = samples.size() - 1;
    if (last > 0 && sample.atNanos() - samples.get(last - 1).atNanos() < sampleEvery) {
      samples.set(last, sample);
      return;
    }
    samples.add(sample);
    if (samples.size() > SAMPLES_MAX) {
      sampleEvery *= 2;
      List<StatsSample> half = new ArrayList<>();
      for (int i = 0; i < samples.size(); i += 2) {
        half.add(samples.get(i));
      }
      samples = half;
    }
  }

  /// {@return a snapshot of what was added so far}
  public synchronized Timeline timeline() {
    return new Timeline(slices.all(), waits.all(), samples);
  }
}
