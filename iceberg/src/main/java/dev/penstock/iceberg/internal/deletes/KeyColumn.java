package dev.penstock.iceberg.internal.deletes;

import static dev.penstock.spi.format.LittleEndian.INT;
import static dev.penstock.spi.format.LittleEndian.LONG;
import static dev.penstock.spi.format.LittleEndian.SHORT;

import dev.penstock.iceberg.internal.fields.IcebergTypes;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.BytesView;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A key column of equality deletes. Its values are brought to a form in which equal values are
/// identical, whatever their type in a file: 64 bits for numbers, dates and times, else bytes.
///
/// @param type its newest type in the table
record KeyColumn(int id, DataType type) {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  /// Returns whether values have 64 bits; else they are bytes.
  boolean isLong() {
    return switch (type) {
      case DataType.Bool _,
          DataType.Int _,
          DataType.Floating _,
          DataType.Date _,
          DataType.Time _,
          DataType.Timestamp _ ->
          true;
      default -> false;
    };
  }

  /// Returns whether values of a file's type can be converted to that form.
  boolean takes(DataType stored) {
    return switch (type) {
      case DataType.Bool _ -> stored instanceof DataType.Bool;
      case DataType.Int _ -> stored instanceof DataType.Int(int _, boolean signed) && signed;
      case DataType.Floating _ -> stored instanceof DataType.Floating(int bits) && bits >= 32;
      case DataType.Date _ -> stored instanceof DataType.Date;
      case DataType.Time _ ->
          stored instanceof DataType.Time || stored.equals(new DataType.Int(64, true));
      case DataType.Timestamp _ ->
          stored instanceof DataType.Timestamp || stored instanceof DataType.Date;
      case DataType.Decimal(int _, int scale) ->
          stored instanceof DataType.Decimal(int _, int other)
              && other == scale
              && stored.byteWidth() <= 16;
      case DataType.Utf8 _, DataType.Binary _ -> stored.isBytes();
      case DataType.FixedBinary _, DataType.Uuid _ ->
          stored instanceof DataType.Binary
              || stored instanceof DataType.FixedBinary
              || stored instanceof DataType.Uuid;
      default -> false;
    };
  }

  /// Returns the 64 bits of all values; the bits of nulls are undefined.
  ///
  /// @param slice values in a type that the column [takes][#takes]
  void longs(ColumnSlice slice, int rows, long[] target) {
    MemorySegment values = slice.values();
    switch (slice.type()) {
      case DataType.Bool _ -> {
        for (int i = 0; i < rows; i++) {
          target[i] = isPresent(values, i) ? 1 : 0;
        }
      }
      case DataType.Floating(int bits) when bits == 32 -> {
        for (int i = 0; i < rows; i++) {
          target[i] = bits(Float.intBitsToFloat(values.getAtIndex(INT, i)));
        }
      }
      case DataType.Floating _ -> {
        for (int i = 0; i < rows; i++) {
          target[i] = bits(Double.longBitsToDouble(values.getAtIndex(LONG, i)));
        }
      }
      default -> {
        integers(values, slice.type().byteWidth(), rows, target);
        scale(slice.type(), rows, target);
      }
    }
  }

  private static void integers(MemorySegment values, int width, int rows, long[] target) {
    switch (width) {
      case 1 -> {
        for (int i = 0; i < rows; i++) {
          target[i] = values.get(BYTE, i);
        }
      }
      case 2 -> {
        for (int i = 0; i < rows; i++) {
          target[i] = values.getAtIndex(SHORT, i);
        }
      }
      case 4 -> {
        for (int i = 0; i < rows; i++) {
          target[i] = values.getAtIndex(INT, i);
        }
      }
      default -> MemorySegment.copy(values, LONG, 0, target, 0, rows);
    }
  }

  private void scale(DataType stored, int rows, long[] target) {
    long from = ticksPerDay(stored);
    long to = ticksPerDay(type);
    if (from == to || from == 0 || to == 0) {
      return;
    }
    for (int i = 0; i < rows; i++) {
      target[i] = from < to ? target[i] * (to / from) : Math.floorDiv(target[i], from / to);
    }
  }

  /// Returns whether the 64 bits equal the file's own numbers for a file's type.
  boolean isCount(DataType stored) {
    return switch (stored) {
      case DataType.Int _, DataType.Date _, DataType.Time _, DataType.Timestamp _ ->
          ticksPerDay(stored) == ticksPerDay(type);
      default -> false;
    };
  }

  private static long ticksPerDay(DataType type) {
    return switch (type) {
      case DataType.Date _ -> 1;
      case DataType.Time(DataType.TimeUnit unit, boolean _) -> 86_400 * unit.perSecond();
      case DataType.Timestamp(DataType.TimeUnit unit, boolean _) -> 86_400 * unit.perSecond();
      default -> 0;
    };
  }

  /// All NaN are equal and the two zeros are not, as in Java and Iceberg.
  private static long bits(double value) {
    return Double.doubleToLongBits(value);
  }

  /// Returns the 64 bits of one value.
  static long bits(Object value) {
    return switch (value) {
      case Boolean bit -> bit ? 1 : 0;
      case Float number -> bits(number.doubleValue());
      case Double number -> bits(number.doubleValue());
      default -> ((Number) value).longValue();
    };
  }

  /// Returns the bytes of one value.
  byte[] bytes(Object value) {
    byte[] bytes = IcebergTypes.memory(type, value);
    return type instanceof DataType.Decimal ? wide(bytes, 0, bytes.length) : bytes;
  }

  /// Appends the bytes of a view's current value.
  ///
  /// @return the number of bytes
  int append(BytesView value, KeyBytes target) {
    int length = value.length();
    if (type instanceof DataType.Decimal) {
      byte[] stored = value.segment().asSlice(value.start(), length).toArray(ValueLayout.JAVA_BYTE);
      byte[] wide = wide(stored, 0, length);
      target.add(MemorySegment.ofArray(wide), 0, wide.length);
      return wide.length;
    }
    target.add(value.segment(), value.start(), length);
    return length;
  }

  /// Decimals take 8 or 16 bytes, depending on their precision.
  private static byte[] wide(byte[] value, int from, int length) {
    byte[] wide = new byte[16];
    Arrays.fill(wide, (byte) (value[from + length - 1] < 0 ? -1 : 0));
    System.arraycopy(value, from, wide, 0, Math.min(16, length));
    return wide;
  }

  static boolean isPresent(@Nullable MemorySegment validity, int row) {
    return validity == null || (validity.get(BYTE, row >>> 3) >>> (row & 7) & 1) != 0;
  }
}
