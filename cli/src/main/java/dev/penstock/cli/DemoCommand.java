package dev.penstock.cli;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.cli.demo.FlightDelayModel;
import dev.penstock.cli.demo.Metrics;
import dev.penstock.cli.demo.SampleFlights;
import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.Progress;
import dev.penstock.cli.output.Step;
import dev.penstock.cli.output.Terminal;
import dev.penstock.cli.output.TextTable;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.stats.LoaderStats;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `penstock demo`: the bundled example, from files to a trained model.
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Trains a small classifier on 300,000 real flights and reports how good it is.",
      "Will a flight arrive more than 15 minutes late, judged as it departs, from hour, weekday,"
          + " origin, destination and distance? Two of the eight files are held out; they were"
          + " dealt from the same half year, row by row, so the report tells how the model does on"
          + " unseen flights of those days, not of later ones."
    },
    footer = {"penstock demo", "penstock demo --epochs 10 --seed 7"})
final class DemoCommand implements Callable<Integer> {
  private static final double LEARNING_RATE = 0.1;

  private final Terminal terminal;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      description = "How often to go through the training flights. Default: ${DEFAULT-VALUE}.")
  private int epochs = 5;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      description = "Rows of a batch. Default: ${DEFAULT-VALUE}.")
  private int batchSize = 1024;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description =
          "Seed of the shuffle. One seed gives one result, with any number of workers. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--workers",
      paramLabel = "N|auto",
      description =
          "Decoding threads; 0 decodes on the calling thread. auto: as many as the consumer needs, up"
              + " to the processors this process may use. Default: ${DEFAULT-VALUE}.")
  private String workers = "auto";

  @ArgGroup(validate = false)
  private ProgressOption progressOption = new ProgressOption();

  DemoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /// The time that training took.
  private record Training(long rows, double lateRate, double seconds, double waitSeconds) {}

  /// The model's predictions for the held-out rows, and the true labels.
  private static final class HeldOut {
    private final double[] probabilities;
    private final boolean[] labels;

    HeldOut(int rows) {
      probabilities = new double[rows];
      labels = new boolean[rows];
    }
  }

  @Override
  public Integer call() {
    UsageException.requireAtLeast("--epochs", epochs, 1);
    UsageException.requireAtLeast("--batch-size", batchSize, 1);
    LoaderOptions options =
        WorkersOption.apply(workers, LoaderOptions.defaults().batchSize(batchSize))
            .rank(Rank.SINGLE)
            .shuffle(Shuffle.splits())
            .seed(seed);
    FlightDelayModel model = new FlightDelayModel(LEARNING_RATE);
    try (SampleFlights flights = terminal.closeOnInterrupt(SampleFlights.extract())) {
      Training training = train(model, dataset(flights.trainingFolder()), options);
      HeldOut heldOut =
          predict(model, dataset(flights.heldOutFolder()), options.shuffle(Shuffle.none()));
      terminal.print(report(training, heldOut));
    }
    return Main.DONE;
  }

  private static StructuredDataset dataset(Path folder) {
    return new StructuredDataset(folder.toString())
        .columns(FlightDelayModel.COLUMNS)
        .splitRows(SampleFlights.ROW_GROUP_ROWS);
  }

  /// The training loop: an epoch is one pass over the loader, shuffled anew each time.
  private Training train(FlightDelayModel model, StructuredDataset dataset, LoaderOptions options) {
    long rowsPerEpoch = dataset.files().stream().mapToLong(DataFileInfo::rows).sum();
    terminal.print(
        "Training on "
            + Numbers.count(rowsPerEpoch, "flight")
            + ", "
            + Numbers.count(epochs, "epoch")
            + ", "
            + WorkersOption.text(options)
            + "\n");
    long rows = 0;
    long late = 0;
    long nanos = 0;
    long waitNanos = 0;
    try (Progress progress = progressOption.start(terminal, Rank.SINGLE);
        DataLoader loader = terminal.closeOnInterrupt(DataLoader.of(dataset, options))) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        String name = "epoch " + (epoch + 1) + " of " + epochs;
        double loss = 0;
        long start = System.nanoTime();
        try (EpochIterator<Batch> batches = loader.iterator()) {
          while (batches.hasNext()) {
            try (Batch batch = batches.next()) {
              loss += model.train(batch) * batch.rowCount();
              late += count(model.labels(), batch.rowCount());
            }
            progress.update(
                () -> Step.of(name, loader.stats(), 0, rowsPerEpoch, System.nanoTime() - start));
          }
          nanos += System.nanoTime() - start;
          LoaderStats stats = loader.stats();
          rows += stats.rows();
          waitNanos += stats.times().waitNanos();
          progress.clear();
          terminal.print(
              "  epoch " + epoch + ": log loss " + Numbers.fixed(loss / stats.rows(), 4) + "\n");
        }
      }
    }
    return new Training(rows, (double) late / rows, nanos / 1e9, waitNanos / 1e9);
  }

  private HeldOut predict(
      FlightDelayModel model, StructuredDataset dataset, LoaderOptions options) {
    int rows = (int) dataset.files().stream().mapToLong(DataFileInfo::rows).sum();
    HeldOut heldOut = new HeldOut(rows);
    int at = 0;
    try (DataLoader loader = terminal.closeOnInterrupt(DataLoader.of(dataset, options))) {
      for (Batch batch : loader) {
        try (batch) {
          System.arraycopy(model.predict(batch), 0, heldOut.probabilities, at, batch.rowCount());
          System.arraycopy(model.labels(), 0, heldOut.labels, at, batch.rowCount());
          at += batch.rowCount();
        }
      }
    }
    return heldOut;
  }

  private static int count(boolean[] labels, int rows) {
    int count = 0;
    for (int row = 0; row < rows; row++) {
      count += labels[row] ? 1 : 0;
    }
    return count;
  }

  private String report(Training training, HeldOut heldOut) {
    boolean[] labels = heldOut.labels;
    double[] baseRate = Metrics.constant(training.lateRate(), labels.length);
    TextTable table =
        new TextTable()
            .left("on " + Numbers.count(labels.length) + " held-out flights")
            .right("log loss")
            .right("AUC");
    table.row(
        "always the base rate (" + Numbers.percent(training.lateRate()) + " late)",
        Numbers.fixed(Metrics.logLoss(baseRate, labels), 4),
        Numbers.fixed(Metrics.auc(baseRate, labels), 4));
    table.row(
        "the model",
        Numbers.fixed(Metrics.logLoss(heldOut.probabilities, labels), 4),
        Numbers.fixed(Metrics.auc(heldOut.probabilities, labels), 4));
    return "\n"
        + table.fit(terminal.outColumns())
        + "\n"
        + Numbers.rate(training.rows() / training.seconds())
        + " rows/s through loader and training; "
        + Numbers.percent(training.waitSeconds() / training.seconds())
        + " of "
        + Numbers.fixed(training.seconds(), 2)
        + " s was waiting for data.\n";
  }
}
