package dev.penstock.cli;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.cli.output.OutputBuffer;
import dev.penstock.cli.output.Terminal;
import dev.penstock.cli.output.ValueRenderer;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.Schema;
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
      "Prints all rows in delivery order, one JSON object a line.",
      "Nulls are null, whatever --nulls says. A list is an array, a struct an object, a map an array"
          + " of objects with key and value."
    })
final class CatCommand extends DataCommand {
  private static final byte[] END = {'}', '\n'};
  private static final byte[] EMPTY = {'{', '}', '\n'};

  @Option(names = "--limit", paramLabel = "N", description = "Stop after N rows. Default: all.")
  private @Nullable Long limit;

  @ArgGroup(validate = false, heading = StateOptions.HEADING, order = 3)
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
    StructuredDataset dataset = request.dataset();
    LoaderOptions options =
        request.loaderOptions().output(OutputFormat.TENSOR).nulls(NullPolicy.mask());
    states.requireWritable();
    EpochRange range = EpochRange.ofOne(request, states.resumed());
    if (range.isEmpty()) {
      terminal.say(
          "Note: nothing is left of epoch "
              + (range.first() - 1)
              + ". The next is printed with --epoch "
              + range.first()
              + ".");
    }
    try (DataLoader loader = terminal.closeOnInterrupt(DataLoader.of(dataset, options));
        OutputBuffer out = terminal.buffer()) {
      Schema schema = loader.schema();
      byte[][] keys = OutputBuffer.keys(schema.names());
      range.begin(loader);
      EpochIterator<Batch> batches = loader.iterator();
      ValueRenderer[] renderers = ValueRenderer.of(schema).toArray(ValueRenderer[]::new);
      long done = 0;
      while (!range.isEmpty() && left > 0 && done < states.stopAfter() && batches.hasNext()) {
        try (Batch batch = batches.next()) {
          int rows = (int) Math.min(left, batch.rowCount());
          write(batch, rows, keys, renderers, out);
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
      Batch batch, int rows, byte[][] keys, ValueRenderer[] renderers, OutputBuffer out) {
    for (ValueRenderer renderer : renderers) {
      renderer.bind(batch);
    }
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < renderers.length; column++) {
        out.write(keys[column]);
        renderers[column].write(row, out);
      }
      out.write(renderers.length == 0 ? EMPTY : END);
    }
  }
}
