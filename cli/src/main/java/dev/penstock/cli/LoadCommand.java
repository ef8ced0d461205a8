package dev.penstock.cli;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.cli.measure.ShufflePass;
import dev.penstock.cli.measure.ShuffleReport;
import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.Progress;
import dev.penstock.cli.output.Terminal;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Packs;
import dev.penstock.compose.SlidingWindows;
import dev.penstock.internal.request.EpochJson;
import dev.penstock.internal.request.OptionTable;
import dev.penstock.metrics.LoaderMetrics;
import dev.penstock.options.LoaderOptions;
import dev.penstock.report.Report;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.stats.LoaderStats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.core.JsonGenerator;

/// `penstock load`: runs epochs as a training loop would, and reports the rows delivered and the
/// speed.
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    description = {
      "Runs epochs as a training loop would, and reports how fast each was.",
      "For each epoch: rows, batches, speed, bytes read, time waited for data, peak memory, and two"
          + " digests of all values.",
      "orderDigest changes when a value or the order of rows changes, not with batch size or"
          + " workers; contentDigest does not depend on order either. The time includes taking"
          + " them; for speed alone, see bench.",
      "An epoch that is stopped and resumed is reported once, at its end: rows, batches and digests"
          + " of all of it, times and bytes since it was resumed. Where that is not known, or the"
          + " stopped epoch is not saved, the report is marked as one of a part."
    },
    footer = {
      "penstock load data/flights --epochs 3",
      "penstock load data/flights --report run.html"
    })
final class LoadCommand extends DataCommand {
  @Option(
      names = "--epochs",
      paramLabel = "N",
      description =
          "How many epochs. With --resume, how many in all: give --epoch and --epochs as before."
              + " Default: ${DEFAULT-VALUE}.")
  private int epochs = 1;

  @Option(
      names = "--watch",
      description =
          "Show the report while the run goes on: at an address of this machine that is said at the"
              + " start.")
  private boolean watch;

  @ArgGroup(validate = false)
  private ReportOption report = new ReportOption();

  @Option(names = "--json", description = "Print one JSON object a line, one line an epoch.")
  private boolean json;

  @ArgGroup(validate = false, heading = StateOptions.HEADING, order = 7)
  private StateOptions states = new StateOptions();

  @ArgGroup(validate = false, heading = ShuffleOptions.HEADING, order = 8)
  private ShuffleOptions shuffle = new ShuffleOptions();

  @ArgGroup(validate = false)
  private ProgressOption progressOption = new ProgressOption();

  @ArgGroup(validate = false)
  private MetricsOption metricsOption = new MetricsOption();

  LoadCommand(Terminal terminal) {
    super(terminal, RequestOptions.all());
  }

  @Override
  public Integer call() {
    UsageException.requireAtLeast("--epochs", epochs, 1);
    states.check();
    shuffle.check(states);
    states.noteNothing(terminal);
    try (MetricsServer metrics = metricsOption.start(terminal)) {
      load(metrics);
    }
    return Main.DONE;
  }

  private void load(@Nullable MetricsServer metrics) {
    StructuredDataset dataset = request.dataset();
    LoaderOptions options = request.loaderOptions().record(watch || report.isWanted());
    Rank rank = options.rankShare().rank().orElse(Rank.SINGLE);
    states.requireWritable();
    report.requireWritable();
    EpochRange range = EpochRange.of(request, epochs, states.resumed());
    if (options.order().shuffle() instanceof Shuffle.Splits
        && dataset.plan(options.rank(Rank.SINGLE), range.first()).sequence().size() < 2) {
      terminal.say(
          "Note: --shuffle splits has a single split here, so nothing moves. Smaller ones come by"
              + " --split-rows or --split-bytes.");
    }
    List<EpochReport> reports = new ArrayList<>();
    try (Progress progress = progressOption.start(terminal, rank);
        DataLoader loader = terminal.closeOnInterrupt(DataLoader.of(dataset, options));
        LoaderMetrics _ = metrics == null ? null : metrics.bind(loader, "load");
        ShufflePass pass = shuffle.pass(terminal, loader, request::split)) {
      range.begin(loader);
      if (!range.isEmpty()) {
        states.leaveOut(loader);
      }
      LoadReports shown = new LoadReports(loader, commandText());
      try (WatchServer server = watch ? watch(shown) : null) {
        run(loader, pass, range, rowsExpected(dataset, options, range), progress, reports, shown);
        if (watch || report.isWanted()) {
          progress.clear();
          Report complete = shown.complete();
          report.write(complete, terminal);
          if (server != null) {
            server.end(complete);
          }
        }
      }
      if (!reports.isEmpty()) {
        progress.end(CommandWords.of(reports.getLast().stats().bottleneck()));
      }
    }
    if (!json) {
      terminal.print(summary(reports, dataset, options));
    }
  }

