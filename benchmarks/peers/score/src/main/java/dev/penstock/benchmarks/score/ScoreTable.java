package dev.penstock.benchmarks.score;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.model.Model;
import dev.penstock.onnx.OnnxModel;
import dev.penstock.score.ScoreResult;
import dev.penstock.score.Scorer;
import dev.penstock.split.Rank;
import dev.penstock.xgboost.XgboostModel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/// Scores a file by Penstock, and writes the scores with their keys as Parquet.
public final class ScoreTable {
  private ScoreTable() {}

  /// Scores it several times.
  ///
  /// @param args `FILE MODEL FOLDER RUNS WORKERS BATCH_SIZE`
  /// @throws Exception if it cannot be measured
  public static void main(String[] args) throws Exception {
    double[] seconds = new double[Integer.parseInt(args[3])];
    int workers = Integer.parseInt(args[4]);
    int size = Integer.parseInt(args[5]);
    try (Model model = open(Path.of(args[1]), workers)) {
      Scorer scorer =
          Scorer.of(new StructuredDataset(args[0]), model)
              .keys("id")
              .options(o -> o.batchSize(size))
              .workers(workers);
      ScoreResult result = null;
      for (int run = 0; run < seconds.length; run++) {
        long start = System.nanoTime();
        result = scorer.writeTo(args[2] + "/" + run);
        seconds[run] = (System.nanoTime() - start) / 1e9;
      }
      ScoreResult last = Objects.requireNonNull(result, "RUNS must be at least 1");
      Printed.line(last.rows(), seconds, sum(args[2] + "/0"), stages(last));
    }
  }

  static Model open(Path file, int threads) throws IOException {
    return file.toString().endsWith(".onnx")
        ? OnnxModel.open(file, threads)
        : XgboostModel.open(file, threads);
  }

  private static String stages(ScoreResult result) {
    return String.format(
        Locale.ROOT,
        ", \"reading\": %.2f, \"scoring\": %.2f, \"encoding\": %.2f, \"storing\": %.2f, \"mb\": %d",
        seconds(result.reading()),
        seconds(result.scoring()),
        seconds(result.encoding()),
        seconds(result.storing()),
        result.bytes() / 1_000_000);
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  private static double sum(String folder) {
    double sum = 0;
    try (DataLoader loader =
        DataLoader.of(new StructuredDataset(folder), o -> o.rank(Rank.SINGLE))) {
      String score = loader.schema().names().getLast();
      for (Batch batch : loader) {
        try (batch) {
          for (float each : (float[]) batch.tensor(score).toArray()) {
            sum += each;
          }
        }
      }
    }
    return sum;
  }
}
