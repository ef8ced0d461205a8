package dev.penstock.internal.variant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testing.Seeded;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Values that parquet-java encoded, and bytes that are none.
class VariantValueTest {
  @Seeded(runs = 300)
  void valueIsTheOneThatWasEncoded(Random random) throws VariantException {
    Object value = TestVariants.random(random, 4);
    byte[] bytes = TestVariants.joined(TestVariants.encoded(value));
    VariantNames names = VariantNames.of(bytes, 0, bytes.length, null);
    assertThat(VariantValue.check(bytes, names.length(), bytes.length, names))
        .isEqualTo(bytes.length);
    Object read = VariantValue.of(bytes, bytes.length, null).object();
    assertThat(TestVariants.text(read)).isEqualTo(TestVariants.text(value));
  }

  /// Whatever is done to a value, it can be read or is refused.
  @Seeded(runs = 300)
  void damagedValueIsReadOrRefused(Random random) {
    byte[] bytes = TestVariants.joined(TestVariants.encoded(TestVariants.random(random, 4)));
    for (int i = 0; i < 50; i++) {
      byte[] damaged = bytes.clone();
      for (int j = random.nextInt(3); j >= 0; j--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      int end = random.nextBoolean() ? damaged.length : random.nextInt(damaged.length + 1);
      try {
        VariantNames names = VariantNames.of(damaged, 0, end, null);
        VariantValue.check(damaged, names.length(), end, names);
      } catch (VariantException e) {
        assertThat(e).hasMessageStartingWith("Corrupt variant: ");
        continue;
      }
      VariantJson.of(VariantValue.of(damaged, end, null).object());
    }
  }

  @Test
  void partsThatShareBytesAreRefused() {
    // An array of two elements that lie at one place.
    byte[] bytes = HexFormat.of().parseHex("0302" + "000003" + "0cff00");
    assertThatThrownBy(() -> checked(bytes)).hasMessage("Corrupt variant: parts of it overlap.");
  }

  @Test
  void deepValueIsRefused() {
    byte[] nested = {0};
    for (int i = 0; i < 300; i++) {
      byte[] outer = new byte[1 + 1 + 8 + nested.length];
      outer[0] = 0b1111; // an array with offsets of four bytes
      outer[1] = 1;
      outer[6] = (byte) nested.length;
      outer[7] = (byte) (nested.length >> 8);
      System.arraycopy(nested, 0, outer, 10, nested.length);
      nested = outer;
    }
    byte[] deep = nested;
    assertThatThrownBy(() -> checked(deep))
        .hasMessage("Corrupt variant: it is nested more than 200 deep.");
  }

  private static void checked(byte[] value) throws VariantException {
    byte[] metadata = {1, 0, 0};
    VariantNames names = VariantNames.of(metadata, 0, metadata.length, null);
    VariantValue.check(value, 0, value.length, names);
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', 1 bytes are needed where 0 are left.",
    "02 00 00, 00, its metadata has version 2 but only version 1 can be read.",
    "01 05, 00, 6 bytes are needed where 1 are left.",
    "01 01 01 01 61, 00, the names in its metadata overlap.",
    "01 01 00 01 ff, 00, a text is not UTF-8.",
    "01 00 00, 5c, it has primitive type 23 but only those up to 20 can be read.",
    "01 00 00, 11 61 62 63, 4 bytes are needed where 3 are left.",
    "01 00 00, 09 61 ff, a text is not UTF-8.",
    "01 00 00, 40 ff ff ff ff 61, 4294967295 bytes are needed where 1 are left.",
    "01 00 00, 20 27 00 00 00 00, a decimal has scale 39.",
    "01 00 00, 02 01 00 00 01 00, a field has name 0 but its metadata has 0.",
    "01 00 00, 44 c0 1d c8 1d 14 00 00 00, ''",
    "01 00 00, 44 ff ff ff ff ff ff ff ff, a time is -1 microseconds after midnight.",
    "01 01 00 01 61, 02 02 00 00 00 01 02 00 00, an object has field 'a' twice.",
  })
  void damageIsNamed(String metadata, String value, String sentence) {
    String joined = metadata + " " + value;
    byte[] bytes = HexFormat.of().parseHex(joined.replace(" ", ""));
    org.assertj.core.api.ThrowableAssert.ThrowingCallable check =
        () -> {
          VariantNames names = VariantNames.of(bytes, 0, bytes.length, null);
          VariantValue.check(bytes, names.length(), bytes.length, names);
        };
    if (sentence.isEmpty()) {
      org.assertj.core.api.Assertions.assertThatCode(check).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(check).hasMessage("Corrupt variant: " + sentence);
    }
  }

  @Test
  void jsonIsThatOfTheSpecification() {
    Map<String, @Nullable Object> object = new TreeMap<>();
    object.put("bytes", new byte[] {1, 2, -1});
    object.put("date", LocalDate.of(2025, 4, 16));
    object.put("decimal", new BigDecimal("34.00"));
    object.put("double", 1.5);
    object.put("float", 0.1f);
    object.put("list", List.of(1L, "\"\n", true));
    object.put("local", LocalDateTime.of(2025, 4, 16, 12, 34, 56, 780_000_000));
    object.put("nan", Double.NaN);
    object.put("none", null);
    object.put("small", new BigDecimal("1E-30"));
    object.put("time", LocalTime.of(12, 33, 54, 123_456_000));
    object.put("utc", Instant.parse("2025-04-16T12:34:56.78Z"));
    object.put("uuid", UUID.fromString("f24f9b64-81fa-49d1-b74e-8c09a6e31c56"));
    byte[] bytes = TestVariants.joined(TestVariants.encoded(object));
    assertThat(
            new String(
                VariantJson.of(VariantValue.of(bytes, bytes.length, null).object()),
                StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"bytes\":\"AQL/\",\"date\":\"2025-04-16\",\"decimal\":34.00,\"double\":1.5,"
                + "\"float\":0.1,\"list\":[1,\"\\\"\\n\",true],\"local\":\"2025-04-16T12:34:56.78\","
                + "\"nan\":\"NaN\",\"none\":null,\"small\":0.000000000000000000000000000001,"
                + "\"time\":\"12:33:54.123456\",\"utc\":\"2025-04-16T12:34:56.78+00:00\","
                + "\"uuid\":\"f24f9b64-81fa-49d1-b74e-8c09a6e31c56\"}");
  }

  @Test
  void pathLeadsToAField() {
    Map<String, Object> object =
        Map.of("a.b", 1L, "a", Map.of("b", 2L, "c", 3L, "d.e", Map.of("f", 4L)), "t", "x");
    byte[] bytes = TestVariants.joined(TestVariants.encoded(object));
    VariantValue value = VariantValue.of(bytes, bytes.length, null);
    assertThat(found(value, "a.b")).isEqualTo(1L);
    assertThat(found(value, "a.c")).isEqualTo(3L);
    assertThat(found(value, "a.d.e.f")).isEqualTo(4L);
    assertThat(value.find("a.x")).isNull();
    assertThat(value.find("t.x")).isNull();
    assertThat(value.find("t.")).isNull();
  }

  private static @Nullable Object found(VariantValue value, String path) {
    VariantValue found = value.find(path);
    return found == null ? "none" : found.object();
  }
}
