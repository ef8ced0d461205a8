package dev.penstock.cli;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.cli.output.CsvBuffer;
import dev.penstock.cli.output.OutputBuffer;
import dev.penstock.cli.output.Terminal;
import dev.penstock.cli.output.ValueRenderer;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `penstock cat`: all rows, for programs.
@Command(
    name = "cat",
    mixinStandardHelpOptions = true,
    description = {
      "Prints all rows in delivery order, as JSON, one object a line, or as CSV.",
      "In JSON, nulls are null, whatever --nulls says. A list is an array, a struct an object, a map an array"
          + " of objects with key and value."
    },
    footer = {
      "penstock cat data/flights --limit 100",
      "penstock cat data/flights --csv > flights.csv"
    })
final class CatCommand extends DataCommand {
  /// What is printed around the values of a row: before each, and after the last.
  private static final class Frame {
    private static final byte[] EMPTY = {'{', '}', '\n'};

    private final byte[][] before;
    private final byte[] end;

    Frame(byte[][] before, byte[] end) {
      this.before = before;
      this.end = end;
    }

    static Frame json(List<String> names) {
      byte[] end = {'}', '\n'};
      return new Frame(OutputBuffer.keys(names), names.isEmpty() ? EMPTY : end);
    }

    static Frame csv(int columns) {
      byte[][] before = new byte[columns][];
      Arrays.setAll(before, column -> column == 0 ? new byte[0] : new byte[] {','});
      return new Frame(before, new byte[] {'\n'});
    }
  }

  @Option(names = "--limit", paramLabel = "N", description = "Stop after N rows. Default: all.")
  private @Nullable Long limit;

  @Option(
      names = "--csv",
      description =
          "Print a CSV with a header, quoted as RFC 4180 says, with line ends of Unix. A null is an"
              + " empty field, an empty text \"\"; in an only column both are \"\". With --resume there"
              + " is no header, for the rows go on.")
  private boolean csv;

  @ArgGroup(validate = false, heading = StateOptions.HEADING, order = 7)
  private StateOptions states = new StateOptions();

  CatCommand(Terminal terminal) {
    super(terminal, RequestOptions.all());
  }

  @Override
  public Integer call() {
    long left = limit == null ? Long.MAX_VALUE : limit;
    UsageException.requireAtLeast("--limit", left, 0);
    states.check();
    if (limit != null && states.saves()) {
      throw new UsageException(
          "Cannot use both --limit and --save-state: a state lies between two batches. Use"
              + " --stop-after-batches.");
    }
    states.noteNothing(terminal);
    StructuredDataset dataset = request.dataset();
    LoaderOptions options =
        request.loaderOptions().output(OutputFormat.TENSOR).nulls(NullPolicy.mask());
    states.requireWritable();
    EpochRange range = EpochRange.ofOne(request, states.resumed());
    warn(dataset);
    if (range.isEmpty()) {
      terminal.say(
          "Note: nothing is left of epoch "
              + (range.first() - 1)
              + ". The next is printed with --epoch "
              + range.first()
              + ".");
    }
    try (DataLoader loader = terminal.closeOnInterrupt(DataLoader.of(dataset, options));
        OutputBuffer out =
            csv
                ? new CsvBuffer(terminal.out(), loader.schema())
                : new OutputBuffer(terminal.out())) {
      Schema schema = loader.schema();
      Frame frame = csv ? Frame.csv(schema.size()) : Frame.json(schema.names());
      if (csv && range.saved().isEmpty()) {
        out.write(CsvBuffer.header(schema.names()));
      }
      range.begin(loader);
      if (!range.isEmpty()) {
        states.leaveOut(loader);
      }
      EpochIterator<Batch> batches = loader.iterator();
      ValueRenderer[] renderers = ValueRenderer.of(schema).toArray(ValueRenderer[]::new);
      long done = 0;
      while (!range.isEmpty() && left > 0 && done < states.stopAfter() && batches.hasNext()) {
        try (Batch batch = batches.next()) {
          int rows = (int) Math.min(left, batch.rowCount());
          write(batch, rows, frame, renderers, out);
          left -= rows;
        }
        done++;
        if (states.isDue(done)) {
          save(loader, out);
        }
      }
      if (states.saves()) {
        save(loader, out);
      }
    }
    return Main.DONE;
  }

  /// Saves the state after the rows before it were printed: rows printed but not saved come again,
  /// rows saved but not printed would be lost.
  private void save(DataLoader loader, OutputBuffer out) {
    out.flush();
    states.save(new SavedState(loader.state(), Optional.empty()));
  }

  private static void write(
      Batch batch, int rows, Frame frame, ValueRenderer[] renderers, OutputBuffer out) {
    for (ValueRenderer renderer : renderers) {
      renderer.bind(batch);
    }
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < renderers.length; column++) {
        out.write(frame.before[column]);
        renderers[column].write(row, out);
      }
      out.write(frame.end);
    }
  }
}
