package dev.penstock.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.StructuredDataset;
import dev.penstock.iceberg.internal.files.MoveProperties;
import dev.penstock.iceberg.internal.files.TableFolder;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.catalog.LocationMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.TypeUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables that Impala, Spark, Hive, Trino and others wrote: each has as many rows as its writers
/// say, with the values that Iceberg's own reader finds.
class ForeignTablesTest {
  private static final Path ROOT =
      Path.of(System.getProperty("penstock.shared", ""), "data", "iceberg");

  private static final String ENCRYPTED = "impala/hadoop_catalog/ice/iceberg_with_key_metadata";

  /// Tables that Iceberg's reader cannot read, with others of the same rows.
  private static final Map<String, String> TWINS =
      Map.of(
          "impala/iceberg_migrated_complex_test", "impala/iceberg_migrated_complex_test_orc",
          "impala/iceberg_v3/iceberg_v3_default_value_orc",
              "impala/iceberg_v3/iceberg_v3_default_value");

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

  /// A table as its writer left it, and where its files are now.
  private record Foreign(String metadata, LocationMap map) {
    /// Finds a table, wherever its locations say that it is.
    static Foreign of(String name) throws IOException {
      Path folder = ROOT.resolve(name);
      PenstockFileIO io = new PenstockFileIO();
      Path metadata = Path.of(TableFolder.metadataFile(folder.toString(), io.files()));
      JsonNode json = new ObjectMapper().readTree(metadata.toFile());
      String location = json.get("location").asText();
      List<LocationMap.Move> moves = new ArrayList<>();
      moves.add(new LocationMap.Move(location, folder.toString()));
      // Some tables name files beside their folder.
      int shared = location.lastIndexOf('/');
      if (shared > 0) {
        moves.add(
            new LocationMap.Move(
                location.substring(0, shared), String.valueOf(folder.getParent())));
      }
      return new Foreign(metadata.toString(), new LocationMap(moves));
    }

    IcebergDataset open() {
      IcebergDataset dataset = IcebergDataset.metadata(metadata);
      for (LocationMap.Move move : map.moves()) {
        dataset = dataset.mapLocation(move.from(), move.to());
      }
      return dataset;
    }

    /// Returns the table as Iceberg's reader takes it.
    Table table() {
      Map<String, String> properties = new HashMap<>();
      MoveProperties.write(map, properties);
      PenstockFileIO io = new PenstockFileIO();
      io.initialize(properties);
      return new BaseTable(new StaticTableOperations(metadata, io), metadata);
    }
  }

  private static IcebergDataset open(String name) throws IOException {
    return Foreign.of(name).open();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tables")
  void tableHasTheRowsThatItsWriterSaysAndTheValuesThatIcebergReads(String name, String rows)
      throws IOException {
    assumeTrue(!name.isEmpty(), () -> "No tables at " + ROOT);
    assumeTrue(!name.equals(ENCRYPTED), "encrypted");
    Foreign foreign = Foreign.of(name);
    StructuredDataset dataset = foreign.open().dataset();
    List<String> readable =
        dataset.fileSchema().fields().stream()
            .filter(field -> isReadable(field.type()))
            .map(Field::name)
            .toList();
    List<String> read = EveryWay.read(dataset.columns(readable.toArray(String[]::new)));
    if (!rows.equals("?")) {
      assertThat(read).hasSize(Integer.parseInt(rows));
    }
    Foreign oracle = Foreign.of(TWINS.getOrDefault(name, name));
    assertThat(ReadTable.sorted(read))
        .isEqualTo(ReadTable.sorted(ReadTable.expected(oracle.table(), readable)));
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

  /// Of rows that were written again the numbers stand in the files, of others they follow.
  @ParameterizedTest
  @ValueSource(strings = {"iceberg_v3_row_lineage", "iceberg_v3_row_lineage_orc"})
  void rowsHaveTheNumbersThatIcebergReads(String name) throws IOException {
    String path = "impala/iceberg_v3/" + name;
    assumeTrue(Files.isDirectory(ROOT.resolve(path)), () -> "No tables at " + ROOT);
    Foreign foreign = Foreign.of(path);
    Table table = foreign.table();
    Schema columns =
        TypeUtil.join(
            table.schema(),
            new Schema(MetadataColumns.ROW_ID, MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER));
    List<String> expected = new ArrayList<>();
    try (CloseableIterable<Record> rows = IcebergGenerics.read(table).project(columns).build()) {
      rows.forEach(row ->
          expected.add(
              "i="
                  + row.getField("i")
                  + " _row_id="
                  + row.getField("_row_id")
                  + " _last_updated_sequence_number="
                  + row.getField("_last_updated_sequence_number")
                  + " "));
    }
    List<String> read =
        EveryWay.read(
            foreign
                .open()
                .metadataColumns("_row_id", "_last_updated_sequence_number")
                .dataset()
                .columns("i", "_row_id", "_last_updated_sequence_number"));
    assertThat(ReadTable.sorted(read)).isEqualTo(ReadTable.sorted(expected)).isNotEmpty();
  }

  @Test
  void encryptedTableIsAnError() throws IOException {
    assumeTrue(Files.isDirectory(ROOT.resolve(ENCRYPTED)), () -> "No tables at " + ROOT);
    IcebergDataset table = open(ENCRYPTED);
    assertThatThrownBy(() -> table.dataset().files()).hasMessageContaining("encrypted");
  }

  @Test
  void tableWithoutSnapshotHasNoRows() throws IOException {
    String name = "impala/hadoop_catalog/ice/iceberg_uppercase_col";
    assumeTrue(Files.isDirectory(ROOT.resolve(name)), () -> "No tables at " + ROOT);
    assertThat(EveryWay.read(open(name).dataset())).isEmpty();
  }
}
