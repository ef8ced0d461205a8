package dev.penstock.blackbox.docs;

// @start region=csv-to-model
import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Tensor;
import dev.penstock.batch.Vocabulary;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Shuffle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Learns from a CSV file how likely a flight is to arrive more than 15 minutes late.
public final class CsvToModel {
  private static final int EPOCHS = 6;
  private static final double LEARNING_RATE = 0.001;

  // The model: what each hour, weekday and airport adds. It starts without knowing anything.
  private final double[] hours = new double[24];
  private final double[] weekdays = new double[7];
  private final double[] airports;

  private CsvToModel(int airports) {
    this.airports = new double[airports + 1]; // the last is for airports that are new
  }

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args.length > 0 ? args[0] : ".");
    var train = new StructuredDataset(folder.resolve("train.csv").toString());
    var test = new StructuredDataset(folder.resolve("test.csv").toString());
    var options =
        LoaderOptions.defaults()
            .timestamps("date", EpochUnit.SECONDS)
            .strings("origin", StringEncoding.codes()) // finds the airports
            .shuffle(Shuffle.window(65_536))
            .seed(42);

    List<Double> trainLosses = new ArrayList<>();
    List<Double> testLosses = new ArrayList<>();
    try (var trainLoader = DataLoader.of(train.columns("date", "origin", "delay"), options)) {
      Vocabulary airports = trainLoader.vocabulary("origin");
      var known = StringEncoding.codes(airports).unknown(airports.size());
      var model = new CsvToModel(airports.size());
      try (var testLoader =
          DataLoader.of(
              test.columns("date", "origin", "delay"), options.strings("origin", known))) {
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
          trainLosses.add(model.pass(trainLoader, true));
          testLosses.add(model.pass(testLoader, false));
          IO.println(
              "epoch %d: loss %.4f, on held-out flights %.4f"
                  .formatted(epoch, trainLosses.getLast(), testLosses.getLast()));
        }
      }
      for (String airport : List.of("SLC", "ORD")) {
        for (int hour = 8; hour <= 20; hour += 4) {
          double late = model.predict(hour, 4, airports.code(airport).orElseThrow());
          IO.println("%s, Friday %2d:00: late with %.0f %%".formatted(airport, hour, 100 * late));
        }
      }
    }
    Files.writeString(folder.resolve("loss.svg"), LossPlot.draw(trainLosses, testLosses));
  }

  /// Reads all flights once, learns from each one if it is to, and returns the mean loss.
  private double pass(DataLoader loader, boolean learn) {
    double loss = 0;
    for (Batch batch : loader) {
      try (batch) {
        Tensor date = batch.tensor("date"); // INT64, shape [rows]: seconds since 1970-01-01
        Tensor origin = batch.tensor("origin"); // INT32, shape [rows]: places in the vocabulary
        Tensor delay = batch.tensor("delay"); // INT64, shape [rows]: minutes
        for (int row = 0; row < batch.rowCount(); row++) {
          long time = date.getLong(row) / 3600;
          int hour = (int) (time % 24);
          int weekday = (int) ((time / 24 + 3) % 7); // 0 is Monday
          int airport = origin.getInt(row);
          boolean late = delay.getLong(row) > 15;
          double predicted = predict(hour, weekday, airport);
          loss -= Math.log(late ? predicted : 1 - predicted);
          if (learn) {
            double step = LEARNING_RATE * (predicted - (late ? 1 : 0));
            hours[hour] -= step;
            weekdays[weekday] -= step;
            airports[airport] -= step;
          }
        }
      }
    }
    return loss / loader.stats().rows();
  }

  private double predict(int hour, int weekday, int airport) {
    return 1 / (1 + Math.exp(-(hours[hour] + weekdays[weekday] + airports[airport])));
  }
}
// @end
