package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.blackbox.files.ArrowFiles;
import dev.penstock.format.MalformedFileException;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Nulls in nested values of which the schema says that they are never null.
class NestedNullsTest {
  private static final DataType LONG = new DataType.Int(64, true);

  @TempDir Path folder;

  private static Schema schema(DataType type) {
    return Schema.of(List.of(new Field("c", type, true)));
  }

  private static DataType list() {
    return new DataType.List(LONG, false);
  }

  private static DataType struct() {
    return new DataType.Struct(List.of(new Field("x", LONG, false), new Field("y", LONG, true)));
  }

  /// Reads batches of one row until the error, which comes behind all rows before it.
  private static void refused(StructuredDataset dataset, int before, String message) {
    LoaderOptions options = LoaderOptions.defaults().batchSize(1).nulls(NullPolicy.mask());
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      List<Integer> rows = new ArrayList<>();
      assertThatThrownBy(
              () -> {
                for (Batch batch : loader) {
                  rows.add(batch.rowCount());
                  batch.close();
                }
              })
          .hasCauseInstanceOf(MalformedFileException.class)
          .hasMessageContaining(message)
          .hasMessageContaining("row " + before + ", column 'c'");
      assertThat(rows).hasSize(before);
    }
  }

  private StructuredDataset arrow(Schema schema, List<List<Object>> rows) throws IOException {
    Path file = folder.resolve("a.arrow");
    new ArrowFiles().write(file, schema, List.of(rows), new Random(1));
    return new StructuredDataset(file.toString());
  }

  private StructuredDataset json(Schema schema, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("a.jsonl"), text);
    return new StructuredDataset(file.toString()).schemaFrom(schema);
  }

  private static List<Object> row(Object value) {
    return Arrays.asList(value);
  }

  private static Map<String, Object> struct(Object x, Object y) {
    Map<String, Object> struct = new HashMap<>();
    struct.put("x", x);
    struct.put("y", y);
    return struct;
  }

  @Test
  void nullInAListOfAnArrowFileIsRefused() throws IOException {
    List<Object> holes = Arrays.asList(3L, null);
    List<List<Object>> rows = List.of(row(List.of(1L)), row(null), row(List.of()), row(holes));
    refused(arrow(schema(list()), rows), 3, "'c.element' is null here but the schema says");
  }

  @Test
  void nullInAStructOfAnArrowFileIsRefused() throws IOException {
    List<List<Object>> rows = List.of(row(struct(1L, null)), row(null), row(struct(null, 2L)));
    refused(arrow(schema(struct()), rows), 2, "'c.x' is null here but the schema says");
  }

  @Test
  void nullInAListOfAStatedTypeIsRefused() throws IOException {
    String text = "{\"c\": [1]}\n{\"c\": null}\n{}\n{\"c\": [2, null]}\n";
    refused(json(schema(list()), text), 3, "'c.element' is null here but the schema says");
  }

  @Test
  void fieldThatIsMissingInAStructOfAStatedTypeIsRefused() throws IOException {
    String text = "{\"c\": {\"x\": 1}}\n{\"c\": null}\n{\"c\": {\"y\": 2}}\n";
    refused(json(schema(struct()), text), 2, "'c.x' is null here but the schema says");
  }
}
