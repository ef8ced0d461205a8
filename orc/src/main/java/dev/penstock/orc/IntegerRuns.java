package dev.penstock.orc;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.orc.OrcProto;

/// Reads integers in runs (ORC specification, "Integer Run Length Encoding, version 1" and "version
/// 2").
///
/// A run of at most 512 values is decoded as a whole, so that a truncated run fails before any of
/// its values is returned.
final class IntegerRuns {
  /* Version 2 tells by the highest two bits of a run's first byte what it is; five more are the
   * width of its numbers by a code, and nine, with the next byte, how many there are less one:
   *
   *   0 short repeat   3 bits width in bytes - 1, 3 bits count - 3; the value
   *   1 direct         the values, packed
   *   2 patched base   3 bits width of the base in bytes - 1, 5 bits code of the patches' width,
   *                    3 bits width of their gaps - 1, 5 bits count of patches; the base, whose
   *                    highest bit is its sign; values to be added to it, packed; gaps and patches,
   *                    packed: a patch is what the value has above the width
   *   3 delta          the first value and the first difference as varints, then further
   *                    differences, packed, which have the sign of the first; width code 0: none
   *
   * Packed numbers have their highest bit first. Where the stream is signed, values are zigzag,
   * but for those of a patched base; the first difference always is. */

