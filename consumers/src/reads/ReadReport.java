package reads;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Writes a page of what a loader did.
public final class ReadReport {
  private ReadReport() {}

  public static void main(String[] args) throws IOException {
    Path page = Files.createTempFile("report", ".html");
    try (DataLoader loader = DataLoader.of(new StructuredDataset(args[0]), o -> o.record(true))) {
      for (Batch batch : loader) {
        batch.close();
      }
      loader.report(page);
    }
    if (!Files.readString(page).contains("id=\"report\"")) {
      throw new IllegalStateException("no report in " + page);
    }
    Files.delete(page);
    System.out.println("report: " + args[0]);
  }
}
