package dev.penstock.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineBuilderTest {
  private final TimelineBuilder builder = new TimelineBuilder();

  private static SliceSpan slice(int worker, long at, String file) {
    return new SliceSpan(worker, at, at + 1, file, at, at + 1, 1, 1, 1, 2, 3, 4, 5, 6);
  }

  @Test
  void spansAreKeptByWorkerAndTime() {
    builder.add(slice(1, 10, "a"));
    builder.add(slice(0, 20, "a"));
    builder.add(slice(1, 30, "b"));
    assertThat(builder.timeline().slices())
        .containsExactly(slice(0, 20, "a"), slice(1, 10, "a"), slice(1, 30, "b"));
  }

  @Test
  void aLongEpochIsCoarserButComplete() {
    int count = 1_000_000;
    for (int i = 0; i < count; i++) {
      builder.add(slice(i % 3, i, "a"));
      builder.add(new WaitSpan(i % 3 - 1, i, i + 2, 1, 1, "batch"));
    }
    List<SliceSpan> slices = builder.timeline().slices();
    assertThat(slices).hasSizeBetween(4_000, 10_000);
    assertThat(slices.stream().mapToLong(SliceSpan::rows).sum()).isEqualTo(count);
    assertThat(slices.stream().mapToLong(SliceSpan::slices).sum()).isEqualTo(count);
    assertThat(slices.stream().mapToLong(SliceSpan::transformNanos).sum()).isEqualTo(6L * count);
    int most = slices.stream().mapToInt(SliceSpan::slices).max().orElseThrow();
    assertThat(slices.stream().filter(each -> each.slices() < most).count()).isLessThanOrEqualTo(3);
    List<WaitSpan> waits = builder.timeline().waits();
    assertThat(waits).hasSizeBetween(4_000, 10_000);
    assertThat(waits.stream().mapToLong(WaitSpan::nanos).sum()).isEqualTo(count);
    assertThat(waits.getFirst().startNanos()).isZero();
  }

  @Test
  void spansOfSeveralFilesNameNone() {
    SliceSpan both = slice(0, 1, "a").plus(slice(0, 7, "b"));
    assertThat(both.file()).isEmpty();
    assertThat(both.endRow()).isZero();
    assertThat(slice(0, 1, "a").plus(slice(0, 7, "a")).endRow()).isEqualTo(8);
  }

  @Test
  void manyWorkersHaveAtLeastASpanEach() {
    for (int round = 0; round < 4; round++) {
      for (int worker = 0; worker < 12_000; worker++) {
        builder.add(slice(worker, round, "a"));
      }
    }
    assertThat(builder.timeline().slices()).hasSize(12_000);
  }

  @Test
  void samplesAreThinnedOutAndTheLastIsKept() {
    for (long i = 0; i < 100_000; i++) {
      long nanos = i * 5_000_000;
      builder.add(new StatsSample(nanos, i, i, i, i, BatchQueue.NONE));
    }
    List<StatsSample> samples = builder.timeline().samples();
    assertThat(samples).hasSizeBetween(400, 1_000);
    assertThat(samples.getFirst().rows()).isZero();
    assertThat(samples.getLast().rows()).isEqualTo(99_999);
    assertThat(samples).isSortedAccordingTo((a, b) -> Long.compare(a.atNanos(), b.atNanos()));
  }
}
