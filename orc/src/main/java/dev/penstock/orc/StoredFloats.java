package dev.penstock.orc;

import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.LittleEndian;
import dev.penstock.spi.format.ScratchBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.apache.orc.OrcProto;
import org.jspecify.annotations.Nullable;

/// Floating-point numbers, which a stripe stores as they are in memory.
final class StoredFloats extends StoredColumn {
  private final int width;
  private final StoredStream data;
  private final ScratchBuffer dense;
  private final ScratchBuffer values;

  StoredFloats(OrcColumn column, Workspace work) {
    super(column, work);
    this.width = column.type().byteWidth();
    this.data = work.stream();
    this.dense = new ScratchBuffer(work.memory);
    this.values = new ScratchBuffer(work.memory);
  }

  @Override
  void begin() {
    data.open(place(OrcProto.Stream.Kind.DATA));
  }

  @Override
  void seek(Positions positions) throws IOException {
    data.seek(positions);
  }

  @Override
  void skip(long count) throws IOException {
    data.skip(width * count);
  }

  @Override
  ColumnSlice read(int count, int present, @Nullable MemorySegment bits) throws IOException {
    MemorySegment numbers = data.read(dense, (long) width * present);
    if (bits != null) {
      numbers = inRows(numbers, count, present);
    }
    return ColumnSlice.fixed(type(), count, count - present, bits, numbers);
  }

  private MemorySegment inRows(MemorySegment numbers, int count, int present) {
    MemorySegment to = values.ensure((long) width * count);
    if (width == 8) {
      MemorySegment.copy(numbers, LONG, 0, work.dense, 0, present);
      MemorySegment.copy(spread(work.dense, count), 0, to, LONG, 0, count);
      return to;
    }
    for (int i = 0; i < present; i++) {
      work.dense[i] = numbers.get(LittleEndian.INT, 4L * i);
    }
    long[] inRows = spread(work.dense, count);
    for (int i = 0; i < count; i++) {
      to.set(LittleEndian.INT, 4L * i, (int) inRows[i]);
    }
    return to;
  }
}
