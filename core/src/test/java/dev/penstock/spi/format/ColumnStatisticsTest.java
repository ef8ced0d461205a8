package dev.penstock.spi.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ColumnStatisticsTest {
  private static final OptionalLong UNKNOWN = OptionalLong.empty();

  private static ColumnStatistics of(
      OptionalLong values, OptionalLong nulls, OptionalLong nans, @Nullable Bound lower) {
    return new ColumnStatistics(values, nulls, nans, lower, null);
  }

  @Test
  void nothingIsConcludedFromWhatIsUnknown() {
    ColumnStatistics nothing = ColumnStatistics.UNKNOWN;
    assertThat(nothing.allNull()).isFalse();
    assertThat(nothing.noNulls()).isFalse();
    assertThat(nothing.noNaN()).isFalse();
    assertThat(of(OptionalLong.of(3), UNKNOWN, UNKNOWN, null).allNull()).isFalse();
    assertThat(of(UNKNOWN, OptionalLong.of(3), UNKNOWN, null).allNull()).isFalse();
  }

  @Test
  void nullsAndNanAreConcludedFromTheirCounts() {
    OptionalLong three = OptionalLong.of(3);
    OptionalLong zero = OptionalLong.of(0);
    assertThat(of(three, three, UNKNOWN, null).allNull()).isTrue();
    assertThat(of(three, zero, UNKNOWN, null).noNulls()).isTrue();
    assertThat(of(three, zero, zero, null).noNaN()).isTrue();
    assertThat(of(three, zero, three, null).noNaN()).isFalse();
  }

  @Test
  void contradictionsAreRefused() {
    Bound one = new Bound(1L, true);
    Bound two = new Bound(2L, true);
    assertThatThrownBy(() -> new ColumnStatistics(UNKNOWN, UNKNOWN, UNKNOWN, two, one))
        .hasMessageStartingWith("Lower bound must not be above upper bound, got Bound[value=2");
    assertThatThrownBy(() -> of(OptionalLong.of(2), OptionalLong.of(3), UNKNOWN, null))
        .hasMessageStartingWith("Nulls and NaN must be at most ");
    assertThatThrownBy(() -> of(OptionalLong.of(3), OptionalLong.of(2), OptionalLong.of(2), null))
        .hasMessageStartingWith("Nulls and NaN must be at most ");
    assertThatThrownBy(() -> of(OptionalLong.of(-1), UNKNOWN, UNKNOWN, null))
        .hasMessageStartingWith("Counts must not be negative");
    assertThatThrownBy(() -> of(OptionalLong.of(3), OptionalLong.of(3), UNKNOWN, one))
        .hasMessageStartingWith("Without values there must be no bounds");
  }

  @Nested
  class OfABound {
    @Test
    void valuesCompareInTheOrderOfTheirColumn() {
      assertThat(new Bound(5L, true).compareTo(7L)).isNegative();
      assertThat(new Bound(-0d, false).compareTo(0d)).isNegative();
      assertThat(new Bound(new BigDecimal("1.50"), true).compareTo(new BigDecimal("1.5"))).isZero();
      assertThat(new Bound(true, true).compareTo(false)).isPositive();
      assertThat(new Bound(ByteString.utf8("b"), true).compareTo(ByteString.utf8("abc")))
          .isPositive();
    }

    @Test
    void valuesOfAnotherClassAreRefused() {
      assertThatThrownBy(() -> new Bound(5L, true).compareTo(5))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Cannot compare a bound with '5': its class is Integer but expected Long.");
      assertThatThrownBy(() -> new Bound("text", true))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("got String 'text'");
      assertThatThrownBy(() -> new Bound(Double.NaN, true))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new Bound(Float.NaN, true))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Nested
  class OfAByteString {
    @Test
    void bytesAreOrderedUnsigned() {
      ByteString low = ByteString.of(new byte[] {0x7f});
      ByteString high = ByteString.of(new byte[] {(byte) 0x80});
      assertThat(low).isLessThan(high);
      assertThat(ByteString.utf8("a")).isLessThan(ByteString.utf8("aa"));
      assertThat(ByteString.utf8("")).isLessThan(ByteString.utf8("\0"));
      // In UTF-16, which String compares, it is the other way round.
      assertThat(ByteString.utf8("\uffff")).isLessThan(ByteString.utf8("\ud83d\ude00"));
    }

    @Test
    void bytesAreNobodyElses() {
      byte[] bytes = {1, 2};
      ByteString value = ByteString.of(bytes);
      bytes[0] = 9;
      value.toByteArray()[1] = 9;
      assertThat(value).isEqualTo(ByteString.of(new byte[] {1, 2})).hasToString("0102");
      assertThat(value).hasSameHashCodeAs(ByteString.of(new byte[] {1, 2}));
      assertThat(value.length()).isEqualTo(2);
    }

    @Test
    void prefixIsAnythingItStartsWith() {
      ByteString value = ByteString.utf8("abc");
      assertThat(value.startsWith(ByteString.utf8(""))).isTrue();
      assertThat(value.startsWith(ByteString.utf8("ab"))).isTrue();
      assertThat(value.startsWith(value)).isTrue();
      assertThat(value.startsWith(ByteString.utf8("b"))).isFalse();
      assertThat(value.startsWith(ByteString.utf8("abcd"))).isFalse();
    }
  }
}
