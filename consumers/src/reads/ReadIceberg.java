package reads;

import dev.penstock.iceberg.IcebergDataset;
import java.io.IOException;
import java.nio.file.Path;

/// Reads a table by its metadata file.
public final class ReadIceberg {
  private ReadIceberg() {}

  public static void main(String[] args) throws IOException {
    String metadata = IcebergTable.write(Path.of(args[0]), Long.parseLong(args[1]));
    long rows = ReadFile.rows(IcebergDataset.metadata(metadata).dataset());
    System.out.println("table: " + rows + " rows");
  }
}
