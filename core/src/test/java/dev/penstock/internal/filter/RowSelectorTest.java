package dev.penstock.internal.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.filter.Filter;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import dev.penstock.testing.Seeded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class RowSelectorTest {
  static final FileRowNumbers FILE = new FileRowNumbers("a.parquet", row -> row);
  private static final DataType INT = new DataType.Int(32, true);
  private static final DataType TEXT = new DataType.Utf8();
  private static final Schema SCHEMA =
      Schema.of(List.of(new Field("x", INT, true), new Field("s", TEXT, true)));

  @Seeded(runs = 600)
  void keepsTheRowsThatSqlKeeps(Random random) {
    RandomRows rows = new RandomRows(random, 1 + random.nextInt(4), 1 + random.nextInt(1800));
    NaiveFilter naive = new NaiveFilter(rows.typesByName());
    for (int i = 0; i < 8; i++) {
      Filter filter = rows.filter(random.nextInt(4));
      RowSelector selector = new RowSelector(FilterBinder.bind(filter, rows.schema()), FILE);
      for (int from = 0; from < rows.rowCount(); ) {
        int count = Math.min(rows.rowCount() - from, 1 + random.nextInt(1200));
        assertThat(selected(selector, rows, from, count))
            .as("rows %s to %s where %s of %s", from, from + count, filter, rows.schema())
            .isEqualTo(naive(naive, filter, rows, from, count));
        from += count;
      }
    }
  }

  static List<Integer> selected(RowSelector selector, RandomRows rows, int from, int count) {
    try (Arena arena = Arena.ofConfined()) {
      int kept = selector.select(from, count, column -> rows.slice(arena, column, from, count));
      List<Integer> selected = Arrays.stream(selector.numbers(), 0, kept).boxed().toList();
      return selected;
    }
  }

  static List<Integer> naive(
      NaiveFilter naive, Filter filter, RandomRows rows, int from, int count) {
    List<Integer> kept = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int row = from + i;
      if (Boolean.TRUE.equals(naive.test(filter, column -> rows.value(column, row)))) {
        kept.add(i);
      }
    }
    return kept;
  }

  @Test
  void columnsAreAskedForOnlyWhileRowsAreLeft() {
    List<String> asked = new ArrayList<>();
    Function<String, ColumnSlice> columns =
        column -> {
          asked.add(column);
          return ints(1, 2, 3);
        };
    assertThat(selector("x > 5 and s is null").select(0, 3, columns)).isZero();
    assertThat(selector("x > 0 or s is null").select(0, 3, columns)).isEqualTo(3);
    assertThat(asked).containsExactly("x", "x");
  }

  @Test
  void aDictionaryIsTestedOnce() {
    MemorySegment offsets = memory(0, 1, 2);
    MemorySegment bytes = MemorySegment.ofArray(new byte[] {'a', 'b'});
    TextDictionary dictionary = new TextDictionary(2, bytes, offsets);
    RowSelector selector = selector("s = 'b'");
    ColumnSlice slice = ColumnSlice.coded(TEXT, 3, 0, null, memory(1, 0, 1), dictionary);
    assertThat(selector.select(0, 3, _ -> slice)).isEqualTo(2);
    bytes.fill((byte) 'c'); // a reader may reuse the memory only with another dictionary
    assertThat(selector.select(0, 3, _ -> slice)).isEqualTo(2);
    TextDictionary other = new TextDictionary(2, bytes, offsets);
    assertThat(
            selector.select(0, 3, _ -> ColumnSlice.coded(TEXT, 3, 0, null, memory(1, 0, 1), other)))
        .isZero();
  }

  @Test
  void noRowsAreNoWords() {
    assertThat(selector("x > 5").select(0, 0, _ -> ints())).isZero();
  }

  @Test
  void anotherTypeOrNumberOfRowsIsRefused() {
    RowSelector selector = selector("x > 5 and x < 9");
    assertThatThrownBy(() -> selector.select(0, 2, _ -> ints(1, 2, 3)))
        .hasMessage("Cannot filter by column 'x': it has 3 rows but expected 2.");
    ColumnSlice longs = ColumnSlice.fixed(new DataType.Int(64, true), 1, 0, null, memory(1, 2));
    assertThatThrownBy(() -> selector.select(0, 1, _ -> longs))
        .hasMessage("Cannot filter by column 'x': it is int64 but the filter was made for int32.");
  }

  @Test
  void memoryThatIsTooSmallIsNotReadBeyond() {
    ColumnSlice numbers = ColumnSlice.fixed(INT, 65, 0, null, memory(new int[64]));
    assertThatThrownBy(() -> selector("x > 5").select(0, 65, _ -> numbers))
        .isInstanceOf(IndexOutOfBoundsException.class);
    ColumnSlice nulls = ColumnSlice.fixed(INT, 64, 1, memory(0), memory(new int[64]));
    assertThatThrownBy(() -> selector("x > 5").select(0, 64, _ -> nulls))
        .isInstanceOf(IndexOutOfBoundsException.class);
    TextDictionary dictionary =
        new TextDictionary(2, MemorySegment.ofArray(new byte[] {'a', 'b'}), memory(0, 1, 2));
    for (int code : new int[] {-1, 3, Integer.MAX_VALUE}) {
      ColumnSlice coded = ColumnSlice.coded(TEXT, 1, 0, null, memory(code), dictionary);
      assertThatThrownBy(() -> selector("s = 'a'").select(0, 1, _ -> coded))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    TextDictionary huge = new TextDictionary(Integer.MAX_VALUE, dictionary.values(), memory(0));
    ColumnSlice coded = ColumnSlice.coded(TEXT, 1, 0, null, memory(0), huge);
    assertThatThrownBy(() -> selector("s = 'a'").select(0, 1, _ -> coded))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  private static RowSelector selector(String filter) {
    return new RowSelector(FilterBinder.bind(Filter.parse(filter), SCHEMA), FILE);
  }

  private static ColumnSlice ints(int... values) {
    return ColumnSlice.fixed(INT, values.length, 0, null, memory(values));
  }

  private static MemorySegment memory(int... values) {
    return MemorySegment.ofArray(values);
  }
}
