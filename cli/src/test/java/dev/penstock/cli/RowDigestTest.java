package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowDigestTest {
  private static final Schema NUMBERS =
      Schema.of(
          List.of(
              new Field("a", new DataType.Int(64, true), false),
              new Field("b", new DataType.Int(64, true), false)));
  private static final Schema TEXT = Schema.of(List.of(new Field("s", new DataType.Utf8(), true)));

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
    Digests before = digest(NUMBERS, pairs(new long[] {1, 3}, new long[] {2, 4}));
    assertThat(digest(NUMBERS, pairs(new long[] {2, 4}, new long[] {1, 3})).content())
        .isNotEqualTo(before.content());
    assertThat(digest(NUMBERS, pairs(new long[] {3, 1}, new long[] {2, 4})).content())
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
    assertThat(digest(NUMBERS, zero)).isNotEqualTo(digest(NUMBERS, none));
  }

  @Test
  void nullTextIsNotEmptyTextAndContentCounts() {
    Digests none = digest(TEXT, TestBatches.rows(1).strings("s", (String) null).batch());
    Digests empty = digest(TEXT, TestBatches.rows(1).strings("s", "").batch());
    // These two have one hashCode().
    Digests first = digest(TEXT, TestBatches.rows(1).strings("s", "Aa").batch());
    Digests second = digest(TEXT, TestBatches.rows(1).strings("s", "BB").batch());
    assertThat(List.of(none, empty, first, second)).doesNotHaveDuplicates();
  }

  @Test
  void integersCountByValueWhateverTheirWidth() {
    Digests wide = digest(NUMBERS, TestBatches.rows(1).tensor("a", DType.INT64, -5).batch());
    Digests narrow = digest(NUMBERS, TestBatches.rows(1).tensor("a", DType.INT8, -5).batch());
    Digests unsigned = digest(NUMBERS, TestBatches.rows(1).tensor("a", DType.UINT8, -5).batch());
    assertThat(narrow).isEqualTo(wide);
    assertThat(unsigned).isNotEqualTo(wide);
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
    RowDigest digest = new RowDigest(NUMBERS);
    int rows = columns.values().iterator().next().length;
    for (int at = 0; at < rows; at += batchSize) {
      digest.add(TestBatches.slice(columns, at, Math.min(rows, at + batchSize)));
    }
    return new Digests(digest.order(), digest.content());
  }

  private static Digests digest(Schema schema, Batch batch) {
    RowDigest digest = new RowDigest(schema);
    digest.add(batch);
    return new Digests(digest.order(), digest.content());
  }
}
