package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.files.RowsFormat;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Columns that no writer of a real format writes.
class RowsNestedTest {
  private static final LoaderOptions OPTIONS = LoaderOptions.defaults().workers(1);

  @TempDir Path folder;

  /// Writes one file of one row group.
  private StructuredDataset dataset(Schema schema, List<List<Object>> rows) throws IOException {
    Table table = new Table(schema, List.of(new Table.DataFile("part-0", List.of(rows))));
    return new RowsFormat().dataset(folder, table, new Random(3));
  }

  /// Writes one file of one nullable column, a value a row.
  private StructuredDataset column(DataType type, Object... values) throws IOException {
    return dataset(
        Schema.of(List.of(new Field("c", type, true))),
        Arrays.stream(values).map(value -> List.of(value)).toList());
  }

  @Test
  void columnWithDotsInItsNameComesBeforeThePart() throws IOException {
    DataType whole = new DataType.Int(32, true);
    Schema schema =
        Schema.of(
            List.of(
                new Field("a", new DataType.Struct(List.of(new Field("b", whole, false))), false),
                new Field("a.b", new DataType.Utf8(), false)));
    StructuredDataset dataset =
        dataset(schema, List.of(List.of(Map.of("b", 1), "own"))).columns("a.b", "a");
    try (DataLoader loader = DataLoader.of(dataset, OPTIONS)) {
      assertThat(Delivery.ofEpoch(loader).rows()).containsExactly(List.of("own", Map.of("b", 1)));
    }
  }

  @Test
  void timeThatIsNotWithinADayIsAnErrorOfItsRowWhereItBecomesAnObject() throws IOException {
    DataType micros = new DataType.Time(DataType.TimeUnit.MICROS, true);
    StructuredDataset dataset = column(micros, 0L, 86_400_000_000L, -1L);
    Failure failure = Failure.meet(dataset, OPTIONS.batchSize(1).output(OutputFormat.MAP));
    assertThat(failure.batches()).containsExactly(1);
    assertThat(failure.thrown())
        .hasMessage(
            "Corrupt time in column 'c': 86400000000 us after midnight is not within a day. Deliver"
                + " it as a number, or leave it out. ["
                + folder.resolve("part-0" + new RowsFormat().extension())
                + ", row 1]");
    try (DataLoader loader = DataLoader.of(dataset, OPTIONS.nulls(NullPolicy.error()))) {
      assertThat((long[]) loader.iterator().next().tensor("c").toArray())
          .isEqualTo(new long[] {0, 86_400_000_000L, -1});
    }
    DataType lists = new DataType.List(new DataType.List(micros, true), true);
    Failure.of(column(lists, List.of(List.of(0L), List.of(0L, -1L))), OPTIONS)
        .hasMessageContaining("-1 us after midnight")
        .hasMessageEndingWith(", row 0]");
  }
}
