package reads;

import dev.penstock.DataLoader;
import dev.penstock.batch.Batch;
import dev.penstock.delta.DeltaDataset;
import java.nio.file.Path;

/// Reads a Delta table with deletion vectors.
public final class ReadDelta {
  private ReadDelta() {}

  public static void main(String[] args) {
    DeltaDataset table = DeltaDataset.table(Path.of(args[0]).toString());
    long rows = 0;
    try (DataLoader loader = DataLoader.of(table.dataset(), o -> o.batchSize(10))) {
      for (Batch batch : loader) {
        rows += batch.rowCount();
        batch.close();
      }
    }
    if (rows != Long.parseLong(args[1])) {
      throw new IllegalStateException("Expected " + args[1] + " rows, got " + rows + ".");
    }
  }
}
