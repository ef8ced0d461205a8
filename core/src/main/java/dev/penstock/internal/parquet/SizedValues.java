package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/// Byte arrays of a page in an encoding that stores their lengths separately.
///
/// Look at the lengths of the next values as far ahead as needed ([#fit], [#lengths]), make room,
/// then [#take] them.
abstract sealed class SizedValues permits DeltaLengthValues, DeltaStringValues {
  /* Memory: the lengths of at most WINDOW values are held. Lengths not used yet are moved to the
   * front when more are wanted. */

  static final int WINDOW = 8192; // the most values that can be looked at at once
  private final Buffer lengths;
  private int from; // the index of the next value in `lengths`
  private int to;

  SizedValues(ScratchMemory memory) {
    this.lengths = new Buffer(memory);
  }

  /// Returns a decoder for an encoding: `held` if it fits, else a new one that replaces it.
  static SizedValues of(Encoding encoding, @Nullable SizedValues held, ScratchMemory memory) {
    boolean lengthsOnly = encoding == Encoding.DELTA_LENGTH_BYTE_ARRAY;
    if (held != null) {
      if (held instanceof DeltaLengthValues == lengthsOnly) {
        return held;
      }
      held.close();
    }
    return lengthsOnly ? new DeltaLengthValues(memory) : new DeltaStringValues(memory);
  }

  /// Starts on at most `most` values in bytes `[start, end)`; without bytes there are none.
  final void start(MemorySegment data, long start, long end, int most) throws PageException {
    from = 0;
    to = 0;
    lengths.ensure(WINDOW * 4L);
    open(data, start, end, most);
  }

  /// Returns how many of the next `count` values, at most [#WINDOW], take at most `bytes` bytes in
  /// total. Values that the page does not have count as fitting.
  final int fit(int count, long bytes) throws PageException {
    int want = Math.min(count, WINDOW);
    int ahead = look(want);
    MemorySegment ints = lengths.segment();
    long sum = 0;
    for (int i = 0; i < ahead; i++) {
      sum += ints.get(Raw.INT, (from + i) * 4L);
      if (sum > bytes) {
        return i;
      }
    }
    return want;
  }

  /// Returns the lengths of the next `count` values, at most [#WINDOW], as 32-bit integers.
  ///
  /// They stay valid until the next call of this method or [#fit]; reading one more is safe.
  final MemorySegment lengths(int count) throws PageException {
    if (look(count) < count) {
      throw PageException.of(
          "Truncated Parquet page: %s more values are expected but it has the lengths of %s.",
          count, to - from);
    }
    return lengths.segment().asSlice(from * 4L);
  }

  /// Writes values, whose [#lengths] were requested before, one after another from byte `at` of the
  /// target, which ends with padding. `bytes` is the sum of their lengths.
  final void take(int count, long bytes, MemorySegment target, long at) {
    if (count > 0) {
      copy(lengths.segment(), from, count, bytes, target, at);
      from += count;
    }
  }

  /// Decodes the lengths of the next `count` values, or of all that are left, and returns how many
  /// there are.
  private int look(int count) throws PageException {
    int ahead = to - from;
    if (ahead >= count) {
      return count;
    }
    MemorySegment ints = lengths.segment();
    if (from > 0) {
      MemorySegment.copy(ints, from * 4L, ints, 0, ahead * 4L);
      shift(from, ahead);
      from = 0;
      to = ahead;
    }
    int more = (int) Math.min(count - ahead, left());
    measure(ints, to, more);
    to += more;
    return to;
  }

  void close() {
    lengths.release();
  }

  abstract void open(MemorySegment data, long start, long end, int most) throws PageException;

  /// Returns how many values of the page have not been measured.
  abstract long left();

  /// Writes the lengths of the next `count` values from index `at`, and checks them, so that these
  /// values can be copied.
  abstract void measure(MemorySegment lengths, int at, int count) throws PageException;

  /// Moves `count` values in arrays parallel to the lengths from index `from` to 0.
  void shift(int from, int count) {}

  /// Copies `count` values, from index `from` of `lengths`.
  abstract void copy(
      MemorySegment lengths, int from, int count, long bytes, MemorySegment target, long at);
}
