package dev.penstock.internal.boxing;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Makes strings of ASCII, and shares those of short texts that come again, as categories do.
///
/// While few come again, it looks for them only now and then.
final class AsciiStrings {
  /// Bytes that an array must have behind a text. They are read, but not used.
  static final int ROOM = 8;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long NOT_ASCII = 0x8080808080808080L;
  private static final int SHARED_BITS = 9;
  private static final int LOOK = 256;
  private static final int LOOK_AGAIN = 16 * LOOK;

  private final @Nullable String[] shared = new String[1 << SHARED_BITS];
  private final long[] starts = new long[1 << SHARED_BITS];
  private final long[] ends = new long[1 << SHARED_BITS];
  private int looks;
  private int found;

  static boolean isAscii(byte[] bytes, int length) {
    long all = 0;
    int at = 0;
    for (; at <= length - Long.BYTES; at += Long.BYTES) {
      all |= (long) LONG.get(bytes, at);
    }
    for (; at < length; at++) {
      all |= bytes[at];
    }
    return (all & NOT_ASCII) == 0;
  }

  String make(byte[] bytes, int at, int length) {
    looks++;
    if (looks > LOOK) {
      if (looks == LOOK_AGAIN || found > LOOK / 2) {
        looks = 0;
        found = 0;
      }
      return plain(bytes, at, length);
    }
    if (length == 0 || length > 2 * Long.BYTES) {
      return plain(bytes, at, length);
    }
    // The first and the last eight bytes, which may be the same ones.
    long start = (long) LONG.get(bytes, at);
    long end = start;
    if (length >= Long.BYTES) {
      end = (long) LONG.get(bytes, at + length - Long.BYTES);
    } else {
      start &= (1L << (Byte.SIZE * length)) - 1;
      end = start;
    }
    int slot = (int) (((start * 31 + end) * 0x9E3779B97F4A7C15L) >>> (Long.SIZE - SHARED_BITS));
    String known = shared[slot];
    if (known != null && starts[slot] == start && ends[slot] == end && known.length() == length) {
      found++;
      return known;
    }
    String made = plain(bytes, at, length);
    shared[slot] = made;
    starts[slot] = start;
    ends[slot] = end;
    return made;
  }

  @SuppressWarnings("deprecation") // exact for ASCII, and faster than by a charset
  private static String plain(byte[] bytes, int at, int length) {
    return new String(bytes, 0, at, length);
  }
}
