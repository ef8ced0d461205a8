package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Tensor;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// What may be asked for of single columns, on files of one table.
abstract class ColumnContract extends FileContract {
  static final DataType INT32 = new DataType.Int(32, true);
  static final DataType FLOAT32 = new DataType.Floating(32);
  static final DataType TEXT = new DataType.Utf8();

  /// Writes one file of one row group.
  StructuredDataset dataset(Schema schema, List<List<Object>> rows) throws IOException {
    boolean nested = schema.fields().stream().anyMatch(field -> field.type().isNested());
    assumeTrue(!nested || writer().nesting() > 0, "the format has no nested columns");
    return groups(schema, List.of(rows));
  }

  /// Writes one file with the given row groups.
  StructuredDataset groups(Schema schema, List<List<List<Object>>> groups) throws IOException {
    Table table = new Table(schema, List.of(new Table.DataFile("part-0", groups)));
    return writer().dataset(folder, table, new Random(1));
  }

  /// Returns the file that [#dataset] writes.
  Path file() {
    return folder.resolve("part-0" + writer().extension());
  }

  static LoaderOptions options() {
    return LoaderOptions.defaults().workers(1);
  }

  /// Returns the values of a column of the first batch, as a list.
  static List<Object> values(Batch batch, String name) {
    Object column = batch.column(name);
    return switch (column) {
      case Tensor tensor -> list(tensor.toArray());
      case RaggedTensor lists -> list(lists.values().toArray());
      case List<?> list -> new ArrayList<>(list);
      default -> list(column);
    };
  }

  private static List<Object> list(Object array) {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      list.add(Array.get(array, i));
    }
    return list;
  }

  static void refused(StructuredDataset dataset, LoaderOptions options, String message) {
    for (OutputFormat output : OutputFormat.values()) {
      if (output == OutputFormat.ARROW && !options.columns().features().isEmpty()) {
        continue; // a matrix is refused before its columns are looked at
      }
      try (DataLoader loader = DataLoader.of(dataset, options.output(output))) {
        assertThatIllegalArgumentException().isThrownBy(loader::iterator).withMessage(message);
      }
    }
    Leaks.assertNoThreads();
  }
}
