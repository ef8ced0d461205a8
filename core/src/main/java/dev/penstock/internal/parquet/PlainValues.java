package dev.penstock.internal.parquet;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.footer.PlainForm;
import dev.penstock.internal.parquet.footer.PlainForm.BigEndian;
import dev.penstock.internal.parquet.footer.PlainForm.Bits;
import dev.penstock.internal.parquet.footer.PlainForm.Copy;
import dev.penstock.internal.parquet.footer.PlainForm.Int96;
import dev.penstock.internal.parquet.footer.PlainForm.Narrow;
import dev.penstock.internal.parquet.footer.PlainForm.Sized;
import dev.penstock.internal.parquet.footer.PlainForm.SizedBigEndian;
import dev.penstock.internal.parquet.footer.PlainForm.Widen;
import java.lang.foreign.MemorySegment;

/// Copies plain values of fixed-width columns from a page to their place in memory.
final class PlainValues {
  /* Safety: convert() checks source and target ranges before each kernel runs. */
  private static final long NANOS_PER_DAY = 86_400_000_000_000L;
  private static final int JULIAN_EPOCH = 2_440_588; // the Julian day of 1970-01-01

  private PlainValues() {}

  static int width(PlainForm form) {
    return switch (form) {
      case Copy(int width) -> width;
      case Narrow(int width, boolean _) -> width;
      case Widen(int _, int width) -> width;
      case BigEndian(int _, int width) -> width;
      case SizedBigEndian(int width) -> width;
      case Int96 _ -> 8;
      case Bits _, Sized _ -> throw new IllegalArgumentException("Not of fixed width: " + form);
    };
  }

  /// Returns the least bytes that one value takes in a page.
  static int sourceWidth(PlainForm form) {
    return switch (form) {
      case Copy(int width) -> width;
      case Narrow _, SizedBigEndian _, Sized _ -> 4;
      case Widen(int width, int _) -> width;
      case BigEndian(int width, int _) -> width;
      case Int96 _ -> 12;
      case Bits _ -> throw new IllegalArgumentException("Less than a byte: " + form);
    };
  }

  /// Converts `count` values in `[position, end)`, followed by padding, to where they go, from byte
  /// `at`. Returns the position after the last value.
  static long convert(
      PlainForm form,
      MemorySegment source,
      long position,
      long end,
      MemorySegment target,
      long at,
      int count)
      throws PageException {
    if (count == 0) {
      return position;
    }
    long from = check(form, source, position, end, count);
    long to = Raw.address(target, at, (long) count * width(form));
    switch (form) {
      case Copy(int width) -> Raw.copy(from, to, (long) count * width);
      case Narrow(int width, boolean signed) -> narrow(from, to, count, width, signed);
      case Widen(int sourceWidth, int width) -> widen(from, to, count, sourceWidth, width);
      case BigEndian(int sourceWidth, int width) -> {
        for (int i = 0; i < count; i++) {
          bigEndian(from + (long) i * sourceWidth, sourceWidth, to + (long) i * width, width);
        }
      }
      case SizedBigEndian(int width) -> {
        return position + sizedBigEndian(from, end - position, to, count, width);
      }
      case Int96(int unitNanos) -> int96(from, to, count, unitNanos);
      case Bits _, Sized _ -> throw new IllegalArgumentException("Not of fixed width: " + form);
    }
    return position + (long) count * sourceWidth(form);
  }

  /// Checks that `count` values are in `[position, end)` and returns the address of the first.
  static long check(PlainForm form, MemorySegment source, long position, long end, int count)
      throws PageException {
    long bytes = (long) count * sourceWidth(form);
    if (bytes > end - position) {
      throw truncated(bytes, end - position);
    }
    return Raw.address(source, position, end - position);
  }

  private static PageException truncated(long needed, long left) {
    return new PageException(
        "Truncated Parquet page: its values need " + needed + " bytes but " + left + " are left.");
  }

  private static void narrow(long source, long target, int count, int width, boolean signed)
      throws PageException {
    int shift = 32 - 8 * width;
    int wrong = 0;
    for (int i = 0; i < count; i++) {
      int value = Raw.ALL.get(Raw.INT, source + i * 4L);
      wrong |= value ^ (signed ? (value << shift) >> shift : (value << shift) >>> shift);
      if (width == 1) {
        Raw.ALL.set(Raw.BYTE, target + i, (byte) value);
      } else {
        Raw.ALL.set(Raw.SHORT, target + i * 2L, (short) value);
      }
    }
    if (wrong != 0) {
      throw new PageException(
          "Corrupt Parquet page: a value does not fit its type of "
              + 8 * width
              + (signed ? " signed bits." : " unsigned bits."));
    }
  }