  private WatchServer watch(LoadReports shown) {
    Report first = shown.complete();
    WatchServer server;
    try {
      server = terminal.closeOnInterrupt(new WatchServer(() -> shown.soFar(first)));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot watch: " + e.getMessage(), e);
    }
    terminal.say("Watch at " + server.address());
    return server;
  }

  /// Returns how many rows an epoch has, see [Step#of].
  private static long rowsExpected(
      StructuredDataset dataset, LoaderOptions options, EpochRange range) {
    Optional<Composition> composition = options.batching().composition();
    if (composition.filter(LoadCommand::makesRows).isPresent()) {
      return -1;
    }
    boolean isSingle = options.rankShare().rank().orElse(Rank.SINGLE).count() == 1;
    return isSingle && dataset.mixture().isEmpty()
        ? dataset.files().stream().mapToLong(DataFileInfo::rows).sum()
        : dataset.plan(options.countMatches(false), range.first()).rows();
  }

  /// Returns whether there are more or fewer rows than are read.
  private static boolean makesRows(Composition how) {
    return how instanceof Packs || how instanceof SlidingWindows;
  }

  private void run(
      DataLoader loader,
      @Nullable ShufflePass pass,
      EpochRange range,
      long rows,
      Progress progress,
      List<EpochReport> reports,
      LoadReports shown) {
    LoadRun run = new LoadRun(loader, range, states);
    EpochTable table = new EpochTable(terminal, range, request.has(OptionTable.CACHE));
    if (range.isEmpty()) {
      terminal.say(
          "Note: nothing is left, the state is that of the end."
              + (states.leavesOut() ? " --skip and --exclude change nothing." : ""));
    }
    if (range.isEmpty() || run.isStopped()) {
      run.saveAgain();
    }
    for (long epoch = range.first(); epoch < range.end() && !run.isStopped(); epoch++) {
      String name = "epoch " + (epoch - request.epoch() + 1) + " of " + epochs;
      Optional<ShuffleReport> shuffled =
          pass == null ? Optional.empty() : Optional.of(pass.measure(epoch, name, rows, progress));
      shuffled.ifPresent(shown::add);
      EpochReport report = run.epoch(name, progress, rows, shuffled);
      progress.clear();
      if (run.hasEnded(epoch) || !states.saves()) {
        reports.add(report);
        if (json) {
          terminal.printJson(json -> write(json, report, loader));
        } else {
          table.print(report);
        }
      } else {
        terminal.say(
            "Stopped in epoch "
                + epoch
                + " after its batch "
                + Numbers.count(run.stoppedAfter())
                + ": the run that ends it reports it.");
      }
      run.save(report);
    }
    if (!json) {
      terminal.print(table.note());
    }
  }

  private void write(JsonGenerator json, EpochReport report, DataLoader loader) {
    LoaderStats stats = report.stats();
    json.writeStartObject();
    EpochJson.numbers(
        json, stats, report.delivered().rows(), report.delivered().batches(), report.seconds());
    if (request.has(OptionTable.CACHE)) {
      json.writeNumberProperty("bytesCached", stats.read().cached());
    }
    json.writeStringProperty("orderDigest", report.delivered().digest().order())
        .writeStringProperty("contentDigest", report.delivered().digest().content());
    EpochJson.parts(json, loader, stats);
    if (report.resumedAfter() > 0) {
      json.writeNumberProperty("resumedAfterBatches", report.resumedAfter());
    }
    if (!report.isWhole()) {
      json.writeBooleanProperty("partial", true);
    }
    report.shuffle().ifPresent(each -> each.write(json));
    json.writeEndObject();
  }

  /// Returns the summary of all epochs, printed below their table.
  private String summary(
      List<EpochReport> reports, StructuredDataset dataset, LoaderOptions options) {
    if (reports.isEmpty()) {
      return "";
    }
    Rank rank = options.rankShare().rank().orElse(Rank.SINGLE);
    long rows = reports.stream().mapToLong(report -> report.stats().rows()).sum();
    double seconds = reports.stream().mapToDouble(EpochReport::seconds).sum();
    return "\n"
        + Numbers.count(rows, "row")
        + " in "
        + Numbers.fixed(seconds, 2)
        + " s over "
        + Numbers.count(reports.size(), "epoch")
        + ", with "
        + WorkersOption.text(options)
        + " and batches of "
        + Numbers.count(options.batching().size())
        + (rank.count() == 1 ? "" : ", as rank " + rank)
        + ".\n"
        + Sources.text(
            dataset, options, reports.getLast().stats().rowsOfSources(), terminal.outColumns())
        + Padding.text(options, reports.getLast().stats().padding())
        + Skips.text(reports.getLast().stats().read().skipped())
        + ShuffleReport.text(
            reports.stream().map(EpochReport::shuffle).flatMap(Optional::stream).toList(),
            terminal.outColumns());
  }
}
