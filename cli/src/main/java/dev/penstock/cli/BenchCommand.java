package dev.penstock.cli;

import dev.penstock.DataLoader;
import dev.penstock.LoaderOptions;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.split.Rank;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `penstock bench`: how many workers pay here.
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measures how fast batches arrive with different numbers of workers, and recommends one.",
      "The settings take turns, one epoch each, after a round to warm up; the median counts. The"
          + " consumer does nothing with a batch, so this is the most a training loop can get."
    })
final class BenchCommand implements Callable<Integer> {
  /// A setting this close to the best is as good, if it takes fewer workers.
  private static final double GOOD_ENOUGH = 0.95;

  private static final String MATRIX = "features";

  private final Terminal terminal;

  @Option(
      names = "--workers",
      paramLabel = "0,1,2,4",
      split = ",",
      hideParamSyntax = true,
      description = "The numbers of workers to compare. Default: 0,1,2,4.")
  private List<String> workers = new ArrayList<>(List.of("0", "1", "2", "4"));

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How many measured epochs per setting. Default: ${DEFAULT-VALUE}.")
  private int rounds = 3;

  @Option(
      names = "--features",
      paramLabel = "a,b,c",
      split = ",",
      hideParamSyntax = true,
      description = "The columns of the feature matrix; without --columns, only these are read.")
  private @Nullable List<String> features;

  @Option(
      names = "--matrix",
      description =
          "Deliver the features as one row-major float matrix; without --features, all numeric and"
              + " boolean columns are in it.")
  private boolean matrix;

  @Option(names = "--json", description = "Print one JSON object a line, one line a setting.")
  private boolean json;

  @ArgGroup(validate = false, heading = ReadOptions.HEADING)
  private ReadOptions read = new ReadOptions();

  @ArgGroup(validate = false, heading = DeliverOptions.HEADING)
  private DeliverOptions deliver = new DeliverOptions();

  @ArgGroup(validate = false)
  private ProgressOption progressOption = new ProgressOption();

  BenchCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /// One epoch of one setting.
  private record Run(double rowsPerSecond, double waitSeconds) {}

  /// The medians of a setting.
  private record Result(int workers, double rowsPerSecond, double waitSeconds) {}

  @Override
  public Integer call() {
    UsageException.requireAtLeast("--rounds", rounds, 1);
    int[] settings = settings();
    StructuredDataset dataset = dataset();
    LoaderOptions options = withMatrix(deliver.loaderOptions(), dataset);
    List<Result> results = measure(settings, dataset, options);
    int recommended = recommended(results);
    if (json) {
      printJson(results, recommended);
    } else {
      terminal.print(text(results, recommended));
    }
    return Main.DONE;
  }

  private int[] settings() {
    int[] settings = workers.stream().mapToInt(WorkersOption::parse).distinct().toArray();
    for (int setting : settings) {
      UsageException.requireAtLeast("--workers", setting, 0);
    }
    return settings;
  }

  private StructuredDataset dataset() {
    StructuredDataset dataset = deliver.split(read.dataset());
    List<String> wanted = features;
    return wanted == null || read.choosesColumns()
        ? dataset
        : UsageException.blame(() -> dataset.columns(wanted));
  }

  private LoaderOptions withMatrix(LoaderOptions options, StructuredDataset dataset) {
    if (!matrix) {
      return options;
    }
    List<String> columns = features != null ? features : numericColumns(dataset);
    return UsageException.blame(() -> options.features(MATRIX, columns));
  }

  private static List<String> numericColumns(StructuredDataset dataset) {
    return dataset.schema().fields().stream()
        .filter(field ->
            field.type() instanceof DataType.Int
                || field.type() instanceof DataType.Floating
                || field.type() instanceof DataType.Bool)
        .map(Field::name)
        .toList();
  }

  private List<Result> measure(int[] settings, StructuredDataset dataset, LoaderOptions options) {
    Run[][] runs = new Run[settings.length][rounds];
    try (Progress progress = progressOption.start(terminal, options.rank().orElse(Rank.SINGLE))) {
      for (int round = -1; round < rounds; round++) {
        for (int i = 0; i < settings.length; i++) {
          int current = round;
          int setting = settings[i];
          progress.update(() ->
              (current < 0 ? "warming up" : "round " + (current + 1) + " of " + rounds)
                  + ", "
                  + Numbers.count(setting, "worker"));
          Run run = run(dataset, options.workers(setting));
          if (round >= 0) {
            runs[i][round] = run;
          }
        }
      }
    }
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < settings.length; i++) {
      double[] speeds = Arrays.stream(runs[i]).mapToDouble(Run::rowsPerSecond).toArray();
      double[] waits = Arrays.stream(runs[i]).mapToDouble(Run::waitSeconds).toArray();
      results.add(new Result(settings[i], median(speeds), median(waits)));
    }
    return results;
  }

  private Run run(StructuredDataset dataset, LoaderOptions options) {
    try (DataLoader loader = terminal.closeOnInterrupt(new DataLoader(dataset, options))) {
      loader.setEpoch(deliver.epoch());
      long start = System.nanoTime();
      long rows = 0;
      for (Batch batch : loader) {
        rows += batch.rowCount();
        batch.close();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      return new Run(rows / seconds, loader.stats().waitNanos() / 1e9);
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /// Returns the fewest workers whose speed is within 5 % of the best.
  private static int recommended(List<Result> results) {
    double best = results.stream().mapToDouble(Result::rowsPerSecond).max().orElse(0);
    return results.stream()
        .filter(result -> result.rowsPerSecond() >= GOOD_ENOUGH * best)
        .mapToInt(Result::workers)
        .min()
        .orElse(0);
  }

  private void printJson(List<Result> results, int recommended) {
    try (OutputBuffer out = terminal.buffer()) {
      for (Result result : results) {
        new JsonWriter(out)
            .beginObject()
            .field("workers", result.workers())
            .field("rowsPerSecond", result.rowsPerSecond())
            .field("waitSeconds", result.waitSeconds())
            .field("recommended", result.workers() == recommended)
            .endObject()
            .endLine();
      }
    }
  }

  private String text(List<Result> results, int recommended) {
    TextTable table = new TextTable().right("workers").right("rows/s").right("waited").left("");
    for (Result result : results) {
      table.row(
          String.valueOf(result.workers()),
          Numbers.rate(result.rowsPerSecond()),
          Numbers.fixed(result.waitSeconds(), 3) + " s",
          result.workers() == recommended ? "<- recommended" : "");
    }
    return table
        + "\nUse --workers "
        + recommended
        + ": the fewest within 5 % of the best, by the median of "
        + Numbers.count(rounds, "epoch")
        + " each.\n"
        + (recommended == 0
            ? "With 0 the training loop decodes between its steps; 1 lets steps and decoding"
                + " overlap.\n"
            : "");
  }
}
