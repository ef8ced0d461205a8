package dev.penstock.benchmarks.readers.floor;

import dev.penstock.benchmarks.readers.Buffers;
import dev.penstock.benchmarks.readers.Reader;
import dev.penstock.benchmarks.readers.Table.Column;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Copies as many bytes as a scan delivers, from a buffer that stays in the processor's cache.
public final class CopyFloor implements Reader {
  private final MemorySegment source = allocate();
  private final MemorySegment target = allocate();

  /// Makes the floor.
  public CopyFloor() {}

  private static MemorySegment allocate() {
    return Arena.global().allocate(BATCH_ROWS * 512L, 64);
  }

  @Override
  public String name() {
    return "floor: memory copy";
  }

  @Override
  public boolean delivers() {
    return false;
  }

  @Override
  public void read(Scan scan, Sink sink) {
    List<Column> columns = scan.table().columns();
    Buffers buffers = new Buffers(columns.size());
    for (long left = scan.rows(); left > 0; left -= BATCH_ROWS) {
      int rows = (int) Math.min(left, BATCH_ROWS);
      buffers.rows(rows);
      for (int i = 0; i < columns.size(); i++) {
        long bytes = (long) rows * columns.get(i).kind().bytes();
        MemorySegment.copy(source, 0, target, 0, bytes);
        buffers.set(i, target.asSlice(0, bytes));
      }
      sink.accept(buffers);
    }
  }
}
