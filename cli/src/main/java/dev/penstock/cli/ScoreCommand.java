package dev.penstock.cli;

import dev.penstock.StructuredDataset;
import dev.penstock.cli.output.Progress;
import dev.penstock.cli.output.Terminal;
import dev.penstock.internal.request.OptionTable;
import dev.penstock.model.Model;
import dev.penstock.options.LoaderOptions;
import dev.penstock.score.OnError;
import dev.penstock.score.ScoreCheck;
import dev.penstock.score.ScoreResult;
import dev.penstock.score.Scorer;
import dev.penstock.spi.model.InstalledModels;
import dev.penstock.split.Rank;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `penstock score`: applies a model to all rows of a table, and checks what came of it.
@Command(
    name = "score",
    mixinStandardHelpOptions = true,
    description = {
      "Applies a model to all rows of a table, and writes the results as Parquet, each row once.",
      "A model is a file of ONNX (.onnx, .ort), XGBoost (.ubj, .json) or PyTorch (.pt, by DJL). Which"
          + " columns feed its inputs is shown before it starts; --input says it otherwise.",
      "The rows are cut into parts, a file each. A run that was stopped goes on with the same"
          + " command, with any number of workers and ranks: only parts that are missing are made."
          + " Two runs at the same time refuse each other.",
      "With --check, MODEL is a folder of scores: all parts have to be as they were written, and"
          + " their keys those of the table, row for row; else the status is 1. The locations are"
          + " those of the run, unless given; give the other options of reading, such as --where, as"
          + " for the run."
    },
    footer = {
      "penstock score delay.onnx data/flights --keys date,origin --out scores",
      "penstock score --check scores"
    })
