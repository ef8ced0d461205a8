package dev.penstock.internal.decode;

import dev.penstock.split.PrunedRows.Level;
import dev.penstock.stats.PaddingStats;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/// Counts the rows that an epoch's filter left out, by what ruled them out, and what its
/// composition pads in the windows that were read so far. Safe for any thread.
public final class SkipCounter {
  private final LongAdder byStatistics = new LongAdder();
  private final LongAdder byBloomFilter = new LongAdder();
  private final LongAdder byPageIndex = new LongAdder();
  private final LongAdder byValue = new LongAdder();
  private final AtomicReference<PaddingStats> padding = new AtomicReference<>(PaddingStats.NONE);

  void add(Level level, long rows) {
    level(level).add(rows);
  }

  void addTested(long rows) {
    byValue.add(rows);
  }

  void add(PaddingStats more) {
    padding.accumulateAndGet(more, PaddingStats::plus);
  }

  public PaddingStats padding() {
    return padding.get();
  }

  public long rows(Level level) {
    return level(level).sum();
  }

  /// Returns how many rows were tested one by one.
  public long tested() {
    return byValue.sum();
  }

  private LongAdder level(Level level) {
    return switch (level) {
      case STATISTICS -> byStatistics;
      case BLOOM_FILTER -> byBloomFilter;
      case PAGE_INDEX -> byPageIndex;
    };
  }
}
