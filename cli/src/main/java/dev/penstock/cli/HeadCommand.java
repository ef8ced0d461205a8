package dev.penstock.cli;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.cli.output.HeadTable;
import dev.penstock.cli.output.OutputBuffer;
import dev.penstock.cli.output.Terminal;
import dev.penstock.cli.output.ValueRenderer;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.Schema;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `penstock head`: the first rows, for people to read.
@Command(
    name = "head",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the first rows, in delivery order, as a table.",
      "On a terminal, columns for which it has no room are left out and named below. For programs,"
          + " see cat."
    },
    footer = {
      "penstock head data/flights -n 5",
      "penstock head data/flights --where \"delay > 60\""
    })
final class HeadCommand extends DataCommand {
  @Option(names = "-n", paramLabel = "N", description = "How many rows. Default: ${DEFAULT-VALUE}.")
  private int count = 10;

  HeadCommand(Terminal terminal) {
    super(terminal, RequestOptions.all());
  }

  @Override
  public Integer call() {
    UsageException.requireAtLeast("-n", count, 0);
    StructuredDataset dataset = request.dataset();
    // Uses only the calling thread: a few rows should come soon, speed does not matter.
    LoaderOptions options = request.loaderOptions().workers(0).nulls(NullPolicy.mask());
    options = options.batchSize(Math.clamp(count, 1, options.batching().size())).dropLast(false);
    warn(dataset);
    terminal.print(table(dataset, options).text(terminal.outColumns()));
    return Main.DONE;
  }

  private HeadTable table(StructuredDataset dataset, LoaderOptions options) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    LoaderOptions bounded = bounded(dataset, options);
    try (DataLoader loader = terminal.closeOnInterrupt(DataLoader.of(dataset, bounded));
        OutputBuffer out = new OutputBuffer(bytes)) {
      Schema schema = loader.schema();
      HeadTable table = new HeadTable(schema.fields());
      loader.setEpoch(request.epoch());
      int left = count;
      EpochIterator<Batch> batches = loader.iterator();
      List<ValueRenderer> renderers = ValueRenderer.of(schema);
      while (left > 0 && batches.hasNext()) {
        try (Batch batch = batches.next()) {
          renderers.forEach(renderer -> renderer.bind(batch));
          int rows = Math.min(left, batch.rowCount());
          for (int row = 0; row < rows; row++) {
            table.row(cells(renderers, row, bytes, out));
          }
          left -= rows;
        }
      }
      return table;
    }
  }

  /// Limits the steps to what is shown, so that nothing more is fetched. With a filter or a
  /// composition the number of steps is not known.
  private LoaderOptions bounded(StructuredDataset dataset, LoaderOptions options) {
    if (dataset.filter().isPresent() || options.batching().composition().isPresent()) {
      return options;
    }
    long all;
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      all = loader.batchesPerEpoch();
    }
    long steps = Math.min(all, Math.ceilDiv(count, options.batching().size()));
    return steps == 0 ? options : options.stepsPerEpoch(steps);
  }

  private static List<String> cells(
      List<ValueRenderer> renderers, int row, ByteArrayOutputStream bytes, OutputBuffer out) {
    List<String> cells = new ArrayList<>();
    for (ValueRenderer renderer : renderers) {
      renderer.write(row, out);
      out.flush();
      cells.add(unquoted(bytes.toString(StandardCharsets.UTF_8)));
      bytes.reset();
    }
    return cells;
  }

  /// Removes the quotes of a JSON string but keeps its control characters escaped.
  private static String unquoted(String json) {
    return json.startsWith("\"")
        ? json.substring(1, json.length() - 1).replace("\\\"", "\"")
        : json;
  }
}