  private static final int RUN_MAX = 512;
  private static final int VARINT_BITS = 64;
  private static final int REPEATED_MIN = 3;
  private static final int[] WIDTHS = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 28,
    30, 32, 40, 48, 56, 64
  };
  private static final VarHandle BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final StoredStream in;
  private final boolean signed;
  private final long[] run = new long[RUN_MAX];
  private final long[] patches = new long[32];
  private final byte[] packed = new byte[RUN_MAX * 8 + 8];
  private boolean isSecond;
  private int at; // in the run
  private int end;

  IntegerRuns(StoredStream in, boolean signed) {
    this.in = in;
    this.signed = signed;
  }

  /// Returns whether a column's integers are in runs of version 2.
  static boolean isSecond(OrcProto.ColumnEncoding encoding) {
    return encoding.getKind() == OrcProto.ColumnEncoding.Kind.DIRECT_V2
        || encoding.getKind() == OrcProto.ColumnEncoding.Kind.DICTIONARY_V2;
  }

  /// Moves to the start of a stream.
  ///
  /// @param second whether its runs are of version 2
  void open(StripeStreams.Place place, boolean second) {
    in.open(place);
    isSecond = second;
    at = 0;
    end = 0;
  }

  void seek(Positions positions) throws IOException {
    in.seek(positions);
    at = 0;
    end = 0;
    skip(positions.next());
  }

  void read(long[] to, int count) throws IOException {
    for (int done = 0; done < count; ) {
      if (at == end) {
        begin();
      }
      int some = Math.min(end - at, count - done);
      System.arraycopy(run, at, to, done, some);
      at += some;
      done += some;
    }
  }

  void skip(long count) throws IOException {
    for (long left = count; left > 0; ) {
      if (at == end) {
        begin();
      }
      int some = (int) Math.min(end - at, left);
      at += some;
      left -= some;
    }
  }

  private void begin() throws IOException {
    at = 0;
    end = 0; // so that a failing run has no values
    int header = in.next();
    if (!isSecond) {
      end = first(header);
    } else {
      end =
          switch (header >>> 6) {
            case 0 -> shortRepeat(header);
            case 1 -> direct(header);
            case 2 -> patchedBase(header);
            default -> delta(header);
          };
    }
  }

  /// A run of version 1. A byte `n` in `[0, 127]` means `n + 3` values with equal differences; a
  /// byte `-n` in `[-128, -1]` means `n` varints.
  private int first(int header) throws IOException {
    if (header < 128) {
      int count = header + REPEATED_MIN;
      long step = (byte) in.next();
      long value = varint(signed);
      for (int i = 0; i < count; i++) {
        run[i] = value + i * step;
      }
      return count;
    }
    int count = 256 - header;
    for (int i = 0; i < count; i++) {
      run[i] = varint(signed);
    }
    return count;
  }

  private int shortRepeat(int header) throws IOException {
    int count = (header & 7) + REPEATED_MIN;
    long value = bigEndian((header >>> 3 & 7) + 1);
    Arrays.fill(run, 0, count, signed ? zigzag(value) : value);
    return count;
  }

  private int count(int header) throws IOException {
    return ((header & 1) << 8 | in.next()) + 1;
  }

  private static int width(int header) {
    return WIDTHS[header >>> 1 & 31];
  }

  private int direct(int header) throws IOException {
    int count = count(header);
    unpack(run, 0, count, width(header));
    if (signed) {
      for (int i = 0; i < count; i++) {
        run[i] = zigzag(run[i]);
      }
    }
    return count;
  }

  private int patchedBase(int header) throws IOException {
    int count = count(header);
    int width = width(header);
    int third = in.next();
    int fourth = in.next();
    int baseBytes = (third >>> 5) + 1;
    int patchWidth = WIDTHS[third & 31];
    int gapWidth = (fourth >>> 5) + 1;
    int patchCount = fourth & 31;
    if (patchWidth + gapWidth > 64) {
      throw new IOException(
          "a run has patches of " + patchWidth + " bits with gaps of " + gapWidth + " bits");
    }
    long base = bigEndian(baseBytes);
    long sign = 1L << (8 * baseBytes - 1);
    base = (base & sign) != 0 ? -(base & ~sign) : base;
    unpack(run, 0, count, width);
    unpack(patches, 0, patchCount, atLeast(patchWidth + gapWidth));
    long mask = (1L << patchWidth) - 1; // less than 64 bits, because a gap takes some
    long place = 0;
    for (int i = 0; i < patchCount; i++) {
      long gap = patches[i] >>> patchWidth;
      place += gap; // or part of a longer gap, with a patch of 0
      long patch = patches[i] & mask;
      if (i > 0 && gap == 0) {
        throw new IOException("a run has two patches for value " + place);
      }
      if (place >= count || width == 64) {
        throw new IOException(
            "a run of " + count + " values of " + width + " bits has a patch for value " + place);
      }
      run[(int) place] |= patch << width;
    }
    for (int i = 0; i < count; i++) {
      run[i] += base;
    }
    return count;
  }

  private int delta(int header) throws IOException {
    int count = count(header);
    long value = varint(signed);
    long step = varint(true);
    run[0] = value;
    if ((header >>> 1 & 31) == 0) {
      for (int i = 1; i < count; i++) {
        run[i] = value + i * step;
      }
      return count;
    }
    if (count < 2) {
      throw new IOException("a run of " + count + " value has differences");
    }
    unpack(run, 2, count - 2, width(header));
    value += step;
    run[1] = value;
    if (step < 0) {
      for (int i = 2; i < count; i++) {
        value -= run[i];
        run[i] = value;
      }
    } else {
      for (int i = 2; i < count; i++) {
        value += run[i];
        run[i] = value;
      }
    }
    return count;
  }

  /// Unpacks numbers, the highest bit of each first. A word that starts at the number's first byte
  /// contains all of it, because numbers wider than 56 bits start at a byte boundary.
  private void unpack(long[] to, int from, int count, int width) throws IOException {
    in.read(packed, 0, (count * width + 7) >>> 3);
    int rest = 64 - width;
    for (int i = 0, bit = 0; i < count; i++, bit += width) {
      long word = (long) BIG_ENDIAN.get(packed, bit >>> 3);
      to[from + i] = word << (bit & 7) >>> rest;
    }
  }

  private static int atLeast(int bits) {
    for (int width : WIDTHS) {
      if (width >= bits) {
        return width;
      }
    }
    throw new AssertionError(bits);
  }

  private long bigEndian(int bytes) throws IOException {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << 8 | in.next();
    }
    return value;
  }

  private long varint(boolean zigzag) throws IOException {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      long next = in.next();
      if (shift >= VARINT_BITS) {
        throw new IOException("a number has more than 10 bytes");
      }
      value |= (next & 0x7f) << shift;
      if (next < 0x80) {
        return zigzag ? zigzag(value) : value;
      }
    }
  }

  private static long zigzag(long value) {
    return value >>> 1 ^ -(value & 1);
  }
}
