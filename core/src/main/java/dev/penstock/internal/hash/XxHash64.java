package dev.penstock.internal.hash;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The hash xxHash64 with seed 0, used by Parquet's bloom filters and by our buckets and tables of
/// strings.
///
/// None of our libraries offers it alone; it is short and will never change.
public final class XxHash64 {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final int STRIPE_BYTES = 32;

  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;

  private XxHash64() {}

  public static long hash(byte[] bytes) {
    return hash(MemorySegment.ofArray(bytes), 0, bytes.length);
  }

  /// Hashes bytes `[start, start + length)`.
  public static long hash(MemorySegment source, long start, int length) {
    if (length < STRIPE_BYTES) {
      return finished(PRIME_5 + length, source, start, length);
    }
    long[] lanes = lanes();
    int striped = stripes(lanes, source, start, length);
    return finished(lanes, length, source, start + striped, length - striped);
  }

  /// Mixes in what does not fill a stripe of 32 bytes, and ends.
  private static long finished(long begun, MemorySegment source, long start, int length) {
    long hash = begun;
    long at = start;
    long end = start + length;
    for (; at <= end - 8; at += 8) {
      hash ^= round(0, source.get(LONG, at));
      hash = Long.rotateLeft(hash, 27) * PRIME_1 + PRIME_4;
    }
    if (at <= end - 4) {
      hash ^= Integer.toUnsignedLong(source.get(INT, at)) * PRIME_1;
      hash = Long.rotateLeft(hash, 23) * PRIME_2 + PRIME_3;
      at += 4;
    }
    for (; at < end; at++) {
      hash ^= (source.get(BYTE, at) & 0xff) * PRIME_5;
      hash = Long.rotateLeft(hash, 11) * PRIME_1;
    }
    hash = (hash ^ hash >>> 33) * PRIME_2;
    hash = (hash ^ hash >>> 29) * PRIME_3;
    return hash ^ hash >>> 32;
  }

  /// Returns the lanes before the first stripe.
  static long[] lanes() {
    long second = PRIME_2;
    return new long[] {second + PRIME_1, second, 0, -PRIME_1};
  }

  /// Adds all complete stripes of 32 bytes to the lanes, and returns how many bytes they have.
  static int stripes(long[] lanes, MemorySegment source, long start, int length) {
    int striped = length & -STRIPE_BYTES;
    long a = lanes[0];
    long b = lanes[1];
    long c = lanes[2];
    long d = lanes[3];
    for (long at = start; at < start + striped; at += STRIPE_BYTES) {
      a = round(a, source.get(LONG, at));
      b = round(b, source.get(LONG, at + 8));
      c = round(c, source.get(LONG, at + 16));
      d = round(d, source.get(LONG, at + 24));
    }
    lanes[0] = a;
    lanes[1] = b;
    lanes[2] = c;
    lanes[3] = d;
    return striped;
  }

  /// Returns the hash of `total` bytes. Their complete stripes were added to the lanes; the rest,
  /// less than a stripe, is in bytes `[start, start + length)`.
  static long finished(long[] lanes, long total, MemorySegment source, long start, int length) {
    if (total < STRIPE_BYTES) {
      return finished(PRIME_5 + total, source, start, length);
    }
    long hash =
        Long.rotateLeft(lanes[0], 1)
            + Long.rotateLeft(lanes[1], 7)
            + Long.rotateLeft(lanes[2], 12)
            + Long.rotateLeft(lanes[3], 18);
    for (long lane : lanes) {
      hash = (hash ^ round(0, lane)) * PRIME_1 + PRIME_4;
    }
    return finished(hash + total, source, start, length);
  }

  private static long round(long lane, long input) {
    return Long.rotateLeft(lane + input * PRIME_2, 31) * PRIME_1;
  }
}
