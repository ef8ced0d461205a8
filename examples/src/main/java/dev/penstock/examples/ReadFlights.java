package dev.penstock.examples;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import java.util.Locale;

/// The shortest program: one epoch over a folder of flights, and how late they were. It runs as the
/// README says, from its source, on the command's jar.
final class ReadFlights {
  private ReadFlights() {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) {
    System.out.print(read(args.length > 0 ? args[0] : "data/flights"));
  }

  static String read(String folder) {
    StructuredDataset flights =
        new StructuredDataset(folder).columns("distance", "delay", "origin");
    long rows = 0;
    long minutes = 0;
    try (DataLoader loader =
        flights.createDataLoader(o -> o.batchSize(512).workers(2).shuffle(true).seed(42))) {
      for (Batch batch : loader) {
        try (batch) { // gives its memory back
          Tensor delay = batch.tensor("delay");
          for (int row = 0; row < batch.rowCount(); row++) {
            minutes += delay.getLong(row);
          }
          rows += batch.rowCount();
        }
      }
    }
    return String.format(
        Locale.ROOT, "%,d flights, %.1f minutes late on average%n", rows, (double) minutes / rows);
  }
}