final class ScoreCommand extends DataCommand {
  @Option(
      names = "--keys",
      paramLabel = "a,b,c",
      split = ", *",
      hideParamSyntax = true,
      description = "The columns that tell rows apart. They are written first.")
  private List<String> keys = List.of();

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description =
          "Where to write to, on this machine or in a store. The options of --storage hold for it as"
              + " well.")
  private @Nullable String out;

  @Option(
      names = "--input",
      paramLabel = "NAME=COLUMNS",
      description =
          "The columns that feed an input of the model, such as x=distance,hour, repeatable. Default:"
              + " the column of its name; or those that the model was trained on, if it names them;"
              + " or all numbers but the keys and --columns, if it takes as many.")
  private List<String> inputs = List.of();

  @Option(
      names = "--columns",
      paramLabel = "a,b,c",
      split = ", *",
      hideParamSyntax = true,
      description = "Columns to write behind the keys. Default: none.")
  private List<String> columns = List.of();

  @Option(
      names = "--on-error",
      paramLabel = "stop|skip",
      description =
          "What to do with a row that the model fails for. stop: end, and name file and row. skip:"
              + " leave it out, and list it with the reason in FOLDER/_skipped. Default: stop.")
  private String onError = "stop";

  @Option(
      names = "--part-rows",
      paramLabel = "N",
      description =
          "The most rows of a part, where none is made yet. Default: 64 parts, each of at least 16384"
              + " and at most 1048576 rows and 64 MiB.")
  private @Nullable Integer partRows;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      description = "The rows that the model gets at a time. Default: 1024.")
  private @Nullable Integer batchSize;

  @Option(
      names = "--workers",
      paramLabel = "N|auto",
      description =
          "Threads, each of which reads, scores and writes a part at a time. auto: one for each"
              + " processor that this process may use. Default: auto.")
  private String workers = "auto";

  @Option(names = "--check", description = "Compare a folder of scores with the table instead.")
  private boolean check;

  @Option(names = "--json", description = "Print one JSON object instead.")
  private boolean json;

  @ArgGroup(validate = false)
  private ReportOption report = new ReportOption();

  @ArgGroup(validate = false)
  private ProgressOption progressOption = new ProgressOption();

  ScoreCommand(Terminal terminal) {
    super(terminal, RequestOptions.scoring());
  }

  @Override
  public Integer call() {
    try {
      if (check) {
        check();
      } else {
        score();
      }
      return Main.DONE;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Main.INTERRUPTED;
    }
  }

  private void check() throws IOException {
    String folder = request.first();
    for (Map.Entry<String, Boolean> option :
        Map.of("--keys", !keys.isEmpty(), "--out", out != null, "--input", !inputs.isEmpty())
            .entrySet()) {
      if (option.getValue()) {
        throw new UsageException(
            "Cannot use %s with --check: give the folder of scores in place of the model."
                .formatted(option.getKey()));
      }
    }
    Map<String, String> storage = request.byKey(OptionTable.STORAGE);
    boolean isNamed = request.has(OptionTable.TABLE) || request.has(OptionTable.METADATA);
    if (request.uris().isEmpty() && !isNamed) {
      request.urisOr(ScoreCheck.tableOf(folder, storage));
    }
    Scorer scorer = Scorer.of(request.dataset(), _ -> Map.of()).options(this::options);
    ScoreCheck checked = stored(scorer, storage).check(folder);
    ScoreTexts texts = new ScoreTexts(terminal, json);
    texts.print(checked, folder);
  }

  private void score() throws IOException, InterruptedException {
    String model = request.first();
    if (keys.isEmpty()) {
      throw new UsageException(
          "Cannot score without --keys: name the columns that tell rows apart, such as --keys id.");
    }
    if (out == null) {
      throw new UsageException("Cannot score without --out: name the folder to write to.");
    }
    String folder = out;
    int threads = threads();
    OnError choice = UsageException.blame(() -> OnError.parse(onError));
    Map<String, List<String>> feeding = feeding();
    requirePositive("--part-rows", partRows);
    requirePositive("--batch-size", batchSize);
    Path file = UsageException.blame(() -> Location.local(model));
    report.requireWritable();
    StructuredDataset dataset = request.dataset();
    PartReport parts = new PartReport();
    Rank rank = request.loaderOptions().rankShare().rank().orElse(Rank.SINGLE);
    warn(dataset);
    ScoreTexts texts = new ScoreTexts(terminal, json);
    try (Model opened = InstalledModels.open(file, threads);
        Progress shown = progressOption.start(terminal, rank);
        ScoreWatch watch = new ScoreWatch(terminal, shown, rank, folder)) {
      Scorer scorer =
          Scorer.of(dataset, opened)
              .keys(keys.toArray(String[]::new))
              .columns(columns.toArray(String[]::new))
              .options(this::options)
              .onError(choice)
              .workers(threads)
              .rank(rank)
              .planned(watch::planned)
              .recorded(parts::add)
              .progress(watch::progress);
      for (Map.Entry<String, List<String>> input : feeding.entrySet()) {
        scorer = scorer.input(input.getKey(), input.getValue().toArray(String[]::new));
      }
      if (partRows != null) {
        scorer = scorer.partRows(partRows);
      }
      ScoreResult result = stored(scorer, request.byKey(OptionTable.STORAGE)).writeTo(folder);
      watch.end();
      if (report.isWanted()) {
        LoaderOptions options = options(LoaderOptions.defaults());
        report.write(parts.of(dataset, options).command(commandText()), terminal);
      }
      texts.print(result, rank, threads, folder);
    }
  }

  private LoaderOptions options(LoaderOptions usual) {
    LoaderOptions options = request.loaderOptions(usual);
    LoaderOptions sized = batchSize == null ? options : options.batchSize(batchSize);
    return sized.record(report.isWanted());
  }

  private static Scorer stored(Scorer scorer, Map<String, String> storage) {
    Scorer stored = scorer;
    for (Map.Entry<String, String> option : storage.entrySet()) {
      stored = stored.storageOption(option.getKey(), option.getValue());
    }
    return stored;
  }

  private int threads() {
    if (workers.equals("auto")) {
      return Runtime.getRuntime().availableProcessors();
    }
    int most = (int) OptionTable.WORKERS.form().most();
    int count = workers.matches("[0-9]{1,9}") ? Integer.parseInt(workers) : 0;
    if (count < 1 || count > most) {
      throw new UsageException(
          "Cannot use --workers '%s': expected a whole number from 1 to %s, or auto."
              .formatted(workers, most));
    }
    return count;
  }

  private static void requirePositive(String option, @Nullable Integer value) {
    if (value != null) {
      UsageException.requireAtLeast(option, value, 1);
    }
  }

  private Map<String, List<String>> feeding() {
    Map<String, List<String>> feeding = new LinkedHashMap<>();
    for (String input : inputs) {
      int equals = input.indexOf('=');
      if (equals < 1 || equals == input.length() - 1) {
        throw new UsageException(
            "Cannot use --input '%s': expected NAME=COLUMNS, such as x=distance,hour."
                .formatted(input));
      }
      String name = input.substring(0, equals);
      if (feeding.put(name, List.of(input.substring(equals + 1).split(", *", -1))) != null) {
        throw new UsageException(
            "Cannot use --input for '%s' twice: name all its columns at once.".formatted(name));
      }
    }
    return feeding;
  }
}
