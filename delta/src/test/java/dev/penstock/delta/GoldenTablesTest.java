package dev.penstock.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.Field;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The golden tables of Delta Lake: each has the rows that Spark reads.
class GoldenTablesTest {
  private static final Path ROOT =
      Path.of(System.getProperty("penstock.shared", ""), "data", "delta");

  /// A table, and what Spark says of it.
  record Golden(String name, long rows, long version, boolean isError) {
    DeltaDataset open() {
      return DeltaDataset.table(ROOT.resolve("golden").resolve(name).toString());
    }

    List<String> expected() throws IOException {
      Path file = ROOT.resolve("expected").resolve(name.replace("/", "__") + ".jsonl.gz");
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(
                  new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
        return lines
            .lines()
            .filter(line -> !line.isEmpty())
            .map(SparkJson::comparable)
            .sorted()
            .toList();
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Golden> tables() throws IOException {
    if (!Files.exists(ROOT.resolve("expected.tsv"))) {
      return List.of(new Golden("no golden tables", 0, 0, false));
    }
    try (Stream<String> lines = Files.lines(ROOT.resolve("expected.tsv"))) {
      return lines
          .skip(1)
          .map(line -> line.split("\t", -1))
          .map(cells ->
              cells[1].equals("error")
                  ? new Golden(cells[0], 0, 0, true)
                  : new Golden(cells[0], Long.parseLong(cells[1]), Long.parseLong(cells[2]), false))
          .toList();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tables")
  void tableHasTheRowsThatSparkReads(Golden table) throws IOException {
    assumeThat(ROOT.resolve("expected.tsv")).exists();
    if (table.isError()) {
      assertThatThrownBy(() -> read(table))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(table.name());
      return;
    }
    read(table);
  }

  private static void read(Golden table) throws IOException {
    DeltaDataset delta = table.open();
    StructuredDataset dataset = delta.dataset();
    List<Field> fields = dataset.schema().fields();
    List<String> rows = new ArrayList<>();
    long count = 0;
    try (DataLoader loader =
            DataLoader.of(dataset, LoaderOptions.defaults().workers(2).output(OutputFormat.MAP));
        EpochIterator<Batch> batches = loader.iterator()) {
      while (batches.hasNext()) {
        try (Batch batch = batches.next()) {
          count += batch.rowCount();
          if (table.rows() <= 2_000) {
            List<List<?>> columns = new ArrayList<>();
            fields.forEach(field -> columns.add(batch.list(field.name())));
            for (int row = 0; row < batch.rowCount(); row++) {
              List<Object> values = new ArrayList<>();
              for (List<?> column : columns) {
                values.add(column.get(row));
              }
              rows.add(SparkJson.row(fields, values));
            }
          }
        }
      }
    }
    assertThat(count).isEqualTo(table.rows());
    assertThat(delta.version()).isEqualTo(table.version());
    if (table.rows() <= 2_000) {
      rows.sort(null);
      assertThat(rows).isEqualTo(table.expected());
    }
  }
}
