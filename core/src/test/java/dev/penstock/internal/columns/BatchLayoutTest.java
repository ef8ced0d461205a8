package dev.penstock.internal.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.OutputFormat;
import dev.penstock.internal.columns.ColumnPlan.RaggedPlan;
import dev.penstock.internal.table.ValuesPerRow;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Where lists lie in a batch, by what the footers say of their length.
class BatchLayoutTest {
  private static final DataType FLOATS = new DataType.List(new DataType.Floating(32), false);
  private static final DataType TEXTS = new DataType.List(new DataType.Utf8(), false);

  private static BatchLayout layout(int batchSize, ValuesPerRow values, DataType... types) {
    List<Field> fields =
        java.util.stream.IntStream.range(0, types.length)
            .mapToObj(i -> new Field("c" + i, types[i], false))
            .toList();
    return BatchLayout.of(
        Schema.of(fields),
        batchSize,
        OutputFormat.TENSOR,
        false,
        ColumnForms.defaults(),
        Map.of(),
        Set.of(),
        _ -> values);
  }

  private static List<Integer> lengths(BatchLayout layout) {
    return layout.columns().stream().map(plan -> ((RaggedPlan) plan).room().length()).toList();
  }

  @Test
  void variantsHaveNoFormOffTheHeap() {
    DataType variants = new DataType.List(new DataType.Variant(), true);
    Schema schema = Schema.of(List.of(new Field("v", variants, true)));
    assertThatThrownBy(() ->
            BatchLayout.of(
                schema,
                8,
                OutputFormat.TENSOR,
                true,
                ColumnForms.defaults(),
                Map.of(),
                Set.of(),
                _ -> ValuesPerRow.UNKNOWN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Cannot deliver column 'v' of type " + variants);
  }

  @Test
  void listsOfOneLengthHaveRoomForThemAndTheirOffsets() {
    BatchLayout layout = layout(1000, new ValuesPerRow(128, 128), FLOATS);
    assertThat(lengths(layout)).containsExactly(128);
    assertThat(layout.slabBytes()).isBetween(1000 * 128 * 4 + 1001 * 8L, 1000 * 128 * 4 + 9000L);
    assertThat(layout.batchBytes()).isEqualTo(layout.slabBytes());
  }

  @Test
  void listsOfNoOneLengthHaveNone() {
    BatchLayout layout = layout(1000, new ValuesPerRow(0, 50), FLOATS);
    assertThat(lengths(layout)).containsExactly(0);
    assertThat(layout.slabBytes()).isZero();
    assertThat(layout.batchBytes()).isEqualTo(1000 * 50 * 4);
  }

  @Test
  void whatOnlyAFileSaysTakesNoMemoryWithoutEnd() {
    int much = Integer.MAX_VALUE;
    BatchLayout layout = layout(much, new ValuesPerRow(much, much), FLOATS, TEXTS);
    assertThat(layout.slabBytes()).isZero();
    assertThat(layout.batchBytes()).isGreaterThan(1L << 60);

    // 100 MiB of lists in each batch: the third column would make it more than 256 MiB.
    BatchLayout three =
        layout(1 << 10, new ValuesPerRow(25 << 10, 25 << 10), FLOATS, FLOATS, FLOATS);
    assertThat(lengths(three)).containsExactly(25 << 10, 25 << 10, 0);
    assertThat(three.slabBytes()).isLessThan(256 << 20);
  }

  @Test
  void objectsCountByTheValuesInThem() {
    assertThat(layout(10, new ValuesPerRow(0, 7), TEXTS).batchBytes()).isEqualTo(10 * 7 * 64);
    assertThat(layout(10, new ValuesPerRow(1, 1), new DataType.Utf8()).batchBytes())
        .isEqualTo(10 * 64);
  }
}
