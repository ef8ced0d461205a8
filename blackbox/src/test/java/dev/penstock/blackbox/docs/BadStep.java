package dev.penstock.blackbox.docs;

// @start region=bad-step
import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Shuffle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Learns how late flights arrive, and says in which steps the loss jumps.
public final class BadStep {
  private static final double LEARNING_RATE = 0.05;

  private double bias; // minutes
  private double weight; // minutes per 600 miles

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args.length > 0 ? args[0] : "data");
    var flights =
        new StructuredDataset(folder.resolve("flights").toString()).columns("distance", "delay");
    var options =
        LoaderOptions.defaults()
            .batchSize(512)
            .shuffle(Shuffle.window(65_536))
            .seed(42)
            .stepLog(folder.resolve("steps.jsonl"));

    var model = new BadStep();
    double usual = 0;
    try (DataLoader loader = DataLoader.of(flights, options)) {
      for (Batch batch : loader) {
        double loss;
        try (batch) {
          loss = model.train(batch);
        }
        if (loader.state().epoch() > 0) {
          break; // the state after the last batch is that of the next epoch
        }
        long done = loader.state().batches();
        if (done > 50 && loss > 4 * usual) {
          IO.println("step %d: loss %.0f, usually %.0f".formatted(done - 1, loss, usual));
        }
        usual += (loss - usual) / Math.min(done, 100);
        if (done % 50 == 0) { // with the model
          Files.writeString(folder.resolve("state-" + done + ".json"), loader.state().toJson());
        }
      }
    }
  }

  /// Takes one step of gradient descent and returns the mean of the squared errors.
  private double train(Batch batch) {
    Tensor distance = batch.tensor("distance");
    Tensor delay = batch.tensor("delay");
    int rows = batch.rowCount();
    double loss = 0;
    double biasSlope = 0;
    double weightSlope = 0;
    for (int row = 0; row < rows; row++) {
      double miles = (distance.getLong(row) - 700) / 600.0;
      double error = bias + weight * miles - delay.getLong(row);
      loss += error * error;
      biasSlope += error;
      weightSlope += error * miles;
    }
    bias -= LEARNING_RATE * biasSlope / rows;
    weight -= LEARNING_RATE * weightSlope / rows;
    return loss / rows;
  }
}
// @end