  private static void widen(long source, long target, int count, int sourceWidth, int width) {
    for (int i = 0; i < count; i++) {
      long value =
          sourceWidth == 4
              ? Raw.ALL.get(Raw.INT, source + i * 4L)
              : Raw.ALL.get(Raw.LONG, source + i * 8L);
      long to = target + (long) i * width;
      Raw.ALL.set(Raw.LONG, to, value);
      for (int k = 8; k < width; k += 8) {
        Raw.ALL.set(Raw.LONG, to + k, value >> 63);
      }
    }
  }

  /// Converts one big-endian integer to little-endian and extends its sign.
  private static void bigEndian(long source, int sourceWidth, long target, int width)
      throws PageException {
    byte sign = sourceWidth == 0 ? 0 : (byte) (Raw.ALL.get(Raw.BYTE, source) >> 7);
    int extra = Math.max(0, sourceWidth - width);
    for (int i = 0; i < extra; i++) {
      if (Raw.ALL.get(Raw.BYTE, source + i) != sign) {
        throw tooLarge(width);
      }
    }
    int kept = sourceWidth - extra;
    long lowest = source + sourceWidth - 1;
    for (int k = 0; k < kept; k++) {
      Raw.ALL.set(Raw.BYTE, target + k, Raw.ALL.get(Raw.BYTE, lowest - k));
    }
    for (int k = kept; k < width; k++) {
      Raw.ALL.set(Raw.BYTE, target + k, sign);
    }
    if (extra > 0 && Raw.ALL.get(Raw.BYTE, target + width - 1) >> 7 != sign) {
      throw tooLarge(width);
    }
  }

  private static PageException tooLarge(int width) {
    return new PageException(
        "Corrupt Parquet page: a decimal does not fit the "
            + width
            + " bytes that its precision needs.");
  }

  /// Converts consecutive big-endian integers, whose `lengths` were checked.
  static void bigEndian(
      MemorySegment source,
      MemorySegment lengths,
      MemorySegment target,
      long at,
      int count,
      int width)
      throws PageException {
    long from = Raw.address(source, 0, source.byteSize());
    long to = Raw.address(target, at, (long) count * width);
    for (int i = 0; i < count; i++) {
      int length = lengths.get(Raw.INT, i * 4L);
      bigEndian(from, length, to + (long) i * width, width);
      from += length;
    }
  }

  private static long sizedBigEndian(long source, long bytes, long target, int count, int width)
      throws PageException {
    long position = 0;
    for (int i = 0; i < count; i++) {
      if (bytes - position < 4) {
        throw truncated(4, bytes - position);
      }
      int length = Raw.ALL.get(Raw.INT, source + position);
      position += 4;
      if (length < 0 || length > bytes - position) {
        throw truncated(Integer.toUnsignedLong(length), bytes - position);
      }
      bigEndian(source + position, length, target + (long) i * width, width);
      position += length;
    }
    return position;
  }

  private static void int96(long source, long target, int count, int unitNanos)
      throws PageException {
    long perDay = NANOS_PER_DAY / unitNanos;
    for (int i = 0; i < count; i++) {
      long nanos = Raw.ALL.get(Raw.LONG, source + i * 12L);
      long day = (long) Raw.ALL.get(Raw.INT, source + i * 12L + 8) - JULIAN_EPOCH;
      if (nanos % unitNanos != 0) {
        throw PageException.of(
            "Unsupported Parquet value: an INT96 timestamp has %s nanoseconds of its day but"
                + " whole microseconds are expected. Leave out %s.",
            nanos, Remedy.formatOption("int96-unit"));
      }
      try {
        // Before 1970, counted from one day later, so that the first representable day does not
        // overflow.
        long clock = nanos / unitNanos;
        long part = day < 0 ? Math.subtractExact(clock, perDay) : clock;
        long days = Math.multiplyExact(day < 0 ? day + 1 : day, perDay);
        Raw.ALL.set(Raw.LONG, target + i * 8L, Math.addExact(days, part));
      } catch (ArithmeticException e) {
        throw new PageException(
            Advice.of(
                "Unsupported Parquet value: an INT96 timestamp at Julian day %s but nanoseconds in"
                    + " 64 bits reach from 1677-09-21 to 2262-04-11 only. Set %s.",
                day + JULIAN_EPOCH, Remedy.formatOption("int96-unit", "to", "us")),
            e);
      }
    }
  }
}
