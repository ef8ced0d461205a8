package dev.penstock.internal.columns;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.batch.DType;
import dev.penstock.batch.StringEncoding;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.number.Float16;
import dev.penstock.schema.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.OptionalInt;

/// The numbers and codes that replace nulls, in a column's type. Rejects those that do not fit.
final class NullFill {
  private static final double FLOAT16_MAX = 65504;

  private NullFill() {}

  /// Returns the code that stands for a text where strings are encoded; a vocabulary that is still
  /// to be fitted will have it.
  ///
  /// @throws IllegalArgumentException if the text has no code
  static int code(Field field, String text, StringEncoding encoding) {
    OptionalInt code =
        switch (encoding) {
          case StringEncoding.Listed _ ->
              throw unfit(
                  field,
                  "the text '" + text + "'",
                  Advice.text("numbers. Choose a number, or give the column a policy of its own."));
          case StringEncoding.Codes codes when codes.vocabulary().isEmpty() -> OptionalInt.of(0);
          case StringEncoding.Codes _, StringEncoding.Hash _ -> TextCoder.code(text, encoding);
        };
    return code.orElseThrow(() ->
        new IllegalArgumentException(
            Sentence.of(
                "Cannot fill nulls of column '%s' with the text '%s': its vocabulary"
                    + " does not have it. Add it, or fill with a code.",
                field.name(), text)));
  }

  private static IllegalArgumentException unfit(Field field, Object value, Advice takes) {
    return Advice.argumentError(
        "Cannot fill nulls of column '%s' with %s: its type %s takes %s",
        field.name(), value, field.type(), takes);
  }

  /// Returns a number in a column's type.
  ///
  /// @throws IllegalArgumentException if it does not fit
  static long bits(Field field, DType dtype, Number value) {
    return switch (dtype) {
      case FLOAT64 -> {
        requireNoOverflow(field, value, value.doubleValue(), Double.MAX_VALUE);
        yield Double.doubleToRawLongBits(value.doubleValue());
      }
      case FLOAT32 -> {
        requireNoOverflow(field, value, value.floatValue(), Float.MAX_VALUE);
        yield Float.floatToRawIntBits(value.floatValue());
      }
      case FLOAT16 -> {
        short half = Float16.nearest(value);
        requireNoOverflow(field, value, Float.float16ToFloat(half), FLOAT16_MAX);
        yield half;
      }
      case BOOL -> integer(field, value, BigInteger.ZERO, BigInteger.ONE);
      case INT8, INT16, INT32, INT64 -> {
        BigInteger limit = BigInteger.ONE.shiftLeft(dtype.bytes() * 8 - 1);
        yield integer(field, value, limit.negate(), limit.subtract(BigInteger.ONE));
      }
      case UINT8, UINT16, UINT32, UINT64 -> {
        BigInteger limit = BigInteger.ONE.shiftLeft(dtype.bytes() * 8);
        yield integer(field, value, BigInteger.ZERO, limit.subtract(BigInteger.ONE));
      }
    };
  }

  private static void requireNoOverflow(Field field, Number value, double rounded, double most) {
    boolean infinite =
        (value instanceof Double wide && wide.isInfinite())
            || (value instanceof Float narrow && narrow.isInfinite());
    if (Double.isInfinite(rounded) && !infinite) {
      throw unfit(
          field,
          value,
          Advice.of("numbers up to %s. Choose such a number, or %s.", most, Remedy.nulls("mask")));
    }
  }

  private static long integer(Field field, Number value, BigInteger least, BigInteger most) {
    BigInteger exact = null;
    try {
      exact = new BigDecimal(value.toString()).toBigIntegerExact();
    } catch (ArithmeticException | NumberFormatException _) {
      // Not a whole number: rejected below like one that is out of range.
    }
    if (exact == null || exact.compareTo(least) < 0 || exact.compareTo(most) > 0) {
      String range = "[" + least + ", " + most.add(BigInteger.ONE) + ")";
      throw unfit(
          field,
          value,
          Advice.of(
              "whole numbers in %s. Choose such a number, or %s.", range, Remedy.nulls("mask")));
    }
    return exact.longValue();
  }
}
