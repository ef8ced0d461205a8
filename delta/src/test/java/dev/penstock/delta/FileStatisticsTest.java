package dev.penstock.delta;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.testing.Seeded;
import io.delta.kernel.internal.util.ColumnMapping.ColumnMappingMode;
import io.delta.kernel.types.BinaryType;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.DecimalType;
import io.delta.kernel.types.StringType;
import io.delta.kernel.types.StructType;
import io.delta.kernel.types.TimestampNTZType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileStatisticsTest {
  private static final DataType TIME = TimestampNTZType.TIMESTAMP_NTZ;

  private static ColumnStatistics of(DataType type, String stated) {
    StructType struct = new StructType().add("t", type);
    List<DeltaColumn> columns = DeltaColumn.of(struct, ColumnMappingMode.NONE);
    Schema schema = Schema.of(List.of(new Field("t", DeltaTypes.type(type), true)));
    return FileStatistics.of(columns, schema, stated).of("t");
  }

  private static ColumnStatistics bounded(DataType type, String lower, String upper) {
    return of(
        type,
        """
        {"numRecords": 2, "nullCount": {"t": 0}, "minValues": {"t": %s}, "maxValues": {"t": %s}}
        """
            .formatted(lower, upper));
  }

  private static Bound bound(Comparable<?> value) {
    return new Bound(value, false);
  }

  /// Asserts that a value is not ruled out by bounds that a writer made of it alone.
  private static void assertKept(DataType type, String stated, Comparable<?> value) {
    ColumnStatistics found = bounded(type, stated, stated);
    assertThat(found.lower()).isNotNull();
    assertThat(found.upper()).isNotNull();
    assertThat(found.lower().compareTo(value)).isNotPositive();
    assertThat(found.upper().compareTo(value)).isNotNegative();
  }

  @ParameterizedTest
  @CsvSource({
    "1970-01-01T00:00:02.000, 1000",
    "1970-01-01T00:00:02, 1000000",
    "1970-01-01T00:00:02.000Z, 1000",
    "1970-01-01 00:00:02.000000, 0",
    "1970-01-01T00:00:02.000000000, 1",
  })
  void timesMayBeRoundedToTheirLastDigit(String text, long micros) {
    ColumnStatistics found = bounded(TIME, "\"" + text + "\"", "\"" + text + "\"");
    assertThat(found.lower()).isEqualTo(bound(2_000_000L - micros));
    assertThat(found.upper()).isEqualTo(bound(2_000_000L + micros));
  }

  @Test
  void timesWithoutRoomForTheirLastDigitHaveNoBounds() {
    Instant first = Instant.EPOCH.plus(Long.MIN_VALUE, ChronoUnit.MICROS);
    String text = "\"" + first.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1) + "\"";
    assertThat(bounded(TIME, text, text).lower()).isNull();
  }

  @Test
  void decimalThatADoubleCannotHoldIsKept() {
    DataType type = new DecimalType(38, 10);
    assertKept(type, "-9917163616.942585", new BigDecimal("-9917163616.9425850248"));
    assertKept(type, "1.0", new BigDecimal("1.0000000000"));
    assertKept(new DecimalType(38, 30), "1.0", new BigDecimal("1.000000000000000000000000000001"));
  }

  @Seeded(runs = 300)
  void roundedDecimalsAreKept(Random random) {
    int scale = random.nextInt(39);
    BigInteger unscaled = new BigInteger(126, random);
    BigInteger digits = unscaled.mod(BigInteger.TEN.pow(1 + random.nextInt(38)));
    BigDecimal value = new BigDecimal(random.nextBoolean() ? digits : digits.negate(), scale);
    double rounded = value.unscaledValue().doubleValue() / Math.pow(10, scale); // as delta-rs does
    BigDecimal text = new BigDecimal(Double.toString(rounded));
    if (text.scale() > scale) {
      text = text.setScale(scale, RoundingMode.HALF_EVEN);
    }
    assertKept(new DecimalType(38, scale), text.toString(), value);
  }

  @Test
  void decimalOfFewDigitsIsExact() {
    ColumnStatistics found = bounded(new DecimalType(15, 2), "-1.5", "1234567890123.45");
    assertThat(found.lower()).isEqualTo(bound(new BigDecimal("-1.50")));
    assertThat(found.upper()).isEqualTo(bound(new BigDecimal("1234567890123.45")));
  }

  @Test
  void stringsCutWithinACharacterAreKept() {
    String value = "a".repeat(31) + "\ud83d\ude00 and more";
    ByteString bytes = ByteString.utf8(value);
    for (String cut :
        List.of(
            "a".repeat(31) + "\\ud83d\ufffd",
            "a".repeat(31) + "?\ufffd",
            "a".repeat(31) + "\uffff",
            "a".repeat(31) + "\\ud83d")) {
      ColumnStatistics found = bounded(StringType.STRING, "\"a\"", "\"" + cut + "\"");
      assertThat(found.upper()).isNotNull();
      assertThat(found.upper().compareTo(bytes)).as(cut).isPositive();
    }
  }

  @Test
  void wholeStringIsItsBound() {
    ColumnStatistics found = bounded(StringType.STRING, "\"ab?\"", "\"b\ud83d\ude00?\"");
    assertThat(found.lower()).isEqualTo(bound(ByteString.utf8("ab?")));
    assertThat(found.upper()).isEqualTo(bound(ByteString.of("b\ud83d\ude00?".getBytes(UTF_8))));
  }

  @Test
  void escapedBinariesAreNoBounds() {
    ColumnStatistics found = bounded(BinaryType.BINARY, "\"\\\\x00\"", "\"\\\\xff\"");
    assertThat(found.lower()).isNull();
    assertThat(found.upper()).isNull();
  }

  @Test
  void moreNullsThanRowsAreNotBelieved() {
    assertThat(of(TIME, "{\"numRecords\": 2, \"nullCount\": {\"t\": 3}}"))
        .isEqualTo(ColumnStatistics.UNKNOWN);
  }
}
