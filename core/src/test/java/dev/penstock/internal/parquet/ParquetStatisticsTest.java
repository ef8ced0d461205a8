package dev.penstock.internal.parquet;

import static dev.penstock.internal.parquet.HandMadeFooter.float64;
import static dev.penstock.internal.parquet.HandMadeFooter.int32;
import static dev.penstock.internal.parquet.HandMadeFooter.int64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.testing.BytesFile;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DateType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.EncryptionWithFooterKey;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.Float16Type;
import org.apache.parquet.format.GeometryType;
import org.apache.parquet.format.IEEE754TotalOrder;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.UUIDType;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Footers that state what they should not, or in ways that are easily misread.
class ParquetStatisticsTest {
  private static final LogicalType STRING = LogicalType.STRING(new StringType());

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private static byte[] text(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  private static LogicalType decimal(int precision) {
    return LogicalType.DECIMAL(new DecimalType(2, precision));
  }

  private static LogicalType integer(int bits, boolean signed) {
    return LogicalType.INTEGER(new IntType((byte) bits, signed));
  }

  private static void assertUnbounded(ColumnStatistics statistics) {
    assertThat(statistics.lower()).isNull();
    assertThat(statistics.upper()).isNull();
  }

  private static void assertBounds(
      ColumnStatistics statistics, Comparable<?> min, Comparable<?> max) {
    assertThat(statistics.lower()).isEqualTo(new Bound(min, true));
    assertThat(statistics.upper()).isEqualTo(new Bound(max, true));
  }

  @Nested
  class Values {
    @Test
    void booleansAreOrderedFalseFirst() throws IOException {
      assertBounds(
          new HandMadeFooter(Type.BOOLEAN, 9).bounds(hex("00"), hex("01")).read(), false, true);
    }

    @Test
    void integersAreSignedWithoutAnnotation() throws IOException {
      assertBounds(new HandMadeFooter(Type.INT32, 9).bounds(int32(-5), int32(7)).read(), -5L, 7L);
      assertBounds(
          new HandMadeFooter(Type.INT64, 9).bounds(int64(Long.MIN_VALUE), int64(-1)).read(),
          Long.MIN_VALUE,
          -1L);
    }

    @Test
    void unsignedIntegersAreOrderedUnsigned() throws IOException {
      HandMadeFooter wide = new HandMadeFooter(Type.INT64, 9).logical(integer(64, false));
      assertBounds(
          wide.bounds(int64(5), int64(-1)).read(),
          BigInteger.valueOf(5),
          new BigInteger("18446744073709551615"));
      HandMadeFooter narrow = new HandMadeFooter(Type.INT32, 9).logical(integer(32, false));
      assertBounds(narrow.bounds(int32(5), int32(-2)).read(), 5L, 4_294_967_294L);
    }

    @Test
    void datesAreDaysSince1970() throws IOException {
      HandMadeFooter date =
          new HandMadeFooter(Type.INT32, 9).logical(LogicalType.DATE(new DateType()));
      assertBounds(date.bounds(int32(-1), int32(19_000)).read(), -1L, 19_000L);
    }

    @Test
    void decimalsHaveTheirScaleInEveryStorage() throws IOException {
      BigDecimal min = new BigDecimal("-1.50");
      BigDecimal max = new BigDecimal("3.00");
      assertBounds(
          new HandMadeFooter(Type.INT32, 9)
              .logical(decimal(9))
              .bounds(int32(-150), int32(300))
              .read(),
          min,
          max);
      assertBounds(
          new HandMadeFooter(Type.INT64, 9)
              .logical(decimal(18))
              .bounds(int64(-150), int64(300))
              .read(),
          min,
          max);
      assertBounds(
          new HandMadeFooter(Type.FIXED_LEN_BYTE_ARRAY, 9)
              .width(3)
              .logical(decimal(5))
              .createdBy("parquet-mr version 1.13.1 (build 1)")
              .bounds(hex("ffff6a"), hex("00012c"))
              .read(),
          min,
          max);
      assertBounds(
          new HandMadeFooter(Type.BYTE_ARRAY, 9)
              .logical(decimal(5))
              .createdBy("parquet-mr version 1.13.1 (build 1)")
              .bounds(hex("ff6a"), hex("012c"))
              .read(),
          min,
          max);
    }

    @Test
    void halfFloatsAreNumbers() throws IOException {
      HandMadeFooter half =
          new HandMadeFooter(Type.FIXED_LEN_BYTE_ARRAY, 9)
              .width(2)
              .logical(LogicalType.FLOAT16(new Float16Type()));
      assertBounds(half.bounds(hex("00c0"), hex("003e")).read(), -2f, 1.5f);
    }

    @Test
    void textIsOrderedByItsBytes() throws IOException {
      HandMadeFooter text = new HandMadeFooter(Type.BYTE_ARRAY, 9).logical(STRING);
      text.bounds(
          text("\uffee"), text("\ud83d\ude00")); // As Java's strings they are the other way round.
      text.statistics.setIs_min_value_exact(true).setIs_max_value_exact(true);
      assertBounds(text.read(), ByteString.utf8("\uffee"), ByteString.utf8("\ud83d\ude00"));
    }

    @Test
    void uuidsAndFixedBytesAreOrderedUnsigned() throws IOException {
      HandMadeFooter uuid =
          new HandMadeFooter(Type.FIXED_LEN_BYTE_ARRAY, 9)
              .width(16)
              .logical(LogicalType.UUID(new UUIDType()));
      byte[] low = hex("7f".repeat(16));
      byte[] high = hex("80".repeat(16));
      ColumnStatistics known = uuid.bounds(low, high).read();
      assertThat(known.lower()).isEqualTo(new Bound(ByteString.of(low), false));
      assertThat(known.upper()).isEqualTo(new Bound(ByteString.of(high), false));
    }
  }

  @Nested
  class OldFields {
    @Test
    void countForSignedNumbers() throws IOException {
      assertBounds(
          new HandMadeFooter(Type.INT32, 9).oldBounds(int32(-5), int32(7)).read(), -5L, 7L);
      assertBounds(
          new HandMadeFooter(Type.DOUBLE, 9).oldBounds(float64(-5), float64(7)).read(), -5d, 7d);
      assertBounds(
          new HandMadeFooter(Type.BOOLEAN, 9).oldBounds(hex("00"), hex("01")).read(), false, true);
    }

    @Test
    void countWithoutColumnOrders() throws IOException {
      HandMadeFooter footer = new HandMadeFooter(Type.INT32, 9).oldBounds(int32(-5), int32(7));
      footer.metadata.unsetColumn_orders();
      assertBounds(footer.read(), -5L, 7L);
    }

    @Test
    void neverCountWhereTheOrderIsNotSigned() throws IOException {
      assertUnbounded(
          new HandMadeFooter(Type.BYTE_ARRAY, 9)
              .logical(STRING)
              .oldBounds(text("a"), text("b"))
              .read());
      assertUnbounded(
          new HandMadeFooter(Type.BYTE_ARRAY, 9).oldBounds(text("a"), text("a")).read());
      assertUnbounded(
          new HandMadeFooter(Type.INT32, 9)
              .logical(integer(32, false))
              .oldBounds(int32(1), int32(2))
              .read());
      assertUnbounded(
          new HandMadeFooter(Type.FIXED_LEN_BYTE_ARRAY, 9)
              .width(2)
              .logical(decimal(4))
              .createdBy("parquet-mr version 1.13.1 (build 1)")
              .oldBounds(hex("0001"), hex("0002"))
              .read());
      assertUnbounded(
          new HandMadeFooter(Type.INT96, 9).oldBounds(new byte[12], new byte[12]).read());
    }

    @Test
    void givePlaceToTheNewOnes() throws IOException {
      assertBounds(
          new HandMadeFooter(Type.INT32, 9)
              .oldBounds(int32(1), int32(2))
              .bounds(int32(-5), int32(7))
              .read(),
          -5L,
          7L);
    }

    @Test
    void countTogetherOnly() throws IOException {
      HandMadeFooter footer = new HandMadeFooter(Type.INT32, 9);
      footer.statistics.setMin(int32(1));
      assertUnbounded(footer.read());
    }
  }

  @Nested
  class Order {
    @Test
    void missingMakesTheNewFieldsMeaningless() throws IOException {
      HandMadeFooter footer = new HandMadeFooter(Type.INT32, 9).bounds(int32(1), int32(2));
      footer.metadata.unsetColumn_orders();
      assertUnbounded(footer.read());
    }

    @Test
    void unknownMakesTheNewFieldsMeaningless() throws IOException {
      byte[] bytes = new HandMadeFooter(Type.INT32, 9).bounds(int32(1), int32(2)).toByteArray();
      String all = HexFormat.of().formatHex(bytes);
      // The last field: a list of one union, whose field 1 becomes field 3.
      int at = all.lastIndexOf("391c1c000000") / 2;
      assertThat(at).isPositive();
      bytes[at + 2] = 0x3c;
      assertUnbounded(new ParquetFormat().readMetadata(new BytesFile(bytes)).statistics(0, "c"));
    }

    @Test
    void ofMoreOrFewerColumnsMakesTheNewFieldsMeaningless() throws IOException {
      HandMadeFooter footer = new HandMadeFooter(Type.INT32, 9).bounds(int32(1), int32(2));
      footer.metadata.setColumn_orders(List.of());
      assertUnbounded(footer.read());
      ColumnOrder order = ColumnOrder.TYPE_ORDER(new TypeDefinedOrder());
      footer.metadata.setColumn_orders(List.of(order, order));
      assertUnbounded(footer.read());
    }

    @Test
    void totalOrderIsForFloatingPointNumbersOnly() throws IOException {
      List<ColumnOrder> total = List.of(ColumnOrder.IEEE_754_TOTAL_ORDER(new IEEE754TotalOrder()));
      HandMadeFooter number = new HandMadeFooter(Type.DOUBLE, 9).bounds(float64(1), float64(2));
      number.metadata.setColumn_orders(total);
      assertBounds(number.read(), 1d, 2d);
      HandMadeFooter integer = new HandMadeFooter(Type.INT64, 9).bounds(int64(1), int64(2));
      integer.metadata.setColumn_orders(total);
      assertUnbounded(integer.read());
    }

    @Test
    void typesWithoutOneHaveNoBounds() throws IOException {
      byte[] some = new byte[12];
      assertUnbounded(new HandMadeFooter(Type.INT96, 9).bounds(some, some).read());
      HandMadeFooter interval = new HandMadeFooter(Type.FIXED_LEN_BYTE_ARRAY, 9).width(12);
      interval.column.setConverted_type(ConvertedType.INTERVAL);
      assertUnbounded(interval.bounds(some, some).read());
      assertUnbounded(
          new HandMadeFooter(Type.BYTE_ARRAY, 9)
              .logical(LogicalType.GEOMETRY(new GeometryType()))
              .bounds(some, some)
              .read());
    }
  }

  @Nested
  class Writers {
    @ParameterizedTest
    @CsvSource({
      "parquet-mr version 1.7.0 (build 1), false",
      "parquet-mr version 1.9.0 (build 1), false",
      "parquet-mr version 1.10.0 (build 1), true",
      "parquet-mr version 1.10.0-cdh6.3.0 (build 1), true",
      "parquet-mr (build 1), true",
      "parquet-cpp version 1.2.9, false",
      "parquet-cpp version 1.3.0, true",
      "parquet-cpp-arrow version 1.0.0, true",
      "impala version 1.0.0 (build 1), true",
      "something else, true"
    })
    void ofOldCompareTextAndUnsignedNumbersAsSigned(String writer, boolean right)
        throws IOException {
      ColumnStatistics text =
          new HandMadeFooter(Type.BYTE_ARRAY, 9)
              .logical(STRING)
              .createdBy(writer)
              .bounds(text("a"), text("b"))
              .read();
      ColumnStatistics number =
          new HandMadeFooter(Type.INT32, 9)
              .logical(integer(32, false))
              .createdBy(writer)
              .bounds(int32(1), int32(2))
              .read();
      assertThat(text.lower() != null).isEqualTo(right);
      assertThat(number.lower() != null).isEqualTo(right);
      ColumnStatistics signed =
          new HandMadeFooter(Type.INT32, 9).createdBy(writer).bounds(int32(1), int32(2)).read();
      assertThat(signed.lower()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
      "parquet-mr version 1.9.0 (build 1), false, false",
      "parquet-mr version 1.13.1 (build 1), true, true",
      "parquet-mr-trino version 430 (build n/a), true, true",
      "parquet-cpp version 1.5.1-SNAPSHOT, false, false",
      "parquet-cpp-arrow version 3.0.0, false, false",
      "parquet-cpp-arrow version 4.0.0, true, true",
      "parquet-rs version 13.0.0, false, false",
      "parquet-rs version 14.0.0, true, false",
      "Polars, false, false",
      "ClickHouse v25.1.0.0, false, false",
      "'', false, false"
    })
    void ofDecimalsInBytesAreBelievedByName(String writer, boolean fixed, boolean sized)
        throws IOException {
      ColumnStatistics ofOneLength =
          new HandMadeFooter(Type.FIXED_LEN_BYTE_ARRAY, 9)
              .width(2)
              .logical(decimal(4))
              .createdBy(writer)
              .bounds(hex("fffe"), hex("0002"))
              .read();
      ColumnStatistics ofAnyLength =
          new HandMadeFooter(Type.BYTE_ARRAY, 9)
              .logical(decimal(4))
              .createdBy(writer)
              .bounds(hex("fe"), hex("02"))
              .read();
      assertThat(ofOneLength.lower() != null).isEqualTo(fixed);
      assertThat(ofAnyLength.lower() != null).isEqualTo(sized);
    }

    @ParameterizedTest
    @CsvSource({"parquet-cpp version 1.3.9, false", "parquet-cpp version 1.4.0, true"})
    void ofOldLetNanDisturbTheBounds(String writer, boolean right) throws IOException {
      HandMadeFooter footer = new HandMadeFooter(Type.DOUBLE, 9).createdBy(writer);
      assertThat(footer.bounds(float64(1), float64(2)).read().lower() != null).isEqualTo(right);
      assertThat(footer.oldBounds(float64(1), float64(2)).read().lower() != null).isEqualTo(right);
    }

    @Test
    void thatCountNullsOncePerPageAreRightAboutNoneOnly() throws IOException {
      HandMadeFooter footer = new HandMadeFooter(Type.INT32, 9).createdBy("Polars");
      assertThat(footer.nulls(9).read().nullCount()).isEmpty();
      assertThat(footer.nulls(0).read().noNulls()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"parquet-rs version 4.2.0, false", "parquet-rs version 4.3.0, true"})
    void thatCountNoNullsWhereAllAreAreRightAboutSomeOnly(String writer, boolean right)
        throws IOException {
      HandMadeFooter footer = new HandMadeFooter(Type.INT32, 9).createdBy(writer);
      assertThat(footer.nulls(0).read().noNulls()).isEqualTo(right);
      assertThat(footer.nulls(3).read().nullCount()).hasValue(3);
    }
  }

  @Nested
  class Exactness {
    private HandMadeFooter footer() {
      return new HandMadeFooter(Type.BYTE_ARRAY, 9).logical(STRING).bounds(text("a"), text("b"));
    }

    @Test
    void ofTextIsUnknownUnlessStated() throws IOException {
      assertThat(footer().read().lower()).isEqualTo(new Bound(ByteString.utf8("a"), false));
      assertThat(footer().read().upper()).isEqualTo(new Bound(ByteString.utf8("b"), false));
    }

    @Test
    void isStatedForEachBound() throws IOException {
      HandMadeFooter footer = footer();
      footer.statistics.setIs_min_value_exact(true).setIs_max_value_exact(false);
      assertThat(footer.read().lower()).isEqualTo(new Bound(ByteString.utf8("a"), true));
      assertThat(footer.read().upper()).isEqualTo(new Bound(ByteString.utf8("b"), false));
    }

    @Test
    void ofNumbersIsAssumedUnlessDenied() throws IOException {
      HandMadeFooter footer = new HandMadeFooter(Type.INT32, 9).bounds(int32(1), int32(2));
      footer.statistics.setIs_max_value_exact(false);
      assertThat(footer.read().lower()).isEqualTo(new Bound(1L, true));
      assertThat(footer.read().upper()).isEqualTo(new Bound(2L, false));
    }

    @Test
    void isLostWhereBytesOfOneLengthAreShorter() throws IOException {
      HandMadeFooter footer =
          new HandMadeFooter(Type.FIXED_LEN_BYTE_ARRAY, 9)
              .width(3)
              .bounds(hex("0102"), hex("030405"));
      footer.statistics.setIs_min_value_exact(true).setIs_max_value_exact(true);
      assertThat(footer.read().lower()).isEqualTo(new Bound(ByteString.of(hex("0102")), false));
      assertThat(footer.read().upper()).isEqualTo(new Bound(ByteString.of(hex("030405")), true));
    }

    @Test
    void longBoundsAreCutAndTheUpperOneRaised() throws IOException {
      byte[] min = new byte[1000];
      byte[] max = new byte[1000];
      Arrays.fill(min, (byte) 'a');
      Arrays.fill(max, (byte) -1);
      max[61] = 7;
      HandMadeFooter footer = footer().bounds(min, max);
      footer.statistics.setIs_min_value_exact(true).setIs_max_value_exact(true);
      byte[] raised = new byte[62];
      Arrays.fill(raised, (byte) -1);
      raised[61] = 8;
      assertThat(footer.read().lower())
          .isEqualTo(new Bound(ByteString.utf8("a".repeat(64)), false));
      assertThat(footer.read().upper()).isEqualTo(new Bound(ByteString.of(raised), false));
    }

    @Test
    void longUpperBoundThatCannotBeRaisedIsLeftOut() throws IOException {
      byte[] max = new byte[65];
      Arrays.fill(max, (byte) -1);
      ColumnStatistics known = footer().bounds(text("a"), max).read();
      assertThat(known.lower()).isNotNull();
      assertThat(known.upper()).isNull();
    }
  }

  @Nested
  class FloatingPoint {
    @Test
    void zerosAreTheOuterOnesAndNeverExact() throws IOException {
      ColumnStatistics known =
          new HandMadeFooter(Type.DOUBLE, 9).bounds(float64(0d), float64(-0d)).read();
      assertThat(known.lower()).isEqualTo(new Bound(-0d, false));
      assertThat(known.upper()).isEqualTo(new Bound(0d, false));
      ColumnStatistics single =
          new HandMadeFooter(Type.FLOAT, 9).bounds(int32(0), int32(0x80000000)).read();
      assertThat(single.lower()).isEqualTo(new Bound(-0f, false));
      assertThat(single.upper()).isEqualTo(new Bound(0f, false));
      ColumnStatistics half =
          new HandMadeFooter(Type.FIXED_LEN_BYTE_ARRAY, 9)
              .width(2)
              .logical(LogicalType.FLOAT16(new Float16Type()))
              .bounds(hex("0000"), hex("0080"))
              .read();
      assertThat(half.lower()).isEqualTo(new Bound(-0f, false));
      assertThat(half.upper()).isEqualTo(new Bound(0f, false));
    }

    @Test
    void oneNanSpoilsBothBounds() throws IOException {
      assertUnbounded(
          new HandMadeFooter(Type.DOUBLE, 9).bounds(float64(1), float64(Double.NaN)).read());
      assertUnbounded(
          new HandMadeFooter(Type.DOUBLE, 9).bounds(float64(Double.NaN), float64(1)).read());
      assertUnbounded(
          new HandMadeFooter(Type.FIXED_LEN_BYTE_ARRAY, 9)
              .width(2)
              .logical(LogicalType.FLOAT16(new Float16Type()))
              .bounds(hex("007e"), hex("003c"))
              .read());
    }

    @Test
    void nanIsUnknownUnlessCounted() throws IOException {
      HandMadeFooter footer =
          new HandMadeFooter(Type.DOUBLE, 9).bounds(float64(1), float64(2)).nulls(1);
      assertThat(footer.read().nanCount()).isEmpty();
      assertThat(footer.read().noNaN()).isFalse();
      footer.statistics.setNan_count(0);
      assertThat(footer.read().noNaN()).isTrue();
      footer.statistics.setNan_count(3);
      assertThat(footer.read().nanCount()).hasValue(3);
    }

    @Test
    void allNanInTotalOrderIsCountedAndNotBounded() throws IOException {
      HandMadeFooter footer =
          new HandMadeFooter(Type.DOUBLE, 9)
              .bounds(float64(Double.NaN), float64(Double.NaN))
              .nulls(2);
      footer.statistics.setNan_count(7);
      footer.metadata.setColumn_orders(
          List.of(ColumnOrder.IEEE_754_TOTAL_ORDER(new IEEE754TotalOrder())));
      assertThat(footer.read())
          .isEqualTo(
              new ColumnStatistics(
                  OptionalLong.of(9), OptionalLong.of(2), OptionalLong.of(7), null, null));
    }

    @Test
    void moreNanThanValuesAreNotBelieved() throws IOException {
      HandMadeFooter footer = new HandMadeFooter(Type.DOUBLE, 9).nulls(3);
      footer.statistics.setNan_count(7);
      assertThat(footer.read().nanCount()).isEmpty();
      assertThat(footer.read().nullCount()).hasValue(3);
    }

    @Test
    void nanIsNotCountedInOtherColumns() throws IOException {
      HandMadeFooter footer = new HandMadeFooter(Type.INT32, 9);
      footer.statistics.setNan_count(7);
      assertThat(footer.read().nanCount()).isEmpty();
    }
  }

  @Nested
  class Nonsense {
    @Test
    void lowerBoundAboveTheUpperIsIgnoredWithIt() throws IOException {
      assertUnbounded(new HandMadeFooter(Type.INT32, 9).bounds(int32(2), int32(1)).read());
      assertUnbounded(
          new HandMadeFooter(Type.INT32, 9)
              .logical(integer(32, false))
              .bounds(int32(-1), int32(1))
              .read());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 5, 8})
    void boundOfTheWrongLengthIsIgnoredWithTheOther(int length) throws IOException {
      assertUnbounded(new HandMadeFooter(Type.INT32, 9).bounds(new byte[length], int32(1)).read());
      assertUnbounded(new HandMadeFooter(Type.INT32, 9).bounds(int32(1), new byte[length]).read());
      assertUnbounded(
          new HandMadeFooter(Type.BOOLEAN, 9).bounds(new byte[length], hex("01")).read());
    }

    @Test
    void boundThatIsNoValueOfTheTypeIsIgnoredWithTheOther() throws IOException {
      assertUnbounded(
          new HandMadeFooter(Type.INT32, 9)
              .logical(integer(8, true))
              .bounds(int32(0), int32(128))
              .read());
      assertUnbounded(
          new HandMadeFooter(Type.INT32, 9)
              .logical(integer(16, false))
              .bounds(int32(-1), int32(1))
              .read());
      assertUnbounded(new HandMadeFooter(Type.BOOLEAN, 9).bounds(hex("00"), hex("02")).read());
      assertUnbounded(
          new HandMadeFooter(Type.FIXED_LEN_BYTE_ARRAY, 9)
              .width(2)
              .bounds(hex("00"), hex("010203"))
              .read());
      assertUnbounded(
          new HandMadeFooter(Type.FIXED_LEN_BYTE_ARRAY, 9)
              .width(3)
              .logical(decimal(4))
              .createdBy("parquet-mr version 1.13.1 (build 1)")
              .bounds(hex("01"), hex("000002"))
              .read());
      assertUnbounded(
          new HandMadeFooter(Type.BYTE_ARRAY, 9)
              .logical(decimal(4))
              .createdBy("parquet-mr version 1.13.1 (build 1)")
              .bounds(hex(""), hex("02"))
              .read());
    }

    @Test
    void boundThatIsTooLargeIsNotTakenForASmallerOne() throws IOException {
      assertUnbounded(
          new HandMadeFooter(Type.INT32, 9)
              .logical(integer(8, true))
              .bounds(int32(0), int32(300))
              .read());
      assertUnbounded(
          new HandMadeFooter(Type.INT32, 9)
              .logical(integer(16, false))
              .bounds(int32(1), int32(65_541))
              .read());
    }

    @Test
    void emptyGreatestTextMeansThatItWasTooLong() throws IOException {
      ColumnStatistics known =
          new HandMadeFooter(Type.BYTE_ARRAY, 9).logical(STRING).bounds(text("a"), text("")).read();
      assertThat(known.lower()).isEqualTo(new Bound(ByteString.utf8("a"), false));
      assertThat(known.upper()).isNull();
    }

    @Test
    void oneBoundAloneIsOne() throws IOException {
      HandMadeFooter footer = new HandMadeFooter(Type.INT32, 9);
      footer.statistics.setMin_value(int32(3));
      assertThat(footer.read().lower()).isEqualTo(new Bound(3L, true));
      assertThat(footer.read().upper()).isNull();
    }

    @Test
    void nullsThatCannotBeAreUnknown() throws IOException {
      assertThat(new HandMadeFooter(Type.INT32, 9).nulls(10).read().nullCount()).isEmpty();
      assertThat(new HandMadeFooter(Type.INT32, 9).nulls(-1).read().nullCount()).isEmpty();
      assertThat(new HandMadeFooter(Type.INT32, 9).read().nullCount()).isEmpty();
    }

    @Test
    void allNullWithBoundsIsNothingKnown() throws IOException {
      assertThat(new HandMadeFooter(Type.INT32, 9).nulls(9).bounds(int32(1), int32(2)).read())
          .isEqualTo(ColumnStatistics.UNKNOWN);
      assertThat(new HandMadeFooter(Type.INT32, 9).nulls(9).bounds(int32(2), int32(1)).read())
          .isEqualTo(ColumnStatistics.UNKNOWN);
    }

    @Test
    void allNullWithoutBoundsIsAllNull() throws IOException {
      ColumnStatistics known = new HandMadeFooter(Type.INT32, 9).nulls(9).read();
      assertThat(known.allNull()).isTrue();
      assertThat(known.noNulls()).isFalse();
    }
  }

