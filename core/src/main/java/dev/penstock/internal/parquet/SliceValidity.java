package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Which rows of a slice are present, collected during decoding. Bits are kept only once a row is
/// null.
final class SliceValidity {
  private final Buffer bits;
  private final Buffer shifted;
  private int rows;
  private int nulls;
  private boolean kept;

  SliceValidity(ScratchMemory memory) {
    this.bits = new Buffer(memory);
    this.shifted = new Buffer(memory);
  }

  void clear() {
    rows = 0;
    nulls = 0;
    kept = false;
  }

  int rows() {
    return rows;
  }

  /// Returns the bits, which exist unless all rows are present.
  MemorySegment segment() {
    return bits.segment();
  }

  /// Appends rows that are all present.
  void appendPresent(int count) {
    if (kept) {
      Bits.fill(grow(count), rows, -1L, count);
    }
    rows += count;
  }

  /// Makes room for `count` rows, some of which may be null.
  void expect(int count) {
    MemorySegment bitmap = grow(count);
    if (!kept) {
      Bits.fill(bitmap, 0, -1L, rows);
      kept = true;
    }
  }

  /// Appends up to 64 of the expected rows, one bit each and higher bits zero, and returns how many
  /// are present.
  int append(long present, int count) {
    Bits.append(bits.segment(), rows, present);
    return appended(Long.bitCount(present), count);
  }

  /// Appends the next `count` rows of a stream, and returns how many are present.
  int append(BitRuns present, int count) throws PageException {
    expect(count);
    return appended(present.take(bits.segment(), rows, count), count);
  }

  private int appended(int present, int count) {
    rows += count;
    nulls += count - present;
    return present;
  }

  private MemorySegment grow(int count) {
    return bits.grow(Bits.bytes((long) rows + count), Bits.bytes(rows));
  }

  boolean isPresent(int row) {
    return !kept || Bits.get(bits.segment(), row, 1) != 0;
  }

  /// Returns how many of `count` rows from `from` are null.
  int nulls(int from, int count) {
    if (nulls == 0) {
      return 0;
    }
    return count == rows ? nulls : count - Bits.count(bits.segment(), from, count);
  }

  /// Returns the bits of `count` rows from `from`, of which some are null; valid until the next
  /// call.
  @Nullable MemorySegment view(int from, int count, int nulls) {
    return nulls == 0 ? null : Bits.view(bits.segment(), from, count, shifted);
  }

  /// Returns whether the same of `count` rows are present here and in another.
  boolean same(int from, SliceValidity other, int otherFrom, int count) {
    int nulls = nulls(from, count);
    if (nulls != other.nulls(otherFrom, count)) {
      return false;
    }
    for (int done = 0; nulls != 0 && done < count; done += 64) {
      int part = Math.min(64, count - done);
      long mine = Bits.get(segment(), (long) from + done, part);
      if (mine != Bits.get(other.segment(), (long) otherFrom + done, part)) {
        return false;
      }
    }
    return true;
  }
}
