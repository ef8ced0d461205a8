package reads;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;

/// Reads files with all their columns.
public final class ReadFile {
  private ReadFile() {}

  public static void main(String[] args) {
    for (String file : args) {
      System.out.println(file + ": " + rows(new StructuredDataset(file)) + " rows");
    }
  }

  /// Counts the rows by reading all values of them; none at all is an error.
  public static long rows(StructuredDataset dataset) {
    long rows = 0;
    try (DataLoader loader = DataLoader.of(dataset, o -> o.output(OutputFormat.MAP))) {
      for (Batch batch : loader) {
        try (batch) {
          rows += batch.rowCount();
        }
      }
    }
    if (rows == 0) {
      throw new IllegalStateException("no rows");
    }
    return rows;
  }
}
