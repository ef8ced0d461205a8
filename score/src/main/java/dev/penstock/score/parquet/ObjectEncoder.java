package dev.penstock.score.parquet;

import dev.penstock.schema.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/// Encodes strings, binaries, UUIDs and decimals.
final class ObjectEncoder extends ColumnEncoder {
  private List<? extends @Nullable Object> values = List.of();

  ObjectEncoder(OutputColumn column) {
    super(column);
  }

  @Override
  void take(int rows, Object values) {
    if (!(values instanceof List<?> list)) {
      throw misfit(values.getClass().getSimpleName(), rows);
    }
    if (list.size() != rows) {
      throw misfit("a list of " + list.size() + " values", rows);
    }
    this.values = list;
  }

  private IllegalArgumentException misfit(String found, int rows) {
    return misfit(found, "a list of " + rows + " values");
  }

  @Override
  void release() {
    super.release();
    values = List.of();
  }

  @Override
  boolean isNull(int row) {
    return super.isNull(row) || values.get(row) == null;
  }

  @Override
  void writeRow(int row, ColumnWriter to) {
    Object value = values.get(row);
    switch (column.type()) {
      case DataType.Utf8 _ when value instanceof String text ->
          to.write(utf8(text, row), 0, valueLevel);
      case DataType.Binary _ when value instanceof byte[] bytes ->
          to.write(Binary.fromReusedByteArray(bytes), 0, valueLevel);
      case DataType.FixedBinary(int width) when value instanceof byte[] bytes -> {
        if (bytes.length != width) {
          throw unfit(row, "has " + bytes.length + " bytes but expected " + width + ".");
        }
        to.write(Binary.fromReusedByteArray(bytes), 0, valueLevel);
      }
      case DataType.Uuid _ when value instanceof UUID uuid -> to.write(bytes(uuid), 0, valueLevel);
      case DataType.Decimal decimal when value instanceof BigDecimal number ->
          write(decimal, number, row, to);
      default -> throw unfit(row, "has a " + className(value) + " but expected " + expected());
    }
  }

  private static String className(@Nullable Object value) {
    return value == null ? "null" : value.getClass().getSimpleName();
  }

  private String expected() {
    return switch (column.type()) {
      case DataType.Utf8 _ -> "a String.";
      case DataType.Uuid _ -> "a UUID.";
      case DataType.Decimal _ -> "a BigDecimal.";
      default -> "a byte[].";
    };
  }

  private Binary utf8(String text, int row) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        // The JDK would write a question mark for a half of a pair.
        if (i + 1 == text.length()
            || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
          throw unfit(row, "is not Unicode: half of a surrogate pair at index " + i + ".");
        }
        i++;
      }
    }
    return Binary.fromConstantByteArray(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Binary bytes(UUID uuid) {
    return Binary.fromConstantByteArray(
        ByteBuffer.allocate(16)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .array());
  }

  private void write(DataType.Decimal type, BigDecimal number, int row, ColumnWriter to) {
    BigInteger unscaled = unscaled(type, number, row);
    if (type.precision() <= 9) {
      to.write(unscaled.intValueExact(), 0, valueLevel);
    } else if (type.precision() <= 18) {
      to.write(unscaled.longValueExact(), 0, valueLevel);
    } else {
      byte[] digits = unscaled.toByteArray();
      byte[] bytes = new byte[PartSchema.decimalWidth(type.precision())];
      Arrays.fill(bytes, (byte) (unscaled.signum() < 0 ? -1 : 0));
      System.arraycopy(digits, 0, bytes, bytes.length - digits.length, digits.length);
      to.write(Binary.fromConstantByteArray(bytes), 0, valueLevel);
    }
  }

  private BigInteger unscaled(DataType.Decimal type, BigDecimal number, int row) {
    // Compared without its zeros, because rounding 1E-999999999 would take a number as long.
    BigDecimal least = number.stripTrailingZeros();
    long digits = (long) least.precision() - least.scale() + type.scale();
    boolean fits = least.scale() <= type.scale() && digits <= type.precision();
    if (!fits && least.signum() != 0) {
      throw unfit(row, "is " + number + ", which does not fit " + type + ".");
    }
    return least.setScale(type.scale()).unscaledValue();
  }

  private UnfitRowException unfit(int row, String found) {
    return new UnfitRowException(column.name(), row, found);
  }
}
