package dev.penstock.internal.deliver;

import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.columns.PartialBatch;
import dev.penstock.internal.columns.SliceTarget;
import dev.penstock.internal.decode.DecodeUnit;
import dev.penstock.internal.decode.RowSink;
import dev.penstock.internal.decode.RowSinks;
import dev.penstock.internal.memory.MemoryTurn;
import dev.penstock.internal.memory.WorkerScratch;
import dev.penstock.internal.slices.Rows;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The sinks of workers that fill batches.
///
/// @param mayConsumerMake whether the consumer makes results itself, see [DeliveryQueue#take]
public record BatchSinks(BatchLayout layout, DeliveryQueue queue, boolean mayConsumerMake)
    implements RowSinks {
  @Override
  public RowSink of(WorkerScratch scratch) {
    return new BatchSink(layout, queue, scratch);
  }

  @Override
  public boolean isTraced() {
    return queue.isTraced();
  }

  @Override
  public void finish() {
    queue.collateRest();
  }

  @Override
  public void workersEnded() {
    queue.workersEnded();
  }

  @Override
  public void fail(Throwable cause) {
    queue.fail(0, 0, 0, cause);
  }

  @Override
  public void wake() {
    queue.wake();
  }

  @Override
  public long bytesOfNext() {
    return queue.bytesOfNext();
  }

  @Override
  public boolean isReady() {
    return queue.isForConsumer(mayConsumerMake);
  }

  /// Copies the rows that a worker decodes to their places in batches.
  private static final class BatchSink implements RowSink {
    private final BatchLayout layout;
    private final DeliveryQueue queue;
    private final WorkerScratch scratch;
    private final Map<Integer, List<SliceTarget>> targetsByGroup = new HashMap<>();
    private int placedRun = -1;
    private long start; // of that run in the sequence
    private @Nullable BatchCuts cuts; // of that run

    BatchSink(BatchLayout layout, DeliveryQueue queue, WorkerScratch scratch) {
      this.layout = layout;
      this.queue = queue;
      this.scratch = scratch;
    }

    @Override
    public boolean isPlaced(int run) {
      return isPlaced(run, queue.start(run));
    }

    @Override
    public boolean awaitPlace(int run) {
      return isPlaced(run, queue.awaitStart(run));
    }

    private boolean isPlaced(int run, long at) {
      placedRun = run;
      start = at;
      cuts = at < 0 ? null : queue.cuts(run);
      return at >= 0;
    }

    private long place(DecodeUnit unit, long row) {
      if (placedRun != unit.index()) {
        isPlaced(unit.index());
      }
      BatchCuts own = cuts;
      return own == null ? queue.place(start + row) : start + own.place(row);
    }

    @Override
    public void counted(int run, long rows, int @Nullable [] batches, Runnable once) {
      queue.counted(run, rows, batches, once);
      if (placedRun == run) {
        placedRun = -1; // only now it is known whether the run has batches of its own
      }
    }

    @Override
    public int room(DecodeUnit unit, long row) {
      long place = place(unit, row);
      long end = queue.admit(unit.group().index(), place);
      return end < 0 ? -1 : (int) Math.min(end - place, Integer.MAX_VALUE);
    }

    @Override
    public void prepare(DecodeUnit unit, Rows rows) throws IOException {
      for (SliceTarget target : targets(unit)) {
        target.prepare(rows);
      }
    }

    private List<SliceTarget> targets(DecodeUnit unit) {
      return targetsByGroup.computeIfAbsent(
          unit.group().index(), _ -> unit.group().targets(scratch));
    }

    @Override
    public int take(DecodeUnit unit, Rows rows, int from, int most, long row) throws IOException {
      int batchSize = layout.batchSize();
      long place = place(unit, row);
      long number = place / batchSize;
      if (layout.holdsObjects() && !queue.hasRoomFor(number)) {
        return 0;
      }
      int to = (int) (place % batchSize);
      PartialBatch batch = queue.batch(number);
      int size = cuts == null ? batchSize : batch.rowCount();
      int count = Math.min(most, size - to);
      for (SliceTarget target : targets(unit)) {
        target.copy(from, count, batch, to);
      }
      if (unit.group().index() == 0) {
        batch.trace(rows, from, count, to);
      }
      if (to + count == size && unit.group().index() == 0) {
        batch.end(unit.placeBehind(rows, from + count));
      }
      queue.filled(batch, unit.group().index(), to, count);
      return count;
    }

    @Override
    public void flush() {
      queue.announce();
    }

    /// Rows are in the order of their runs, or of their places where workers take turns.
    @Override
    public void tell(MemoryTurn turn, DecodeUnit unit, long row) {
      int group = unit.group().index();
      if (queue.hasTurns()) {
        turn.at(0, place(unit, row), group);
      } else {
        turn.at(unit.index(), row, group);
      }
    }

    @Override
    public void fail(DecodeUnit unit, long row, Throwable cause) {
      queue.fail(unit.index(), unit.group().index(), place(unit, row), cause);
    }

    @Override
    public void release() {
      targetsByGroup.values().forEach(targets -> targets.forEach(SliceTarget::close));
      targetsByGroup.clear();
    }
  }
}
