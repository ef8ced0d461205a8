package dev.penstock.internal.filter;

import dev.penstock.filter.Fold;
import dev.penstock.internal.hash.XxHash64;
import dev.penstock.internal.memory.Raw;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The fold of a key whose parts are added one after another, by the rule of [Fold]. One thread at
/// a time.
final class FoldHash {
  private static final int DECIMAL_BYTES = 32;
  private static final long SECOND_NANOS = 1_000_000_000;

  private final long k;
  private byte[] bytes = new byte[64];
  private MemorySegment segment = MemorySegment.ofArray(bytes);
  private int length;

  FoldHash(Fold fold) {
    this.k = fold.k();
    segment.set(Raw.LONG, 0, fold.seed());
    begin();
  }

  static boolean takes(DataType type) {
    return !type.isNested()
        && !(type instanceof DataType.Floating)
        && (KeyForm.of(type) != null
            || type instanceof DataType.Bool
            || type instanceof DataType.Decimal
            || type instanceof DataType.Utf8
            || type instanceof DataType.Binary
            || type instanceof DataType.FixedBinary
            || type instanceof DataType.Uuid);
  }

  void begin() {
    length = Long.BYTES;
  }

  int fold() {
    return (int) Long.remainderUnsigned(XxHash64.hash(segment, 0, length), k);
  }

  void addNull() {
    room(1);
    bytes[length++] = 0;
  }

  void add(long number) {
    room(1 + Long.BYTES);
    bytes[length] = 1;
    segment.set(Raw.LONG, length + 1, number);
    length += 1 + Long.BYTES;
  }

  void add(MemorySegment source, long from, int count) {
    add((long) count);
    room(count);
    MemorySegment.copy(source, from, segment, length, count);
    length += count;
  }

  void add(byte[] source) {
    add(MemorySegment.ofArray(source), 0, source.length);
  }

  void add(ColumnSlice slice, int row) {
    MemorySegment validity = slice.validity();
    if (validity != null && (validity.get(Raw.BYTE, row >>> 3) >>> (row & 7) & 1) == 0) {
      addNull();
      return;
    }
    DataType type = slice.type();
    MemorySegment values = slice.values();
    switch (type) {
      case DataType.Bool _ -> add(values.get(Raw.BYTE, row >>> 3) >>> (row & 7) & 1);
      case DataType.Decimal _ -> addDecimal(values, row, type.byteWidth());
      case DataType.Utf8 _, DataType.Binary _ -> {
        TextDictionary dictionary = slice.dictionary();
        long at = row;
        MemorySegment offsets = slice.offsets();
        if (dictionary != null) {
          at = Objects.requireNonNull(slice.codes()).get(Raw.INT, row * 4L);
          offsets = dictionary.offsets();
        }
        int from = Objects.requireNonNull(offsets).get(Raw.INT, at * 4);
        add(values, from, offsets.get(Raw.INT, at * 4 + 4) - from);
      }
      case DataType.FixedBinary _, DataType.Uuid _ ->
          add(values, (long) row * type.byteWidth(), type.byteWidth());
      default -> add(number(type, values, row) * factor(type));
    }
  }

  private static long number(DataType type, MemorySegment values, long row) {
    boolean isUnsigned = type instanceof DataType.Int(int _, boolean signed) && !signed;
    return switch (type.byteWidth()) {
      case 1 -> values.get(Raw.BYTE, row) & (isUnsigned ? 0xffL : -1);
      case 2 -> values.get(Raw.SHORT, row * 2) & (isUnsigned ? 0xffffL : -1);
      case 4 -> values.get(Raw.INT, row * 4) & (isUnsigned ? 0xffff_ffffL : -1);
      default -> values.get(Raw.LONG, row * 8);
    };
  }

  /// Returns how many nanoseconds a unit of a time has; 1 for other types.
  private static long factor(DataType type) {
    TimeUnit unit =
        switch (type) {
          case DataType.Time time -> time.unit();
          case DataType.Timestamp timestamp -> timestamp.unit();
          default -> null;
        };
    return unit == null ? 1 : SECOND_NANOS / unit.perSecond();
  }

  private void addDecimal(MemorySegment values, int row, int width) {
    room(1 + DECIMAL_BYTES);
    bytes[length++] = 1;
    MemorySegment.copy(values, (long) row * width, segment, length, width);
    fillSign(width);
  }

  /// Extends a decimal's `width` bytes at the end to all that it has.
  private void fillSign(int width) {
    byte sign = (byte) (bytes[length + width - 1] >> 7);
    Arrays.fill(bytes, length + width, length + DECIMAL_BYTES, sign);
    length += DECIMAL_BYTES;
  }

  /// Adds the value that a column has in all rows, of the class that
  /// [dev.penstock.spi.format.Bound] names for its type; null for a null.
  void add(DataType type, @Nullable Comparable<?> value) {
    switch (value) {
      case null -> addNull();
      case Boolean truth -> add(truth ? 1 : 0);
      case Long number -> add(number * factor(type));
      case BigInteger number -> add(number.longValue());
      case BigDecimal number -> {
        int scale = ((DataType.Decimal) type).scale();
        byte[] bigEndian = number.setScale(scale).unscaledValue().toByteArray();
        room(1 + DECIMAL_BYTES);
        bytes[length++] = 1;
        for (int i = 0; i < bigEndian.length; i++) {
          bytes[length + i] = bigEndian[bigEndian.length - 1 - i];
        }
        fillSign(bigEndian.length);
      }
      case ByteString text -> add(text.toByteArray());
      default -> throw new IllegalArgumentException("No part of a key: " + value.getClass());
    }
  }

  private void room(int count) {
    if (length + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, count), 2 * length));
      segment = MemorySegment.ofArray(bytes);
    }
  }
}
