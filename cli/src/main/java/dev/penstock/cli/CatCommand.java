package dev.penstock.cli;

import dev.penstock.BatchIterator;
import dev.penstock.DataLoader;
import dev.penstock.LoaderOptions;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.schema.Schema;
import java.util.concurrent.Callable;
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
final class CatCommand implements Callable<Integer> {
  private static final byte[] END = {'}', '\n'};

  private final Terminal terminal;

  @Option(names = "--limit", paramLabel = "N", description = "Stop after N rows. Default: all.")
  private @Nullable Long limit;

  @ArgGroup(validate = false, heading = ReadOptions.HEADING)
  private ReadOptions read = new ReadOptions();

  @ArgGroup(validate = false, heading = DeliverOptions.HEADING)
  private DeliverGroup deliver = new DeliverGroup();

  CatCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    long left = limit == null ? Long.MAX_VALUE : limit;
    UsageException.requireAtLeast("--limit", left, 0);
    StructuredDataset dataset = deliver.options().split(read.dataset());
    LoaderOptions options =
        deliver.loaderOptions().output(OutputFormat.TENSOR).nulls(NullPolicy.mask());
    Schema schema = dataset.schema();
    byte[][] keys = OutputBuffer.keys(schema.names());
    try (DataLoader loader = terminal.closeOnInterrupt(new DataLoader(dataset, options));
        OutputBuffer out = terminal.buffer()) {
      loader.setEpoch(deliver.options().epoch());
      BatchIterator batches = loader.iterator();
      ValueRenderer[] renderers = ValueRenderer.of(schema).toArray(ValueRenderer[]::new);
      while (left > 0 && batches.hasNext()) {
        try (Batch batch = batches.next()) {
          int rows = (int) Math.min(left, batch.rowCount());
          write(batch, rows, keys, renderers, out);
          left -= rows;
        }
      }
    }
    return Main.DONE;
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
      out.write(END);
    }
  }
}
