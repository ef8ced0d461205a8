package dev.penstock.cli;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.cli.measure.Accelerator;
import dev.penstock.cli.measure.StepTime;
import dev.penstock.cli.measure.WarmUp;
import dev.penstock.cli.output.Progress;
import dev.penstock.cli.output.Step;
import dev.penstock.cli.output.Terminal;
import dev.penstock.internal.request.OptionTable;
import dev.penstock.options.LoaderOptions;
import dev.penstock.report.Report;
import dev.penstock.report.Run;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.split.Plan;
import dev.penstock.split.Rank;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `penstock bench`: how many workers are worth it on this machine.
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measures how fast batches arrive with different numbers of workers, and recommends one.",
      "The settings take turns, one epoch each, after rounds that warm the JVM up; the median"
          + " counts, and where the rounds of two settings overlap, neither is called the faster."
          + " The consumer does nothing with a batch, so this is the most a training loop can get.",
      "With --accelerator the consumer takes as long for each batch as a training step, and the"
          + " fewest workers are recommended that keep it busy at least 90 % of the time."
    },
    footer = {"penstock bench data/flights", "penstock bench data/flights --accelerator 5ms"})
final class BenchCommand extends DataCommand {
  private static final String MATRIX = "features";

  @Option(
      names = "--workers",
      paramLabel = "0,1,2,4,auto",
      split = ",",
      hideParamSyntax = true,
      description =
          "The numbers of workers to compare. auto: the loader chooses. Default: 0,1,2,4,auto.")
  private List<String> workers = new ArrayList<>(List.of("0", "1", "2", "4", "auto"));

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How many measured epochs per setting. Default: ${DEFAULT-VALUE}.")
  private int rounds = 3;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      description =
          "Rounds that do not count are run until the JVM's compiler is quiet, which shares the"
              + " cores with the workers, or for this long; at least one. Default:"
              + " ${DEFAULT-VALUE}.")
  private int warmUp = 20;

  @Option(
      names = "--accelerator",
      paramLabel = "TIME",
      description =
          "Emulate a training step of this length for each batch, 1us to 3600s, such as 0.375ms:"
              + " prints how busy an accelerator would be, the number of workers that suffices, and"
              + " what holds it back. Default: no step.")
  private @Nullable String accelerator;

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

  @ArgGroup(validate = false)
  private ReportOption report = new ReportOption();

  @Option(names = "--json", description = "Print one JSON object a line, one line a setting.")
  private boolean json;

  @ArgGroup(validate = false)
  private ProgressOption progressOption = new ProgressOption();

  private boolean isWarned;

  BenchCommand(Terminal terminal) {
    super(terminal, RequestOptions.withoutWorkers());
  }

  @Override
  public Integer call() {
    UsageException.requireAtLeast("--rounds", rounds, 1);
    UsageException.requireAtLeast("--warm-up", warmUp, 0);
    report.requireWritable();
    StepTime step = step();
    StructuredDataset dataset = dataset();
    LoaderOptions options = withMatrix(request.loaderOptions(), dataset).record(report.isWanted());
    BenchResults results = measure(settings(options), dataset, step);
    AcceleratorResults busy =
        step == null
            ? null
            : new AcceleratorResults(step, results, Runtime.getRuntime().availableProcessors());
    BenchSetting recommended = busy == null ? results.recommended() : busy.recommended();
    if (json) {
      results.settings().forEach(setting -> printJson(setting, setting.equals(recommended), busy));
    } else {
      int columns = terminal.outColumns();
      terminal.print(busy == null ? results.text(columns) : busy.text(columns));
    }
    if (report.isWanted()) {
      List<Run> runs =
          results.settings().stream()
              .map(setting -> setting.run(setting.equals(recommended), step))
              .toList();
      report.write(report(runs, dataset, options), terminal);
    }
    return Main.DONE;
  }

  private @Nullable StepTime step() {
    String text = accelerator;
    return text == null ? null : UsageException.blame(() -> StepTime.parse("--accelerator", text));
  }

  private Report report(List<Run> runs, StructuredDataset dataset, LoaderOptions options) {
    Plan plan = dataset.plan(options, request.epoch());
    return Report.of(Report.Kind.BENCH, dataset, options, plan).command(commandText()).runs(runs);
  }

  private List<LoaderOptions> settings(LoaderOptions options) {
    return workers.stream()
        .distinct()
        .map(setting -> WorkersOption.apply(setting, options))
        .toList();
  }

  private StructuredDataset dataset() {
    StructuredDataset dataset = request.dataset();
    List<String> wanted = features;
    return wanted == null || request.has(OptionTable.COLUMNS)
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

  private BenchResults measure(
      List<LoaderOptions> settings, StructuredDataset dataset, @Nullable StepTime step) {
    Runnable train = step == null ? () -> {} : new Accelerator(step, terminal::isInterrupted)::step;
    BenchResults results = new BenchResults();
    long start = System.nanoTime();
    long runs = (long) settings.size() * rounds;
    Rank rank = settings.getFirst().rankShare().rank().orElse(Rank.SINGLE);
    try (Progress progress = progressOption.start(terminal, rank)) {
      WarmUp.run(
          warmUp,
          () -> {
            for (LoaderOptions options : settings) {
              Runnable eachBatch = shown(progress, "warming up", 0, runs, start, options);
              run(dataset, options, train, eachBatch, null);
            }
          });
      for (int round = 0; round < rounds; round++) {
        String what = "round " + (round + 1) + " of " + rounds;
        for (int i = 0; i < settings.size(); i++) {
          LoaderOptions options = settings.get(i);
          long done = (long) round * settings.size() + i;
          Runnable eachBatch = shown(progress, what, done, runs, start, options);
          run(dataset, options, train, eachBatch, results);
        }
      }
    }
    return results;
  }

  private static Runnable shown(
      Progress progress, String what, long done, long runs, long start, LoaderOptions options) {
    List<String> details = List.of(WorkersOption.text(options));
    Supplier<Step> step =
        () -> new Step(what, "run", 0, done, runs, System.nanoTime() - start, details);
    return () -> progress.update(step);
  }

  /// Runs an epoch.
  ///
  /// @param train takes as long as a training step
  /// @param results receives the result; null to warm up
  private void run(
      StructuredDataset dataset,
      LoaderOptions options,
      Runnable train,
      Runnable eachBatch,
      @Nullable BenchResults results) {
    try (DataLoader loader = terminal.closeOnInterrupt(DataLoader.of(dataset, options))) {
      loader.setEpoch(request.epoch());
      long start = System.nanoTime();
      long rows = 0;
      for (Batch batch : loader) {
        if (!isWarned) {
          isWarned = true;
          loader.warnings().forEach(warning -> terminal.say(CommandWords.warning(warning)));
        }
        try (batch) {
          rows += batch.rowCount();
          train.run();
        }
        eachBatch.run();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      if (results != null) {
        results.add(options.reading(), rows / seconds, loader.history().getLast());
      }
    }
  }

  private void printJson(
      BenchSetting setting, boolean isRecommended, @Nullable AcceleratorResults busy) {
    terminal.printJson(json -> {
      json.writeStartObject()
          .writeNumberProperty("workers", setting.workers())
          .writeNumberProperty("rowsPerSecond", setting.rowsPerSecond())
          .writeNumberProperty("waitSeconds", setting.waitSeconds())
          .writeBooleanProperty("recommended", isRecommended);
      if (setting.isAuto()) {
        json.writeBooleanProperty("auto", true);
      }
      if (busy != null) {
        busy.write(json, setting);
      }
      json.writeEndObject();
    });
  }
}
