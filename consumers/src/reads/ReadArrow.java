package reads;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.arrow.ArrowBatches;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import org.apache.arrow.vector.VectorSchemaRoot;

/// Reads a file as Arrow vectors.
public final class ReadArrow {
  private ReadArrow() {}

  public static void main(String[] args) {
    StructuredDataset dataset = new StructuredDataset(args[0]);
    long rows = 0;
    try (DataLoader loader = DataLoader.of(dataset, o -> o.output(OutputFormat.ARROW))) {
      for (Batch batch : loader) {
        try (batch;
            VectorSchemaRoot root = ArrowBatches.root(batch)) {
          rows += root.getRowCount();
          root.contentToTSVString();
        }
      }
    }
    if (rows == 0) {
      throw new IllegalStateException("no rows");
    }
    System.out.println(args[0] + ": " + rows + " rows as vectors");
  }
}
