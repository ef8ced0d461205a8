package dev.penstock.score;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/// Counts the rows of the parts that are being made.
///
/// **Threads.** Safe for any; the listener is called without a lock.
final class ProgressCount {
  private final Consumer<ScoreProgress> listener;
  private final Parts parts;
  private final long rowsTotal;
  private final int partsTotal;
  private final AtomicLong rows;
  private final AtomicInteger made;

  ProgressCount(
      Consumer<ScoreProgress> listener, Parts parts, List<Integer> mine, List<Integer> missing) {
    this.listener = listener;
    this.parts = parts;
    this.rowsTotal = rows(mine);
    this.partsTotal = mine.size();
    this.rows = new AtomicLong(rowsTotal - rows(missing));
    this.made = new AtomicInteger(mine.size() - missing.size());
  }

  private long rows(List<Integer> some) {
    return some.stream().mapToLong(parts::rows).sum();
  }

  PartRows of(int part) {
    return new PartRows(parts.rows(part));
  }

  private void add(long count, int parts) {
    long rowsNow = rows.addAndGet(count);
    listener.accept(new ScoreProgress(rowsNow, rowsTotal, made.addAndGet(parts), partsTotal));
  }

  /// Is told the rows of each batch of a part. A filter leaves fewer than the part has.
  final class PartRows implements IntConsumer {
    private long left;

    private PartRows(long left) {
      this.left = left;
    }

    @Override
    public void accept(int count) {
      left -= count;
      add(count, 0);
    }

    void made() {
      add(left, 1);
    }
  }
}
