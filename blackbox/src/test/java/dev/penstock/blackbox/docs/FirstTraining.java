package dev.penstock.blackbox.docs;

// @start region=first-training
import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.Tensor;
import dev.penstock.options.LoaderOptions;

/// Learns how likely a flight is to arrive more than 15 minutes late.
public final class FirstTraining {
  private static final double LEARNING_RATE = 0.1;

  // What the model learns: a bias, and weights for the hour of departure and the distance.
  private double bias;
  private double hourWeight;
  private double distanceWeight;

  public static void main(String[] args) {
    String folder = args.length > 0 ? args[0] : "data/flights";
    var flights = new StructuredDataset(folder).columns("date", "distance", "delay");
    var options =
        LoaderOptions.defaults()
            .batchSize(1024)
            .workers(2)
            .shuffle(true)
            .seed(42)
            .timestamps("date", EpochUnit.SECONDS);

    var model = new FirstTraining();
    try (DataLoader loader = DataLoader.of(flights, options)) {
      for (int epoch = 0; epoch < 3; epoch++) {
        double loss = 0;
        for (Batch batch : loader) {
          try (batch) {
            loss += model.train(batch);
          }
        }
        long rows = loader.stats().rows();
        IO.println("epoch %d: %,d flights, loss %.4f".formatted(epoch, rows, loss / rows));
      }
    }
    for (int hour = 8; hour <= 20; hour += 4) {
      double late = model.predict(scaledHour(hour), scaledDistance(500));
      IO.println("departs at %2d:00, 500 miles: late with %.0f %%".formatted(hour, 100 * late));
    }
  }

  /// Takes one step of gradient descent and returns the sum of the rows' losses.
  private double train(Batch batch) {
    Tensor date = batch.tensor("date"); // INT64, shape [rows]: seconds since 1970-01-01
    Tensor distance = batch.tensor("distance"); // INT64, shape [rows]
    Tensor delay = batch.tensor("delay");
    int rows = batch.rowCount();
    double loss = 0;
    double biasSlope = 0;
    double hourSlope = 0;
    double distanceSlope = 0;
    for (int row = 0; row < rows; row++) {
      double hour = scaledHour(Math.floorMod(date.getLong(row) / 3600, 24));
      double miles = scaledDistance(distance.getLong(row));
      boolean late = delay.getLong(row) > 15;
      double predicted = predict(hour, miles);
      double error = predicted - (late ? 1 : 0);
      loss -= Math.log(late ? predicted : 1 - predicted);
      biasSlope += error;
      hourSlope += error * hour;
      distanceSlope += error * miles;
    }
    bias -= LEARNING_RATE * biasSlope / rows;
    hourWeight -= LEARNING_RATE * hourSlope / rows;
    distanceWeight -= LEARNING_RATE * distanceSlope / rows;
    return loss;
  }

  private double predict(double hour, double distance) {
    return 1 / (1 + Math.exp(-(bias + hourWeight * hour + distanceWeight * distance)));
  }

  private static double scaledHour(long hour) {
    return (hour - 12) / 6.0;
  }

  private static double scaledDistance(long miles) {
    return (miles - 700) / 600.0;
  }
}
// @end
