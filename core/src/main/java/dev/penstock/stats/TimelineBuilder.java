package dev.penstock.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.ToIntFunction;

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

  /// Spans of time by worker. When there are too many, each two neighbours of a worker become one,
  /// and so do later ones; thus all parts of an epoch are equally coarse.
  ///
  /// **Threads.** One at a time.
  ///
  /// @param <T> a span
  private static final class Spans<T> {
    private final int most;
    private final ToIntFunction<T> worker;
    private final ToIntFunction<T> count;
    private final BinaryOperator<T> plus;
    private TreeMap<Integer, List<T>> lanes = new TreeMap<>();
    private int size;
    private int grain = 1; // how many spans become one

    /// Starts without spans.
    ///
    /// @param most how many spans are kept; of each worker at least one
    /// @param worker tells a span's worker
    /// @param count tells how many a span stands for
    /// @param plus puts a span and the next of the same worker together
    Spans(int most, ToIntFunction<T> worker, ToIntFunction<T> count, BinaryOperator<T> plus) {
      this.most = most;
      this.worker = worker;
      this.count = count;
      this.plus = plus;
    }

    /// Adds a span, which is not before an earlier one of its worker.
    void add(T span) {
      put(span);
      while (size > most && size > lanes.size() && grain < 1 << 30) {
        coarsen();
      }
    }

    private void put(T span) {
      List<T> lane = lanes.computeIfAbsent(worker.applyAsInt(span), _ -> new ArrayList<>());
      if (!lane.isEmpty()
          && (long) count.applyAsInt(lane.getLast()) + count.applyAsInt(span) <= grain) {
        lane.set(lane.size() - 1, plus.apply(lane.getLast(), span));
      } else {
        lane.add(span);
        size++;
      }
    }

    private void coarsen() {
      TreeMap<Integer, List<T>> fine = lanes;
      grain *= 2;
      lanes = new TreeMap<>();
      size = 0;
      fine.values().forEach(lane -> lane.forEach(this::put));
    }

    /// Returns all spans, by worker, then in the order in which they were added.
    List<T> all() {
      return lanes.values().stream().flatMap(List::stream).toList();
    }
  }
}
