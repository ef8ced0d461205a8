package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// What the tests of text formats expect of files: rows, or the sentence of an error.
final class ReadText {
  private ReadText() {}

  static List<List<Object>> rows(StructuredDataset dataset) {
    try (DataLoader loader =
        DataLoader.of(dataset, o -> o.workers(1).batchSize(7).output(OutputFormat.MAP))) {
      List<List<Object>> rows = new ArrayList<>();
      for (Batch batch : loader) {
        try (batch) {
          for (int i = 0; i < batch.rowCount(); i++) {
            List<Object> row = new ArrayList<>();
            for (String name : batch.names()) {
              row.add(((List<?>) batch.column(name)).get(i));
            }
            rows.add(row);
          }
        }
      }
      return rows;
    }
  }

  /// Returns the sentence of the error that reading gives.
  static String error(StructuredDataset dataset) {
    List<String> message = new ArrayList<>();
    assertThatThrownBy(() -> rows(dataset))
        .satisfies(e -> {
          Throwable root = e;
          while (root.getCause() != null && !(root instanceof IOException)) {
            root = root.getCause();
          }
          message.add(root.getMessage());
        });
    return message.getFirst();
  }
}
