package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;

/// Byte arrays, stored as all lengths, then all bytes (DELTA_LENGTH_BYTE_ARRAY).
final class DeltaLengthValues extends SizedValues {
  private final DeltaDecoder decoder = new DeltaDecoder();
  private MemorySegment data = MemorySegment.NULL;
  private long position; // of the next value's bytes
  private long unmeasured; // bytes of values whose lengths are not decoded yet

  DeltaLengthValues(ScratchMemory memory) {
    super(memory);
  }

  @Override
  void open(MemorySegment data, long start, long end, int most) throws PageException {
    decoder.start(data, start, end, most);
    this.data = data;
    position = decoder.behind();
    unmeasured = end - position;
  }

  @Override
  long left() {
    return decoder.left();
  }

  @Override
  void measure(MemorySegment lengths, int at, int count) throws PageException {
    unmeasured -= sum(decoder, lengths, at, count, unmeasured);
  }

  /// Decodes `count` lengths, whose sum may be at most `most`, and returns their sum.
  static long sum(DeltaDecoder decoder, MemorySegment lengths, int at, int count, long most)
      throws PageException {
    decoder.ints(Raw.address(lengths, at * 4L, count * 4L), count);
    long sum = 0;
    int signs = 0;
    for (int i = 0; i < count; i++) {
      int length = lengths.get(Raw.INT, (at + i) * 4L);
      signs |= length;
      sum += length;
    }
    if (signs < 0) {
      throw new PageException("Corrupt Parquet page: the length of a value is negative.");
    }
    if (sum > most) {
      throw PageException.of(
          "Corrupt Parquet page: its values need %s bytes but %s are left.", sum, most);
    }
    return sum;
  }

  @Override
  void copy(MemorySegment lengths, int from, int count, long bytes, MemorySegment target, long at) {
    MemorySegment.copy(data, position, target, at, bytes);
    position += bytes;
  }
}
