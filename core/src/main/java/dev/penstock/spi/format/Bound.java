package dev.penstock.spi.format;

import dev.penstock.internal.choice.Sentence;
import java.math.BigDecimal;
import java.math.BigInteger;

/// A lower or upper bound of some values of a column.
///
/// The column's type determines the class of the value, and the class's order is the column's
/// order, so that one `compareTo` serves all bounds of a column and the values compared with them:
///
/// | column | value |
/// |---|---|
/// | `bool` | [Boolean], false first |
/// | `int8` to `int64`, `uint8` to `uint32` | [Long] |
/// | `uint64` | [BigInteger] |
/// | `float16`, `float32` | [Float], never NaN |
/// | `float64` | [Double], never NaN |
/// | `decimal` | [BigDecimal], whose `compareTo` ignores the scale |
/// | `date`, `time`, `timestamp` | [Long], the count that the type describes |
/// | `string`, `binary`, `fixed`, `uuid` | [ByteString]; text is UTF-8 |
///
/// The classes of floating-point numbers order -0.0 before 0.0. A lower bound is never 0.0 and an
/// upper bound never -0.0, so that bounds hold whether the two count as equal or not.
///
/// A bound of a string may end within a character.
///
/// @param value the value
/// @param exact whether a row has exactly this value; false if it may only be near the least or
///   greatest value, like a truncated string. Floating-point zeros are never exact, because files
///   do not tell which zero it is
public record Bound(Comparable<?> value, boolean exact) {
  /// Throws [IllegalArgumentException] if the value is of none of the classes, or NaN.
  public Bound {
    boolean known =
        switch (value) {
          case Float number -> !number.isNaN();
          case Double number -> !number.isNaN();
          case Boolean _, Long _, BigInteger _, BigDecimal _, ByteString _ -> true;
          default -> false;
        };
    if (!known) {
      throw new IllegalArgumentException(
          Sentence.of(
              "A bound must be a Boolean, Long, BigInteger, BigDecimal, ByteString, or a Float or"
                  + " Double that is a number, got %s '%s'",
              value.getClass().getSimpleName(), value));
    }
  }

  /// {@return negative, 0 or positive as the bound is less than, equal to or greater than a value}
  ///
  /// @param other a value of the same class
  /// @throws IllegalArgumentException if the value is of another class
  public int compareTo(Comparable<?> other) {
    if (value.getClass() != other.getClass()) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot compare a bound with '%s': its class is %s but expected %s.",
              other, other.getClass().getSimpleName(), value.getClass().getSimpleName()));
    }
    @SuppressWarnings("unchecked") // The classes are the same, and each compares with itself.
    Comparable<Object> mine = (Comparable<Object>) value;
    return mine.compareTo(other);
  }
}
