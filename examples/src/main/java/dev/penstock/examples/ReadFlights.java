package dev.penstock.examples;

// @start region=read-flights
import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;

/// How late flights are on average, computed over three shuffled epochs.
final class ReadFlights {
  public static void main(String[] args) {
    String folder = args.length > 0 ? args[0] : "data/flights";
    var flights = new StructuredDataset(folder).columns("delay");

    try (DataLoader loader =
        DataLoader.of(flights, o -> o.batchSize(512).workers(2).shuffle(true).seed(42))) {
      for (int epoch = 0; epoch < 3; epoch++) {
        long minutes = 0;
        for (Batch batch : loader) {
          try (batch) { // gives its memory back
            Tensor delay = batch.tensor("delay"); // INT64, shape [512], off-heap
            for (int row = 0; row < batch.rowCount(); row++) {
              minutes += delay.getLong(row);
            }
          }
        }
        long rows = loader.stats().rows();
        double mean = (double) minutes / rows;
        IO.println("epoch %d: %,d flights, %.1f minutes late".formatted(epoch, rows, mean));
      }
    }
  }
}
// @end