  @Nested
  class Columns {
    @Test
    void thatAreRequiredHaveNoNullsWhateverIsStated() throws IOException {
      HandMadeFooter footer = new HandMadeFooter(Type.INT32, 9);
      footer.column.setRepetition_type(FieldRepetitionType.REQUIRED);
      assertThat(footer.read().noNulls()).isTrue();
      assertThat(footer.nulls(4).read().noNulls()).isTrue();
    }

    @Test
    void thatAreListsAreUnknownThemselves() throws IOException {
      HandMadeFooter footer = new HandMadeFooter(Type.INT32, 9).nulls(0).bounds(int32(1), int32(2));
      footer.column.setRepetition_type(FieldRepetitionType.REPEATED);
      assertThat(footer.read()).isEqualTo(ColumnStatistics.UNKNOWN);
    }

    @Test
    void thatAreEncryptedOrElsewhereAreUnknown() throws IOException {
      HandMadeFooter encrypted =
          new HandMadeFooter(Type.INT32, 9).nulls(1).bounds(int32(1), int32(2)).pages(0);
      encrypted.chunk.setCrypto_metadata(
          org.apache.parquet.format.ColumnCryptoMetaData.ENCRYPTION_WITH_FOOTER_KEY(
              new EncryptionWithFooterKey()));
      assertThat(encrypted.read()).isEqualTo(ColumnStatistics.UNKNOWN);
      HandMadeFooter elsewhere =
          new HandMadeFooter(Type.INT32, 9).nulls(1).bounds(int32(1), int32(2)).pages(0);
      elsewhere.chunk.setFile_path("other.parquet");
      assertThat(elsewhere.read()).isEqualTo(ColumnStatistics.UNKNOWN);
      assertThat(elsewhere.readPages()).isEmpty();
    }

    @Test
    void thatAreNotThereAreUnknown() throws IOException {
      FileMetadata metadata =
          new ParquetFormat()
              .readMetadata(new HandMadeFooter(Type.INT32, 9).bounds(int32(1), int32(2)).file());
      assertThat(metadata.statistics(0, "d")).isEqualTo(ColumnStatistics.UNKNOWN);
      assertThatThrownBy(() -> metadata.statistics(1, "c"))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> metadata.statistics(-1, "c"))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
