package dev.penstock.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.BatchIterator;
import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.split.Rank;
import dev.penstock.split.TargetSizeSplitStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tables that Impala, Spark, Hive, Trino and others wrote, as many rows of each as its writers say
/// it has.
class ForeignTablesTest {
  private static final Path ROOT =
      Path.of(System.getProperty("penstock.shared", ""), "data", "iceberg");

  private static List<String[]> tables() throws IOException {
    Path expected = ROOT.resolve("expected-rows.tsv");
    if (!Files.exists(expected)) {
      return List.<String[]>of(new String[] {"", ""});
    }
    try (Stream<String> lines = Files.lines(expected)) {
      return lines
          .skip(1)
          .map(line -> line.split("\t", -1))
          .map(cells -> new String[] {cells[0], cells[2]})
          .toList();
    }
  }

  /// Opens a table as its writer left it, wherever its locations say that it is.
  private static IcebergDataset open(String name) throws IOException {
    Path folder = ROOT.resolve(name);
    PenstockFileIO io = new PenstockFileIO();
    Path metadata = Path.of(TableFolder.metadataFile(folder.toString(), io.files()));
    JsonNode json = new ObjectMapper().readTree(metadata.toFile());
    String location = json.get("location").asText();
    IcebergDataset dataset =
        IcebergDataset.metadata(metadata.toString()).mapLocation(location, folder.toString());
    // Some tables name files beside their folder.
    int shared = location.lastIndexOf('/');
    return shared < 1
        ? dataset
        : dataset.mapLocation(location.substring(0, shared), String.valueOf(folder.getParent()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tables")
  void tableHasTheRowsThatItsWriterSays(String name, String rows) throws IOException {
    assumeTrue(!name.isEmpty(), () -> "No tables at " + ROOT);
    assumeTrue(!rows.equals("?"), "not readable by any reader");
    StructuredDataset dataset = open(name).dataset();
    String[] readable =
        dataset.fileSchema().fields().stream()
            .filter(field -> isReadable(field.type()))
            .map(Field::name)
            .toArray(String[]::new);
    StructuredDataset chosen = dataset.columns(readable);
    long expected = Long.parseLong(rows);
    assertThat(count(chosen, 0, 1)).isEqualTo(expected);
    StructuredDataset tiny = chosen.splitStrategy(TargetSizeSplitStrategy.ofRows(1));
    assertThat(count(tiny, 0, 2) + count(tiny, 1, 2)).isEqualTo(expected);
  }

  private static boolean isReadable(DataType type) {
    return switch (type) {
      case DataType.Unsupported _ -> false;
      case DataType.List(DataType element, boolean _) -> isReadable(element);
      case DataType.Map(DataType key, DataType value, boolean _) ->
          isReadable(key) && isReadable(value);
      case DataType.Struct(List<Field> fields) ->
          fields.stream().allMatch(field -> isReadable(field.type()));
      default -> true;
    };
  }

  private static long count(StructuredDataset dataset, int rank, int world) {
    long rows = 0;
    try (DataLoader loader =
            dataset.createDataLoader(o ->
                o.batchSize(500)
                    .workers(2)
                    .shuffle(world > 1)
                    .rank(new Rank(rank, world))
                    .nulls(NullPolicy.mask())
                    .output(OutputFormat.ARRAY));
        BatchIterator batches = loader.iterator()) {
      while (batches.hasNext()) {
        try (Batch batch = batches.next()) {
          rows += batch.rowCount();
        }
      }
    }
    return rows;
  }

  @Test
  void encryptedTableIsAnError() throws IOException {
    String name = "impala/hadoop_catalog/ice/iceberg_with_key_metadata";
    assumeTrue(Files.isDirectory(ROOT.resolve(name)), () -> "No tables at " + ROOT);
    IcebergDataset table = open(name);
    assertThatThrownBy(() -> table.dataset().files()).hasMessageContaining("encrypted");
  }

  @Test
  void tableWithoutSnapshotHasNoRows() throws IOException {
    String name = "impala/hadoop_catalog/ice/iceberg_uppercase_col";
    assumeTrue(Files.isDirectory(ROOT.resolve(name)), () -> "No tables at " + ROOT);
    assertThat(count(open(name).dataset(), 0, 1)).isZero();
  }
}
