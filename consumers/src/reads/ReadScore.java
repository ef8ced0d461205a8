package reads;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.score.ScoreResult;
import dev.penstock.score.Scorer;
import java.nio.file.Files;
import java.util.Map;

/// Scores the rows of a file by a rule, and reads the scores.
public final class ReadScore {
  private ReadScore() {}

  public static void main(String[] args) throws Exception {
    String out = Files.createTempDirectory("scores").toString();
    ScoreResult result =
        Scorer.of(
                new StructuredDataset(args[0]).columns("origin", "distance"),
                batch -> Map.of("far", Tensor.of(new float[batch.rowCount()])))
            .keys("origin")
            .writeTo(out);
    long rows = 0;
    try (DataLoader loader = DataLoader.of(new StructuredDataset(out).columns("far"))) {
      for (Batch batch : loader) {
        try (batch) {
          rows += batch.rowCount();
        }
      }
    }
    if (rows == 0 || rows != result.rows()) {
      throw new IllegalStateException("wrote " + result + " but read " + rows + " rows");
    }
    System.out.println("scores: " + rows);
  }
}
