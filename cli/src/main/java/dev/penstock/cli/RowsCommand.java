package dev.penstock.cli;

import dev.penstock.RowsOfSteps;
import dev.penstock.StructuredDataset;
import dev.penstock.cli.output.OutputBuffer;
import dev.penstock.cli.output.StepRowWriter;
import dev.penstock.cli.output.Terminal;
import dev.penstock.filter.Filter;
import dev.penstock.internal.request.OptionTable;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `penstock rows`: the rows of steps.
@Command(
    name = "rows",
    mixinStandardHelpOptions = true,
    description = {
      "Shows which rows of which files some steps of an epoch had, or will have, on all ranks.",
      "A step is a batch of every rank, numbered from 0 in the epoch, however often the run was"
          + " stopped. Give the options of the run; and a state of it, if it changed its number of"
          + " ranks or its batch size, skipped steps or left rows out.",
      "No rows are read, except with --where-row and --pass."
    },
    footer = {
      "penstock rows data/flights --shuffle window:65536 --steps 40..42",
      "penstock rows data/flights --state s.json --where-row \"origin = 'ATL' and delay > 900\""
    })
final class RowsCommand extends DataCommand {
  private static final long LINES = 40;

  @Option(
      names = "--steps",
      paramLabel = "A..B",
      description = "The rows of these steps: of A and those after it, without B.")
  private @Nullable String steps;

  @Option(names = "--batch", paramLabel = "N", description = "The rows of step N.")
  private @Nullable Long batch;

  @Option(
      names = "--where-row",
      paramLabel = "EXPR",
      description =
          "In which steps these rows came or will come, as --where writes it. Reads the columns"
              + " that it names.")
  private @Nullable String whereRow;

  @Option(
      names = "--epochs",
      paramLabel = "A..B",
      description = "With --where-row: in these epochs. Default: the one of --epoch or --state.")
  private @Nullable String epochs;

  @Option(
      names = "--world",
      paramLabel = "W",
      description =
          "How many ranks there were, to see the rows of all. Default: as --rank, a state or the"
              + " environment says; else 1. With --rank only that rank's rows are shown.")
  private @Nullable Integer world;

  @ArgGroup(validate = false)
  private RunOptions run = new RunOptions();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Show at most N lines. Default: 40; with --json all.")
  private @Nullable Long limit;

  @Option(names = "--json", description = "Print one JSON object a line, one line a row.")
  private boolean json;

  private long epoch;

  RowsCommand(Terminal terminal) {
    super(terminal, RequestOptions.all());
  }

  @Override
  public Integer call() {
    check();
    StructuredDataset dataset = request.dataset();
    LoaderOptions options = options();
    run.begin();
    epoch = epochs == null ? run.epoch(request) : 0;
    warn(dataset);
    return RunOptions.blame(() -> {
      try (Stream<StepRow> rows = rows(dataset, options)) {
        if (json) {
          print(rows);
        } else {
          show(rows);
        }
      }
      return Main.DONE;
    });
  }

  private void check() {
    long asked = Stream.of(steps, batch, whereRow).filter(Objects::nonNull).count();
    if (asked != 1) {
      throw new UsageException(
          asked == 0
              ? "Missing what to ask for: give --steps A..B, --batch N or --where-row EXPR."
              : "Cannot use --steps, --batch and --where-row together: choose one.");
    }
    UsageException.requireAtLeast("--batch", batch == null ? 0 : batch, 0);
    UsageException.requireAtLeast("--limit", limit == null ? 1 : limit, 1);
    UsageException.requireAtLeast("--world", world == null ? 1 : world, 1);
    if (epochs != null && whereRow == null) {
      throw new UsageException("Cannot use --epochs without --where-row: choose one by --epoch.");
    }
    if (epochs != null && request.choosesEpoch()) {
      throw new UsageException("Cannot use --epochs with --epoch: choose one of them.");
    }
    if (world != null && request.has(OptionTable.RANK)) {
      throw new UsageException("Cannot use --world with --rank: R/W has the number of ranks.");
    }
    if (world != null && run.hasState()) {
      throw new UsageException("Cannot use --world with --state: the state has it.");
    }
    if (epochs != null) {
      StepsOption.parse("--epochs", epochs);
    }
    if (whereRow == null) {
      asked();
    } else {
      filter();
    }
  }

  private Steps asked() {
    return steps == null
        ? UsageException.blame(() -> Steps.of(Objects.requireNonNull(batch)))
        : StepsOption.parse("--steps", steps);
  }

  private Filter filter() {
    return UsageException.blame(() -> Filter.parse(Objects.requireNonNull(whereRow)));
  }

  private LoaderOptions options() {
    LoaderOptions options = request.loaderOptions().stepDigests(false); // a pass logs nothing
    return world == null ? options : options.rank(new Rank(0, world));
  }

  private Stream<StepRow> rows(StructuredDataset dataset, LoaderOptions options) {
    if (whereRow != null) {
      Steps all = epochs == null ? Steps.of(epoch) : StepsOption.parse("--epochs", epochs);
      return LongStream.range(all.from(), all.to())
          .boxed()
          .flatMap(each -> ofRank(run.rows(dataset, options, each).find(filter()), options));
    }
    RowsOfSteps rows = run.rows(dataset, options, epoch);
    OptionalInt rank = rank(options);
    return rank.isPresent() ? rows.rows(asked(), rank.getAsInt()) : rows.rows(asked());
  }

  private Stream<StepRow> ofRank(Stream<StepRow> rows, LoaderOptions options) {
    OptionalInt rank = rank(options);
    return rank.isPresent() ? rows.filter(row -> row.rank() == rank.getAsInt()) : rows;
  }

  private OptionalInt rank(LoaderOptions options) {
    return request.has(OptionTable.RANK)
        ? OptionalInt.of(options.rankShare().rank().orElseThrow().index())
        : OptionalInt.empty();
  }

  private void print(Stream<StepRow> rows) {
    try (OutputBuffer out = new OutputBuffer(terminal.out())) {
      StepRowWriter writer = new StepRowWriter(out);
      (limit == null ? rows : rows.limit(limit)).forEach(writer::write);
    }
  }

  private void show(Stream<StepRow> rows) {
    StepLines lines =
        new StepLines(limit == null ? LINES : limit, "--limit N shows more, --json all.");
    rows.forEach(lines::add);
    if (lines.isEmpty()) {
      throw new IllegalArgumentException(nothing());
    }
    terminal.print(lines.text(title(), terminal.outColumns()));
    terminal.say(
        "Rows are numbered as stored in their file, from 0. To leave them out, give lines of --json"
            + " to --exclude; to leave steps out, go on from a state before them with --skip.");
  }

  private String title() {
    return whereRow == null
        ? "epoch " + epoch + ", steps " + asked()
        : epochs == null
            ? "epoch " + epoch + ", rows where " + filter()
            : "epochs " + epochs + ", rows where " + filter();
  }

  private String nothing() {
    return whereRow == null
        ? "Cannot show steps "
            + asked()
            + " of epoch "
            + epoch
            + ": they have no rows. The epoch ends before them, or they are skipped."
        : "No row of the epoch is one where " + filter() + ".";
  }
}
