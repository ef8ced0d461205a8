package dev.penstock.internal.boxing;

import dev.penstock.internal.boxing.ObjectMaker.BadValueException;
import dev.penstock.internal.slices.Validity;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Makes objects of values of a fixed width.
final class FixedObjects extends ObjectMaker {
  private final ValueBoxer boxer;
  private final int bytesEach;
  private MemorySegment values = MemorySegment.NULL;
  private @Nullable MemorySegment validity;

  FixedObjects(DataType type) {
    this.boxer = ValueBoxer.of(type);
    this.bytesEach =
        switch (type) {
          case DataType.Bool _ -> 0;
          case DataType.Decimal _ -> 40 + 64; // most are small
          case DataType.FixedBinary _, DataType.Interval _ -> ARRAY_BYTES + type.byteWidth();
          case DataType.Uuid _ -> 32;
          case DataType.Date _, DataType.Time _, DataType.Timestamp _ -> 24;
          default -> 16;
        };
  }

  @Override
  public void bind(ColumnSlice slice) {
    values = slice.values();
    validity = slice.validity();
  }

  @Override
  public long make(int from, int count, @Nullable Object[] objects, int to)
      throws BadValueException {
    for (int i = 0; i < count; i++) {
      boolean present = isPresent(validity, from + i);
      objects[to + i] = present ? boxer.box(values, from + i) : null;
    }
    return (long) count * bytesEach;
  }

  /// Makes the Java object of a decoded value of a fixed width.
  private interface ValueBoxer {
    ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

    ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    ValueLayout.OfLong BIG_ENDIAN_LONG = LONG.withOrder(ByteOrder.BIG_ENDIAN);

    /// Returns the object of a value that is not null.
    Object box(MemorySegment values, int row) throws BadValueException;

    static ValueBoxer of(DataType type) {
      return switch (type) {
        case DataType.Bool _ -> (values, row) -> Validity.isPresent(values, row);
        case DataType.Int(int bits, boolean signed) -> integer(bits, signed);
        case DataType.Floating(int bits) -> floating(bits);
        case DataType.Decimal(int _, int scale) -> {
          int width = type.byteWidth();
          yield (values, row) -> ObjectMaker.decimal(values, (long) row * width, width, scale);
        }
        case DataType.FixedBinary _, DataType.Interval _ -> bytes(type.byteWidth());
        case DataType.Uuid _ ->
            (values, row) ->
                new UUID(
                    values.get(BIG_ENDIAN_LONG, row * 16L),
                    values.get(BIG_ENDIAN_LONG, row * 16L + 8));
        case DataType.Date _ -> (values, row) -> LocalDate.ofEpochDay(values.getAtIndex(INT, row));
        case DataType.Time(TimeUnit unit, boolean _) ->
            unit == TimeUnit.MILLIS
                ? (values, row) -> time(values.getAtIndex(INT, row), unit)
                : (values, row) -> time(values.getAtIndex(LONG, row), unit);
        case DataType.Timestamp(TimeUnit unit, boolean utc) ->
            (values, row) -> timestamp(values.getAtIndex(LONG, row), unit, utc);
        default -> throw new IllegalStateException("Values of " + type + " have no one width");
      };
    }

    private static ValueBoxer integer(int bits, boolean signed) {
      return switch (bits) {
        case 8 ->
            signed
                ? (values, row) -> (int) values.get(BYTE, row)
                : (values, row) -> values.get(BYTE, row) & 0xFF;
        case 16 ->
            signed
                ? (values, row) -> (int) values.getAtIndex(SHORT, row)
                : (values, row) -> values.getAtIndex(SHORT, row) & 0xFFFF;
        case 32 ->
            signed
                ? (values, row) -> values.getAtIndex(INT, row)
                : (values, row) -> values.getAtIndex(INT, row) & 0xFFFF_FFFFL;
        default ->
            signed
                ? (values, row) -> values.getAtIndex(LONG, row)
                : (values, row) -> unsigned(values.getAtIndex(LONG, row));
      };
    }

    private static BigInteger unsigned(long bits) {
      return bits >= 0 ? BigInteger.valueOf(bits) : new BigInteger(Long.toUnsignedString(bits));
    }

    private static ValueBoxer floating(int bits) {
      return switch (bits) {
        case 16 -> (values, row) -> Float.float16ToFloat(values.getAtIndex(SHORT, row));
        case 32 -> (values, row) -> Float.intBitsToFloat(values.getAtIndex(INT, row));
        default -> (values, row) -> Double.longBitsToDouble(values.getAtIndex(LONG, row));
      };
    }

    private static ValueBoxer bytes(int width) {
      return (values, row) -> values.asSlice((long) row * width, width).toArray(BYTE);
    }

    private static LocalTime time(long count, TimeUnit unit) throws BadValueException {
      if (count < 0 || count / unit.perSecond() >= 86_400) {
        throw new BadValueException(
            "time",
            count + " " + unit + " after midnight is not within a day. Deliver it as a number",
            null);
      }
      return LocalTime.ofNanoOfDay(count * (1_000_000_000L / unit.perSecond()));
    }

    private static Object timestamp(long count, TimeUnit unit, boolean utc) {
      long perSecond = unit.perSecond();
      long seconds = Math.floorDiv(count, perSecond);
      int nanos = (int) (Math.floorMod(count, perSecond) * (1_000_000_000L / perSecond));
      return utc
          ? Instant.ofEpochSecond(seconds, nanos)
          : LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC);
    }
  }
}
