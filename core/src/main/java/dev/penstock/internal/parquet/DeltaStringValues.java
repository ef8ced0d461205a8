package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;

/// Byte arrays, stored without the prefix shared with the one before (DELTA_BYTE_ARRAY): the
/// lengths of the shared prefixes, the lengths of the suffixes, then the bytes of all suffixes.
final class DeltaStringValues extends SizedValues {
  /* Safety: measure() checks for each value that its prefix is not longer than the value before and
   * that its suffix is in the page; so no value is longer than all suffixes together. copy() checks
   * the ranges of all suffixes and of the target once, then copies up to 16 bytes as two words,
   * which may run into the room of the next value or the padding. The value before is in the
   * target, or for the first value in `previous`.
   *
   * Memory: a page of few bytes can have any number of long values. The caller asks fit() how many
   * there is room for. */
  private static final int PADDING = 16;

  private final DeltaDecoder prefixDecoder = new DeltaDecoder();
  private final DeltaDecoder suffixDecoder = new DeltaDecoder();
  private final Buffer prefixes; // parallel to the lengths
  private final Buffer previous;
  private boolean hasPrevious;

  private MemorySegment data = MemorySegment.NULL;
  private long position; // of the next value's suffix
  private long end;
  private long unmeasured; // bytes of suffixes whose lengths are not decoded yet
  private int measuredLength; // length of the last value that was measured

  DeltaStringValues(ScratchMemory memory) {
    super(memory);
    this.prefixes = new Buffer(memory);
    this.previous = new Buffer(memory);
  }

  @Override
  void open(MemorySegment data, long start, long end, int most) throws PageException {
    prefixDecoder.start(data, start, end, most);
    long suffixes = prefixDecoder.behind();
    suffixDecoder.start(data, suffixes, end, most);
    if (prefixDecoder.left() != suffixDecoder.left()) {
      throw PageException.of(
          "Corrupt Parquet page: it has %s prefixes but %s suffixes.",
          prefixDecoder.left(), suffixDecoder.left());
    }
    this.data = data;
    position = suffixDecoder.behind();
    unmeasured = end - position;
    hasPrevious = false;
    this.end = end;
    measuredLength = 0;
  }

  @Override
  long left() {
    return prefixDecoder.left();
  }

  @Override
  void measure(MemorySegment lengths, int at, int count) throws PageException {
    MemorySegment shared = prefixes.ensure(WINDOW * 4L);
    unmeasured -= DeltaLengthValues.sum(suffixDecoder, lengths, at, count, unmeasured);
    prefixDecoder.ints(Raw.address(shared, at * 4L, count * 4L), count);
    int before = measuredLength;
    for (int i = at; i < at + count; i++) {
      int prefix = shared.get(Raw.INT, i * 4L);
      if (prefix < 0 || prefix > before) {
        throw tooLong(prefix, before);
      }
      before = prefix + lengths.get(Raw.INT, i * 4L);
      lengths.set(Raw.INT, i * 4L, before);
    }
    measuredLength = before;
  }

  private static PageException tooLong(int prefix, int before) {
    return PageException.of(
        "Corrupt Parquet page: a value shares %s bytes with the one before, which has %s. Files"
            + " of parquet-mr before 1.8.0 can be so (PARQUET-246): write the file again.",
        Integer.toUnsignedLong(prefix), before);
  }

  @Override
  void shift(int from, int count) {
    MemorySegment.copy(prefixes.segment(), from * 4L, prefixes.segment(), 0, count * 4L);
  }

  @Override
  void copy(MemorySegment lengths, int from, int count, long bytes, MemorySegment target, long at) {
    long suffix = Raw.address(data, position, end - position + PADDING);
    long start = suffix;
    long to = Raw.address(target, at, bytes + PADDING);
    long before = hasPrevious ? Raw.address(previous.segment(), 0, PADDING) : to;
    long shared = Raw.address(prefixes.segment(), from * 4L, count * 4L);
    long sizes = Raw.address(lengths, from * 4L, count * 4L);
    int length = 0;
    for (int i = 0; i < count; i++) {
      int prefix = Raw.ALL.get(Raw.INT, shared + i * 4L);
      length = Raw.ALL.get(Raw.INT, sizes + i * 4L);
      copy(before, to, prefix);
      copy(suffix, to + prefix, length - prefix);
      suffix += length - prefix;
      before = to;
      to += length;
    }
    position += suffix - start;
    MemorySegment.copy(target, at + bytes - length, previous.ensure(length), 0, length);
    hasPrevious = true;
  }

  private static void copy(long source, long target, int bytes) {
    if (bytes <= 16) {
      long first = Raw.ALL.get(Raw.LONG, source);
      long second = Raw.ALL.get(Raw.LONG, source + 8);
      Raw.ALL.set(Raw.LONG, target, first);
      Raw.ALL.set(Raw.LONG, target + 8, second);
    } else {
      Raw.copy(source, target, bytes);
    }
  }

  @Override
  void close() {
    super.close();
    prefixes.release();
    previous.release();
  }
}
