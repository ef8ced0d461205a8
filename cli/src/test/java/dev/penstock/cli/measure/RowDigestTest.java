package dev.penstock.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.cli.TestBatches;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowDigestTest {
  private record Digests(String order, String content) {}

  @Test
  void batchSizeDoesNotMatter() {
    Map<String, long[]> columns = numbers(1000);
    Digests whole = inBatchesOf(1000, columns);
    for (int batchSize : new int[] {1, 7, 64, 999}) {
      assertThat(inBatchesOf(batchSize, columns)).isEqualTo(whole);
    }
  }

  @Test
  void theOrderOfRowsMattersToOneDigestOnly() {
    Map<String, long[]> columns = numbers(100);
    Digests before = inBatchesOf(100, columns);
    columns.values().forEach(values -> swap(values, 3, 77));
    Digests after = inBatchesOf(100, columns);
    assertThat(after.content()).isEqualTo(before.content());
    assertThat(after.order()).isNotEqualTo(before.order());
  }

  @Test
  void anyBitOfAnyValueMatters() {
    Map<String, long[]> columns = numbers(20);
    Digests before = inBatchesOf(20, columns);
    for (long[] values : columns.values()) {
      for (int bit = 0; bit < Long.SIZE; bit++) {
        values[11] ^= 1L << bit;
        Digests after = inBatchesOf(20, columns);
        values[11] ^= 1L << bit;
        assertThat(after.order()).isNotEqualTo(before.order());
        assertThat(after.content()).isNotEqualTo(before.content());
      }
    }
  }

  @Test
  void valuesThatTradePlacesBetweenColumnsOrRowsMatter() {
    Digests before = digest(pairs(new long[] {1, 3}, new long[] {2, 4}));
    assertThat(digest(pairs(new long[] {2, 4}, new long[] {1, 3})).content())
        .isNotEqualTo(before.content());
    assertThat(digest(pairs(new long[] {3, 1}, new long[] {2, 4})).content())
        .isNotEqualTo(before.content());
  }

  @Test
  void rowsOfZerosCount() {
    assertThat(inBatchesOf(5, zeros(5))).isNotEqualTo(inBatchesOf(5, zeros(4)));
  }

  @Test
  void aMaskTellsNullFromZero() {
    Batch zero =
        TestBatches.rows(1).tensor("a", DType.INT64, 0).tensor("a.mask", DType.BOOL, 1).batch();
    Batch none =
        TestBatches.rows(1).tensor("a", DType.INT64, 0).tensor("a.mask", DType.BOOL, 0).batch();
    assertThat(digest(zero)).isNotEqualTo(digest(none));
  }

  @Test
  void nullTextIsNotEmptyTextAndContentCounts() {
    Digests none = digest(TestBatches.rows(1).strings("s", (String) null).batch());
    Digests empty = digest(TestBatches.rows(1).strings("s", "").batch());
    // These two have one hashCode().
    Digests first = digest(TestBatches.rows(1).strings("s", "Aa").batch());
    Digests second = digest(TestBatches.rows(1).strings("s", "BB").batch());
    assertThat(List.of(none, empty, first, second)).doesNotHaveDuplicates();
  }

  @Test
  void integersCountByValueWhateverTheirWidth() {
    Digests wide = digest(TestBatches.rows(1).tensor("a", DType.INT64, -5).batch());
    Digests narrow = digest(TestBatches.rows(1).tensor("a", DType.INT8, -5).batch());
    Digests unsigned = digest(TestBatches.rows(1).tensor("a", DType.UINT8, -5).batch());
    assertThat(narrow).isEqualTo(wide);
    assertThat(unsigned).isNotEqualTo(wide);
  }

  private static Batch lists(DType dtype, long[]... lists) {
    return TestBatches.rows(lists.length).ragged("a", dtype, lists).batch();
  }

  @Test
  void elementsOfListsCountWithTheirPlaceAndNumber() {
    Set<Digests> digests = new HashSet<>();
    digests.add(digest(lists(DType.INT32, new long[] {1, 2}, new long[] {3})));
    digests.add(digest(lists(DType.INT32, new long[] {1}, new long[] {2, 3})));
    digests.add(digest(lists(DType.INT32, new long[] {2, 1}, new long[] {3})));
    digests.add(digest(lists(DType.INT32, new long[] {1, 2}, new long[] {4})));
    digests.add(digest(lists(DType.INT32, new long[] {1, 2}, new long[] {})));
    digests.add(digest(lists(DType.INT32, new long[] {1, 2}, new long[] {0})));
    assertThat(digests).hasSize(6);
  }

  @Test
  void elementsOfEveryTypeCountByValue() {
    long[] list = {-5, 100};
    Digests wide = digest(lists(DType.INT64, list));
    for (DType dtype : new DType[] {DType.INT8, DType.INT16, DType.INT32}) {
      assertThat(digest(lists(dtype, list))).isEqualTo(wide);
    }
    Set<Digests> digests = new HashSet<>();
    for (DType dtype : new DType[] {DType.UINT8, DType.UINT16, DType.UINT32}) {
      digests.add(digest(lists(dtype, list)));
    }
    assertThat(digests).hasSize(3).doesNotContain(wide);
  }

  @Test
  void listsInSmallBatchesAreTheSameLists() {
    RowDigest digest = new RowDigest();
    digest.add(lists(DType.INT32, new long[] {1, 2}));
    digest.add(lists(DType.INT32, new long[] {3}));
    assertThat(new Digests(digest.order(), digest.content()))
        .isEqualTo(digest(lists(DType.INT32, new long[] {1, 2}, new long[] {3})));
  }

  @Test
  void everythingInNestedValuesCounts() {
    Map<String, @Nullable Object> struct = new LinkedHashMap<>();
    struct.put("x", null);
    struct.put("y", 1);
    List<@Nullable Object> values =
        Arrays.asList(
            null,
            List.of(),
            Arrays.asList((Object) null),
            List.of(List.of()),
            List.of("a"),
            List.of("a", "b"),
            List.of("b", "a"),
            struct,
            Map.of("x", 7),
            List.of(Map.entry("a", 1)),
            List.of(Map.entry("a", 1), Map.entry("a", 1)),
            List.of(Map.entry("a", 2)),
            List.of(Map.entry(2, "a")),
            List.of(new BigDecimal("1.0")),
            List.of(new BigDecimal("1.00")),
            List.of(new byte[] {1}),
            List.of(true),
            List.of(2L),
            List.of(3f),
            List.of(-0f),
            List.of(0f),
            List.of(3d),
            List.of(new BigInteger("18446744073709551615")),
            List.of(LocalDate.of(2001, 2, 3)),
            List.of(LocalTime.of(1, 2)),
            List.of(LocalDateTime.of(2001, 2, 3, 1, 2)),
            List.of(Instant.EPOCH),
            List.of(Instant.EPOCH.plusNanos(1)),
            List.of(new UUID(1, 2)));
    Set<Digests> digests = new HashSet<>();
    for (Object value : values) {
      Digests digest = digest(TestBatches.rows(1).list("a", value).batch());
      assertThat(digest).isEqualTo(digest(TestBatches.rows(1).list("a", value).batch()));
      digests.add(digest);
    }
    assertThat(digests).hasSameSizeAs(values);
  }

  private static Map<String, long[]> numbers(int rows) {
    Random random = new Random(5);
    Map<String, long[]> columns = zeros(rows);
    columns.values().forEach(values -> Arrays.setAll(values, _ -> random.nextInt(50)));
    return columns;
  }

  private static Map<String, long[]> zeros(int rows) {
    Map<String, long[]> columns = new LinkedHashMap<>();
    columns.put("a", new long[rows]);
    columns.put("b", new long[rows]);
    return columns;
  }

  private static Batch pairs(long[] a, long[] b) {
    return TestBatches.rows(a.length)
        .tensor("a", DType.INT64, a)
        .tensor("b", DType.INT64, b)
        .batch();
  }

  private static void swap(long[] values, int i, int j) {
    long value = values[i];
    values[i] = values[j];
    values[j] = value;
  }

  private static Digests inBatchesOf(int batchSize, Map<String, long[]> columns) {
    RowDigest digest = new RowDigest();
    int rows = columns.values().iterator().next().length;
    for (int at = 0; at < rows; at += batchSize) {
      digest.add(TestBatches.slice(columns, at, Math.min(rows, at + batchSize)));
    }
    return new Digests(digest.order(), digest.content());
  }

  private static Digests digest(Batch batch) {
    RowDigest digest = new RowDigest();
    digest.add(batch);
    return new Digests(digest.order(), digest.content());
  }
}
