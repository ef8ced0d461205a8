package dev.penstock.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.cli.TestBatches;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ValueRendererTest {
  @Test
  void integersAreNumbers() {
    assertThat(tensor(new DataType.Int(8, true), DType.INT8, -128, 0, 127))
        .containsExactly("-128", "0", "127");
    assertThat(tensor(new DataType.Int(16, true), DType.INT16, -32768, 7))
        .containsExactly("-32768", "7");
    assertThat(tensor(new DataType.Int(32, true), DType.INT32, Integer.MIN_VALUE, 10))
        .containsExactly("-2147483648", "10");
    assertThat(tensor(new DataType.Int(64, true), DType.INT64, Long.MIN_VALUE, Long.MAX_VALUE, -1))
        .containsExactly("-9223372036854775808", "9223372036854775807", "-1");
  }

  @Test
  void unsignedIntegersAreNeverNegative() {
    assertThat(tensor(new DataType.Int(8, false), DType.UINT8, -1, 1)).containsExactly("255", "1");
    assertThat(tensor(new DataType.Int(16, false), DType.UINT16, -1)).containsExactly("65535");
    assertThat(tensor(new DataType.Int(32, false), DType.UINT32, -1)).containsExactly("4294967295");
    assertThat(tensor(new DataType.Int(64, false), DType.UINT64, -1, 5))
        .containsExactly("18446744073709551615", "5");
  }

  @Test
  void floatsAreTheShortestTextThatReadsBack() {
    assertThat(
            tensor(
                new DataType.Floating(32),
                DType.FLOAT32,
                Float.floatToRawIntBits(0.1f),
                Float.floatToRawIntBits(-0.0f),
                Float.floatToRawIntBits(3.4028235e38f)))
        .containsExactly("0.1", "-0.0", "3.4028235E38");
    assertThat(
            tensor(
                new DataType.Floating(64),
                DType.FLOAT64,
                Double.doubleToRawLongBits(0.1),
                Double.doubleToRawLongBits(Double.MIN_VALUE),
                Double.doubleToRawLongBits(1)))
        .containsExactly("0.1", "4.9E-324", "1.0");
  }

  @Test
  void whatIsNotFiniteIsAString() {
    assertThat(
            tensor(
                new DataType.Floating(64),
                DType.FLOAT64,
                Double.doubleToRawLongBits(Double.NaN),
                Double.doubleToRawLongBits(Double.POSITIVE_INFINITY),
                Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY)))
        .containsExactly("\"NaN\"", "\"Infinity\"", "\"-Infinity\"");
    assertThat(tensor(new DataType.Floating(16), DType.FLOAT16, 0x7E00, 0x7C00, 0xFC00))
        .containsExactly("\"NaN\"", "\"Infinity\"", "\"-Infinity\"");
  }

  @Test
  void halfFloatsAreTheirExactFloatValue() {
    assertThat(tensor(new DataType.Floating(16), DType.FLOAT16, 0x3C00, 0x2E66, 0x0001))
        .containsExactly("1.0", "0.0999755859375", "5.960464477539063E-8");
  }

  @Test
  void booleansAreTrueAndFalse() {
    assertThat(tensor(new DataType.Bool(), DType.BOOL, 1, 0)).containsExactly("true", "false");
  }

  @Test
  void datesReachBackAndFarAhead() {
    assertThat(tensor(new DataType.Date(), DType.INT32, 0, -1, 11_353, -719_528, 2_932_897))
        .containsExactly(
            "\"1970-01-01\"",
            "\"1969-12-31\"",
            "\"2001-01-31\"",
            "\"0000-01-01\"",
            "\"+10000-01-01\"");
  }

  @Test
  void anyDateIsWrittenAsJavaTimeWritesIt() {
    Random random = new Random(7);
    for (int run = 0; run < 200; run++) {
      int bits = random.nextInt(32);
      long[] days = random.ints(50).mapToLong(day -> day >> bits).toArray();
      String[] expected = new String[days.length];
      for (int i = 0; i < days.length; i++) {
        expected[i] = "\"" + LocalDate.ofEpochDay(days[i]) + "\"";
      }
      assertThat(tensor(new DataType.Date(), DType.INT32, days)).containsExactly(expected);
    }
  }

  @Test
  void timesHaveTheDigitsOfTheirUnit() {
    assertThat(tensor(new DataType.Time(TimeUnit.MILLIS, true), DType.INT32, 49_500_123))
        .containsExactly("\"13:45:00.123\"");
    assertThat(tensor(new DataType.Time(TimeUnit.MICROS, false), DType.INT64, 49_500_123_456L, 0))
        .containsExactly("\"13:45:00.123456\"", "\"00:00:00.000000\"");
    assertThat(tensor(new DataType.Time(TimeUnit.NANOS, true), DType.INT64, 86_399_999_999_999L))
        .containsExactly("\"23:59:59.999999999\"");
  }

  @Test
  void timestampsHaveTheDigitsOfTheirUnitAndSayWhenTheyAreUtc() {
    assertThat(tensor(new DataType.Timestamp(TimeUnit.MICROS, false), DType.INT64, 0, -1))
        .containsExactly("\"1970-01-01T00:00:00.000000\"", "\"1969-12-31T23:59:59.999999\"");
    assertThat(tensor(new DataType.Timestamp(TimeUnit.MILLIS, true), DType.INT64, 981_000_300_042L))
        .containsExactly("\"2001-02-01T04:05:00.042Z\"");
    assertThat(tensor(new DataType.Timestamp(TimeUnit.NANOS, true), DType.INT64, Long.MIN_VALUE))
        .containsExactly("\"1677-09-21T00:12:43.145224192Z\"");
    assertThat(tensor(new DataType.Timestamp(TimeUnit.MICROS, false), DType.INT64, Long.MAX_VALUE))
        .containsExactly("\"+294247-01-10T04:00:54.775807\"");
    assertThat(tensor(new DataType.Timestamp(TimeUnit.MILLIS, false), DType.INT64, Long.MIN_VALUE))
        .containsExactly("\"-292275055-05-16T16:47:04.192\"");
  }

  @Test
  void anyTimestampIsWrittenAsJavaTimeWritesIt() {
    DateTimeFormatter format = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS");
    Random random = new Random(8);
    long[] micros = new long[1000];
    String[] expected = new String[micros.length];
    for (int i = 0; i < micros.length; i++) {
      // Years 1001 to 2938.
      micros[i] = random.nextLong() >> 8;
      micros[i] %= 30_570_000_000_000_000L;
      LocalDateTime time =
          LocalDateTime.ofEpochSecond(
              Math.floorDiv(micros[i], 1_000_000L),
              (int) Math.floorMod(micros[i], 1_000_000L) * 1000,
              ZoneOffset.UTC);
      expected[i] = "\"" + format.format(time) + "\"";
    }
    assertThat(tensor(new DataType.Timestamp(TimeUnit.MICROS, false), DType.INT64, micros))
        .containsExactly(expected);
  }

  @Test
  void decimalsKeepTheColumnsScale() {
    assertThat(
            list(
                new DataType.Decimal(10, 2),
                new BigDecimal("12.30"),
                new BigDecimal("-0.01"),
                new BigDecimal("5")))
        .containsExactly("\"12.30\"", "\"-0.01\"", "\"5.00\"");
    assertThat(list(new DataType.Decimal(38, 20), new BigDecimal("1E-20")))
        .containsExactly("\"0.00000000000000000001\"");
  }

  @Test
  void stringsAreEscapedWhereJsonWantsIt() {
    assertThat(
            list(
                new DataType.Utf8(),
                "",
                "ATL",
                "say \"hi\" \\ \n\t\r\b\f\u0000\u001f",
                "Zürich €",
                "😀",
                "\ud83d",
                "\ude00x"))
        .containsExactly(
            "\"\"",
            "\"ATL\"",
            "\"say \\\"hi\\\" \\\\ \\n\\t\\r\\b\\f\\u0000\\u001f\"",
            "\"Zürich €\"",
            "\"😀\"",
            "\"\\ud83d\"",
            "\"\\ude00x\"");
  }

  @Test
  void bytesAreBase64() {
    byte[] bytes = {0, -1, 62};
    assertThat(list(new DataType.Binary(), bytes, new byte[0])).containsExactly("\"AP8+\"", "\"\"");
    assertThat(list(new DataType.FixedBinary(3), bytes)).containsExactly("\"AP8+\"");
    assertThat(list(new DataType.Interval(), new byte[12])).containsExactly("\"AAAAAAAAAAAAAAAA\"");
  }

  @Test
  void uuidsAreCanonical() {
    String text = "00112233-4455-6677-8899-aabbccddeeff";
    assertThat(list(new DataType.Uuid(), UUID.fromString(text)))
        .containsExactly("\"" + text + "\"");
  }

  @Test
  void nullsAreNullInTensorsAndLists() {
    Batch tensors =
        TestBatches.rows(3)
            .tensor("x", DType.INT64, 0, 0, 3)
            .tensor("x.mask", DType.BOOL, 1, 0, 1)
            .batch();
    assertThat(render(new Field("x", new DataType.Int(64, true), true), tensors))
        .containsExactly("0", "null", "3");
    assertThat(list(new DataType.Utf8(), "null", null)).containsExactly("\"null\"", "null");
  }

  @Test
  void listsOfNumbersAreArrays() {
    Batch batch =
        TestBatches.rows(4)
            .ragged(
                "x",
                DType.FLOAT32,
                new long[] {Float.floatToRawIntBits(0.1f), 0},
                new long[] {},
                new long[] {},
                new long[] {Float.floatToRawIntBits(Float.NaN)})
            .tensor("x.mask", DType.BOOL, 1, 0, 1, 1)
            .ragged(
                "x.element.mask",
                DType.BOOL,
                new long[] {1, 0},
                new long[] {},
                new long[] {},
                new long[] {1})
            .batch();
    DataType type = new DataType.List(new DataType.Floating(32), true);
    assertThat(render(new Field("x", type, true), batch))
        .containsExactly("[0.1,null]", "null", "[]", "[\"NaN\"]");
  }

  @Test
  void listsThatHaveNoNullsNeedNoMasks() {
    Batch batch =
        TestBatches.rows(2).ragged("x", DType.INT32, new long[] {1, -2}, new long[] {}).batch();
    DataType dates = new DataType.List(new DataType.Date(), false);
    assertThat(render(new Field("x", dates, false), batch))
        .containsExactly("[\"1970-01-02\",\"1969-12-30\"]", "[]");
  }

  @Test
  void nestedValuesAreArraysAndObjects() {
    DataType struct =
        new DataType.Struct(
            List.of(
                new Field("say \"x\"", new DataType.Int(32, true), true),
                new Field("tags", new DataType.List(new DataType.Utf8(), true), true)));
    Map<String, @Nullable Object> present = new LinkedHashMap<>();
    present.put("say \"x\"", null);
    present.put("tags", Arrays.asList("a", null));
    assertThat(list(struct, present, null))
        .containsExactly("{\"say \\\"x\\\"\":null,\"tags\":[\"a\",null]}", "null");

    DataType map = new DataType.Map(new DataType.Utf8(), new DataType.Int(64, true), true);
    assertThat(
            list(
                map,
                List.of(Map.entry("k", 1L), new SimpleEntry<String, @Nullable Object>("k", null)),
                List.of()))
        .containsExactly("[{\"key\":\"k\",\"value\":1},{\"key\":\"k\",\"value\":null}]", "[]");
  }

  @Test
  void leavesInsideLookAsColumnsDo() {
    assertThat(inside(new DataType.Bool(), true)).isEqualTo("true");
    assertThat(inside(new DataType.Int(8, false), 255)).isEqualTo("255");
    assertThat(inside(new DataType.Int(32, false), 4_294_967_295L)).isEqualTo("4294967295");
    assertThat(inside(new DataType.Int(64, false), new BigInteger("18446744073709551615")))
        .isEqualTo("18446744073709551615");
    assertThat(inside(new DataType.Floating(16), 0.099975586f)).isEqualTo("0.0999755859375");
    assertThat(inside(new DataType.Floating(32), 0.1f)).isEqualTo("0.1");
    assertThat(inside(new DataType.Floating(64), Double.NaN)).isEqualTo("\"NaN\"");
    assertThat(inside(new DataType.Decimal(10, 2), new BigDecimal("5"))).isEqualTo("\"5.00\"");
    assertThat(inside(new DataType.Utf8(), "é")).isEqualTo("\"é\"");
    assertThat(inside(new DataType.FixedBinary(3), new byte[] {0, -1, 62})).isEqualTo("\"AP8+\"");
    assertThat(inside(new DataType.Uuid(), new UUID(0, 1)))
        .isEqualTo("\"00000000-0000-0000-0000-000000000001\"");
    assertThat(inside(new DataType.Date(), LocalDate.of(2001, 1, 31))).isEqualTo("\"2001-01-31\"");
    assertThat(inside(new DataType.Time(TimeUnit.MILLIS, true), LocalTime.of(13, 45)))
        .isEqualTo("\"13:45:00.000\"");
    assertThat(
            inside(
                new DataType.Timestamp(TimeUnit.MICROS, true),
                Instant.ofEpochSecond(-1, 999_999_000)))
        .isEqualTo("\"1969-12-31T23:59:59.999999Z\"");
    assertThat(
            inside(
                new DataType.Timestamp(TimeUnit.NANOS, false),
                LocalDateTime.ofEpochSecond(-9_223_372_037L, 145_224_192, ZoneOffset.UTC)))
        .isEqualTo("\"1677-09-21T00:12:43.145224192\"");
  }

  /// Renders a value as the only element of a list in a list.
  private static String inside(DataType type, Object value) {
    DataType lists = new DataType.List(new DataType.List(type, true), true);
    String json = list(lists, List.of(List.of(value))).getFirst();
    assertThat(json).startsWith("[[").endsWith("]]");
    return json.substring(2, json.length() - 2);
  }

  @Test
  void aTypeThatCannotBeReadIsRefused() {
    Field field = new Field("tags", new DataType.Unsupported("list<string>"), true);
    assertThatThrownBy(() -> ValueRenderer.of(field))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot show column 'tags': its type list<string> cannot be read. Choose others with"
                + " --columns.");
  }

  private static List<String> tensor(DataType type, DType dtype, long... values) {
    Batch batch = TestBatches.rows(values.length).tensor("x", dtype, values).batch();
    return render(new Field("x", type, false), batch);
  }

  private static List<String> list(DataType type, @Nullable Object... values) {
    return render(
        new Field("x", type, true), TestBatches.rows(values.length).list("x", values).batch());
  }

  private static List<String> render(Field field, Batch batch) {
    ValueRenderer renderer = ValueRenderer.of(field);
    renderer.bind(batch);
    List<String> texts = new ArrayList<>();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputBuffer out = new OutputBuffer(bytes)) {
      for (int row = 0; row < batch.rowCount(); row++) {
        renderer.write(row, out);
        out.flush();
        texts.add(bytes.toString(StandardCharsets.UTF_8));
        bytes.reset();
      }
    }
    return texts;
  }
}
