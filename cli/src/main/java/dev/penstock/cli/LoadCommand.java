package dev.penstock.cli;

import dev.penstock.BatchIterator;
import dev.penstock.DataLoader;
import dev.penstock.LoaderOptions;
import dev.penstock.LoaderStats;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.Shuffle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `penstock load`: runs epochs as a training loop would, and says what came out and how fast.
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    description = {
      "Runs epochs and reports, for each: rows, batches, speed, bytes read, time waited for data,"
          + " peak memory, and two digests of all values.",
      "orderDigest changes when a value or the order of rows changes, not with batch size or"
          + " workers; contentDigest does not depend on order either. The time includes taking"
          + " them; for speed alone, see bench."
    })
final class LoadCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      description = "How many epochs. Default: ${DEFAULT-VALUE}.")
  private int epochs = 1;

  @Option(names = "--json", description = "Print one JSON object a line, one line an epoch.")
  private boolean json;

  @ArgGroup(validate = false, heading = ReadOptions.HEADING)
  private ReadOptions read = new ReadOptions();

  @ArgGroup(validate = false, heading = DeliverOptions.HEADING)
  private DeliverGroup deliver = new DeliverGroup();

  @ArgGroup(validate = false)
  private ProgressOption progressOption = new ProgressOption();

  LoadCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /// What one epoch has come to.
  private record Report(LoaderStats stats, double seconds, String order, String content) {
    double rowsPerSecond() {
      return seconds > 0 ? stats.rows() / seconds : 0;
    }

    double waitSeconds() {
      return stats.waitNanos() / 1e9;
    }
  }

  @Override
  public Integer call() {
    UsageException.requireAtLeast("--epochs", epochs, 1);
    StructuredDataset dataset = deliver.options().split(read.dataset());
    LoaderOptions options = deliver.loaderOptions();
    long rows = dataset.files().stream().mapToLong(DataFileInfo::rows).sum();
    if (options.shuffle() instanceof Shuffle.Splits
        && dataset.plan(options, deliver.options().epoch()).sequence().size() < 2) {
      terminal.say(
          "Note: --shuffle splits has a single split here, so nothing moves. Smaller ones come by"
              + " --split-rows or --split-bytes.");
    }
    List<Report> reports = new ArrayList<>();
    try (Progress progress = progressOption.start(terminal);
        DataLoader loader = terminal.closeOnInterrupt(new DataLoader(dataset, options))) {
      loader.setEpoch(deliver.options().epoch());
      for (int i = 0; i < epochs; i++) {
        Report report = run(loader, rows, progress);
        progress.clear();
        reports.add(report);
        if (json) {
          printJson(report, dataset.filter().isPresent());
        }
      }
    }
    if (!json) {
      terminal.print(text(reports, options));
    }
    return Main.DONE;
  }

  private static Report run(DataLoader loader, long rows, Progress progress) {
    RowDigest digest = new RowDigest();
    long start = System.nanoTime();
    try (BatchIterator batches = loader.iterator()) {
      while (batches.hasNext()) {
        try (Batch batch = batches.next()) {
          digest.add(batch);
        }
        progress.update(() -> line(loader.stats(), rows, System.nanoTime() - start));
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      return new Report(loader.stats(), seconds, digest.order(), digest.content());
    }
  }

  static String line(LoaderStats stats, long rows, long nanos) {
    return "epoch "
        + stats.epoch()
        + ": "
        + Numbers.count(stats.rows())
        + " of "
        + Numbers.count(rows, "row")
        + ", "
        + Numbers.rate(stats.rows() / (nanos / 1e9))
        + " rows/s, "
        + Numbers.percent((double) stats.waitNanos() / nanos)
        + " of the time waiting for data";
  }

  private void printJson(Report report, boolean filtered) {
    LoaderStats stats = report.stats();
    try (OutputBuffer out = terminal.buffer()) {
      JsonWriter json = new JsonWriter(out);
      json.beginObject()
          .field("epoch", stats.epoch())
          .field("rows", stats.rows())
          .field("batches", stats.batches())
          .field("seconds", report.seconds())
          .field("rowsPerSecond", report.rowsPerSecond())
          .field("bytesRead", stats.bytesRead())
          .field("waitSeconds", report.waitSeconds())
          .field("peakMemoryBytes", stats.peakMemoryBytes())
          .field("orderDigest", report.order())
          .field("contentDigest", report.content());
      if (filtered) {
        Skips.write(json, stats.skipped());
      }
      json.endObject().endLine();
    }
  }

  private static String text(List<Report> reports, LoaderOptions options) {
    TextTable table =
        new TextTable()
            .right("epoch")
            .right("rows")
            .right("batches")
            .right("seconds")
            .right("rows/s")
            .right("read")
            .right("waited")
            .right("peak memory")
            .left("orderDigest")
            .left("contentDigest");
    long rows = 0;
    double seconds = 0;
    for (Report report : reports) {
      LoaderStats stats = report.stats();
      rows += stats.rows();
      seconds += report.seconds();
      table.row(
          String.valueOf(stats.epoch()),
          Numbers.count(stats.rows()),
          Numbers.count(stats.batches()),
          Numbers.fixed(report.seconds(), 3),
          Numbers.rate(report.rowsPerSecond()),
          Numbers.bytes(stats.bytesRead()),
          Numbers.fixed(report.waitSeconds(), 3) + " s",
          Numbers.bytes(stats.peakMemoryBytes()),
          report.order(),
          report.content());
    }
    return table
        + "\n"
        + Numbers.count(rows, "row")
        + " in "
        + Numbers.fixed(seconds, 2)
        + " s over "
        + Numbers.count(reports.size(), "epoch")
        + ", with "
        + Numbers.count(options.workers(), "worker")
        + " and batches of "
        + Numbers.count(options.batchSize())
        + ".\n"
        + Skips.text(reports.getLast().stats().skipped());
  }
}
