package dev.penstock.internal.cast;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A column whose rows all have one value, or are all null.
///
/// The values are written once, for as many rows as the largest slice has.
public final class ConstantColumn {
  private final DataType type;
  private final byte @Nullable [] value;
  private final Buffer zeros;
  private final Buffer values;
  private final List<ConstantColumn> children = new ArrayList<>();
  private @Nullable TextDictionary dictionary;
  private int rows = -1;
  private @Nullable ColumnSlice slice;

  /// Makes the column.
  ///
  /// @param value one value as it lies in a slice, for a boolean a byte with eight copies; null for
  ///   nulls, always so for nested types
  public ConstantColumn(DataType type, byte @Nullable [] value, ScratchMemory memory) {
    this.type = type;
    this.value = value;
    this.zeros = new Buffer(memory);
    this.values = new Buffer(memory);
    switch (type) {
      case DataType.Struct(List<Field> parts) ->
          parts.forEach(part -> children.add(new ConstantColumn(part.type(), null, memory)));
      case DataType.List(DataType element, boolean _) ->
          children.add(new ConstantColumn(element, null, memory));
      case DataType.Map map -> children.add(new ConstantColumn(map.entry(), null, memory));
      default -> {}
    }
  }

  /// Makes the column of a value of the class that [Bound] names for the type, or NaN; null for
  /// nulls.
  public static ConstantColumn of(
      DataType type, @Nullable Comparable<?> value, ScratchMemory memory) {
    return new ConstantColumn(type, value == null ? null : bytes(type, value), memory);
  }

  /// Returns rows of a part of structs, with nulls where `validity` says that a struct is null.
  public ColumnSlice slice(int count, int nullCount, @Nullable MemorySegment validity) {
    ColumnSlice made = slice(count);
    return value == null
        ? made
        : new ColumnSlice(
            type,
            count,
            nullCount,
            validity,
            made.values(),
            made.offsets(),
            made.codes(),
            made.dictionary(),
            List.of());
  }

  public ColumnSlice slice(int count) {
    ColumnSlice made = slice;
    if (made == null || made.rowCount() != count) {
      if (count > rows) {
        write(count);
      }
      made = value == null ? nulls(count) : values(count);
      slice = made;
    }
    return made;
  }

  private void write(int count) {
    // Validity, offsets, codes and the values of nulls: enough zeros for any of them.
    long wide = value == null ? Math.max(4, type.byteWidth()) : 4;
    zeros.ensure((count + 1) * wide + 8).fill((byte) 0);
    if (value != null) {
      if (type.isVariableWidth()) {
        dictionary(value);
      } else if (type instanceof DataType.Bool) {
        values.ensure(count / 8 + 8L).fill(value[0]);
      } else {
        repeat(values.ensure((long) count * value.length), value, count);
      }
    }
    rows = count;
  }

  private void dictionary(byte[] bytes) {
    if (dictionary == null) {
      MemorySegment memory = values.ensure(8L + bytes.length);
      memory.set(Converter.INT, 0, 0);
      memory.set(Converter.INT, 4, bytes.length);
      MemorySegment.copy(bytes, 0, memory, Converter.BYTE, 8, bytes.length);
      dictionary = new TextDictionary(1, memory.asSlice(8, bytes.length), memory.asSlice(0, 8));
    }
  }

  /// Fills the target with a value, doubling the copied length each time.
  private static void repeat(MemorySegment target, byte[] value, int count) {
    long all = (long) count * value.length;
    if (all == 0) {
      return;
    }
    MemorySegment.copy(value, 0, target, Converter.BYTE, 0, value.length);
    for (long done = value.length; done < all; done *= 2) {
      MemorySegment.copy(target, 0, target, done, Math.min(done, all - done));
    }
  }

  private ColumnSlice values(int count) {
    TextDictionary entry = dictionary;
    return entry == null
        ? ColumnSlice.fixed(type, count, 0, null, values.ensure(0))
        : ColumnSlice.coded(type, count, 0, null, zeros.ensure(0), entry);
  }

  private ColumnSlice nulls(int count) {
    MemorySegment none = zeros.ensure(0);
    MemorySegment validity = count == 0 ? null : none;
    return switch (type) {
      case DataType.Struct _ ->
          ColumnSlice.struct(
              type,
              count,
              count,
              validity,
              children.stream().map(child -> child.slice(count)).toList());
      case DataType.List _, DataType.Map _ ->
          ColumnSlice.list(type, count, count, validity, none, children.getFirst().slice(0));
      case DataType.Utf8 _, DataType.Binary _, DataType.Variant _ ->
          ColumnSlice.variable(type, count, count, validity, none, none);
      default -> ColumnSlice.fixed(type, count, count, validity, none);
    };
  }

  /// Returns the bytes of a value; for a boolean, a byte with eight copies.
  static byte[] bytes(DataType type, Comparable<?> value) {
    int width = type.byteWidth();
    return switch (value) {
      case Boolean bit -> new byte[] {(byte) (bit ? -1 : 0)};
      case Long number -> littleEndian(BigInteger.valueOf(number), width);
      case BigInteger number -> littleEndian(number, width);
      case BigDecimal number -> littleEndian(number.unscaledValue(), width);
      case Float number ->
          littleEndian(
              BigInteger.valueOf(
                  width == 2 ? Float.floatToFloat16(number) : Float.floatToRawIntBits(number)),
              width);
      case Double number ->
          littleEndian(BigInteger.valueOf(Double.doubleToRawLongBits(number)), width);
      case ByteString bytes -> bytes.toByteArray();
      default -> throw new IllegalArgumentException("No value of " + type + ": " + value);
    };
  }

  static byte[] littleEndian(BigInteger number, int width) {
    byte[] bytes = new byte[width];
    Arrays.fill(bytes, (byte) (number.signum() < 0 ? -1 : 0));
    byte[] big = number.toByteArray();
    for (int i = 0; i < Math.min(width, big.length); i++) {
      bytes[i] = big[big.length - 1 - i];
    }
    return bytes;
  }
}
