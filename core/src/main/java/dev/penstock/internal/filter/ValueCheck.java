package dev.penstock.internal.filter;

import dev.penstock.internal.filter.Condition.Test;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnSlice;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/// A test of the values of a column, 64 rows at a time.
interface ValueCheck {
  default void begin(ColumnSlice slice) {}

  /// Tests the rows `[64 * word, 64 * word + 64)`. `asked` has one bit for each requested row, none
  /// after the last row. The result has one for each of these, set if its value passes; its other
  /// bits are undefined.
  long test(ColumnSlice slice, int word, long asked);

  static ValueCheck of(DataType type, Test test) {
    KeyForm form = KeyForm.of(type);
    if (test instanceof Test.Constant(boolean answer)) {
      return constant(answer);
    }
    if (form != null) {
      return KeyValues.of(form, test);
    }
    return switch (type) {
      case DataType.Bool _ -> bits(test);
      case DataType.Decimal _ -> wide(type.byteWidth(), test);
      case DataType.Utf8 _, DataType.Binary _, DataType.FixedBinary _, DataType.Uuid _ ->
          new ByteValues(type.byteWidth(), BytesCheck.of(test));
      default -> throw new IllegalArgumentException("Cannot test values of " + type + ": " + test);
    };
  }

  static ValueCheck constant(boolean answer) {
    return (_, _, _) -> answer ? -1 : 0;
  }

  private static ValueCheck bits(Test test) {
    long ifTrue = passes(test, true) ? -1 : 0;
    long ifFalse = passes(test, false) ? -1 : 0;
    return (slice, word, _) -> {
      long values = RowFilter.bits(slice.values(), word, slice.rowCount());
      return (values & ifTrue) | (~values & ifFalse);
    };
  }

  private static boolean passes(Test test, Boolean value) {
    return switch (test) {
      case Test.Compare compare ->
          compare.operator().test(LiteralBinder.order(value, compare.value()));
      case Test.OneOf(List<Comparable<?>> values) -> values.contains(value);
      default -> throw new IllegalArgumentException("Cannot test booleans: " + test);
    };
  }

  /// Decimals of more than 64 bits: compared word by word, or looked up as bytes.
  private static ValueCheck wide(int width, Test test) {
    return switch (test) {
      case Test.Compare compare -> {
        BigInteger value = ((BigDecimal) compare.value()).unscaledValue();
        yield value.bitLength() < width * 8
            ? new ByteValues(width, new BytesCheck.WideNumber(compare.operator(), value, width / 8))
            : constant(compare.operator().test(-value.signum()));
      }
      case Test.OneOf(List<Comparable<?>> values) -> {
        List<Comparable<?>> bytes = new ArrayList<>();
        for (Comparable<?> value : values) {
          BigInteger unscaled = ((BigDecimal) value).unscaledValue();
          if (unscaled.bitLength() < width * 8) {
            bytes.add(littleEndian(unscaled, width));
          }
        }
        yield new ByteValues(width, BytesCheck.of(new Test.OneOf(bytes)));
      }
      default -> throw new IllegalArgumentException("Cannot test decimals: " + test);
    };
  }

  private static ByteString littleEndian(BigInteger value, int width) {
    byte[] bytes = new byte[width];
    for (int i = 0; i < width; i++) {
      bytes[i] = value.shiftRight(8 * i).byteValue();
    }
    return ByteString.of(bytes);
  }
}
