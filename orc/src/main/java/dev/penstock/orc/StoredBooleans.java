package dev.penstock.orc;

import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.apache.orc.OrcProto;
import org.jspecify.annotations.Nullable;

/// Booleans, in runs of bits.
final class StoredBooleans extends StoredColumn {
  private final BitRuns runs;
  private final ScratchBuffer values;
  private final long[] words = new long[BitRuns.wordsFor(ROWS_MAX)];

  StoredBooleans(OrcColumn column, Workspace work) {
    super(column, work);
    this.runs = new BitRuns(work.stream());
    this.values = new ScratchBuffer(work.memory);
  }

  @Override
  void begin() {
    runs.open(place(OrcProto.Stream.Kind.DATA));
  }

  @Override
  void seek(Positions positions) throws IOException {
    runs.seek(positions);
  }

  @Override
  void skip(long count) throws IOException {
    runs.skip(count);
  }

  @Override
  ColumnSlice read(int count, int present, @Nullable MemorySegment bits) throws IOException {
    runs.read(words, present);
    MemorySegment to = values.ensure(8L * ((count + 63) / 64));
    if (bits == null) {
      MemorySegment.copy(words, 0, to, LONG, 0, (count + 63) / 64);
    } else {
      int from = 0;
      for (int word = 0; word << 6 < count; word++) {
        long here = work.present[word];
        long set = 0;
        for (; here != 0; here &= here - 1) {
          set |= (words[from >>> 6] >>> from & 1) << Long.numberOfTrailingZeros(here);
          from++;
        }
        to.setAtIndex(LONG, word, set);
      }
    }
    return ColumnSlice.fixed(type(), count, count - present, bits, to);
  }
}
