package dev.penstock.internal.parquet;

import java.lang.foreign.MemorySegment;

/// The hash xxHash64 with seed 0, which bloom filters are made with.
///
/// No library at hand offers it alone; it is short and will never change.
final class XxHash64 {
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;

  private XxHash64() {}

  static long hash(byte[] bytes) {
    MemorySegment source = MemorySegment.ofArray(bytes);
    int length = bytes.length;
    int at = 0;
    long hash = PRIME_5;
    if (length >= 32) {
      long b = PRIME_2;
      long a = b + PRIME_1;
      long c = 0;
      long d = -PRIME_1;
      for (; at <= length - 32; at += 32) {
        a = round(a, source.get(Raw.LONG, at));
        b = round(b, source.get(Raw.LONG, at + 8));
        c = round(c, source.get(Raw.LONG, at + 16));
        d = round(d, source.get(Raw.LONG, at + 24));
      }
      hash =
          Long.rotateLeft(a, 1)
              + Long.rotateLeft(b, 7)
              + Long.rotateLeft(c, 12)
              + Long.rotateLeft(d, 18);
      hash = merge(merge(merge(merge(hash, a), b), c), d);
    }
    hash += length;
    for (; at <= length - 8; at += 8) {
      hash ^= round(0, source.get(Raw.LONG, at));
      hash = Long.rotateLeft(hash, 27) * PRIME_1 + PRIME_4;
    }
    if (at <= length - 4) {
      hash ^= Integer.toUnsignedLong(source.get(Raw.INT, at)) * PRIME_1;
      hash = Long.rotateLeft(hash, 23) * PRIME_2 + PRIME_3;
      at += 4;
    }
    for (; at < length; at++) {
      hash ^= (bytes[at] & 0xff) * PRIME_5;
      hash = Long.rotateLeft(hash, 11) * PRIME_1;
    }
    hash = (hash ^ hash >>> 33) * PRIME_2;
    hash = (hash ^ hash >>> 29) * PRIME_3;
    return hash ^ hash >>> 32;
  }

  private static long round(long lane, long input) {
    return Long.rotateLeft(lane + input * PRIME_2, 31) * PRIME_1;
  }

  private static long merge(long hash, long lane) {
    return (hash ^ round(0, lane)) * PRIME_1 + PRIME_4;
  }
}
