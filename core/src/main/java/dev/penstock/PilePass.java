package dev.penstock;

import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.cache.Piles;
import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.columns.ColumnGroup.DecodingWork;
import dev.penstock.internal.columns.ColumnPlan;
import dev.penstock.internal.decode.Piling;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.plan.PilePlaces;
import dev.penstock.internal.plan.Run;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts the rows of an epoch on piles, from which it is delivered.
///
/// **Threads.** One at a time; [#close()] from any.
final class PilePass {
  private static final Logger LOG = LoggerFactory.getLogger(PilePass.class);

  private final PassReader reader;

  /// Makes the pass. Nothing is read yet.
  ///
  /// @param options for the number of workers
  /// @param meter has the limit of all memory
  PilePass(LoaderOptions options, MemoryMeter meter) {
    this.reader = new PassReader("the rows of the piles", options, meter);
  }

  /// Reads all rows.
  ///
  /// @param runs the runs of the epoch, at least one
  /// @param windowRows about how many rows are read at once
  /// @param folder where piles are
  /// @param columns how batches deliver the columns; it decides how they are decoded
  /// @param steps what is done with the rows of the epoch
  /// @return the piles, which the epoch closes
  /// @throws UncheckedIOException if the files cannot be read, or the cache has no room
  Piling pile(
      List<Run> runs,
      long windowRows,
      CacheFolder folder,
      List<ColumnPlan> columns,
      RowSteps steps) {
    reader.requireOutside();
    PilePlaces places = PilePlaces.of(runs);
    List<Run> windows = places.windows(windowRows);
    Schema schema = ColumnGroup.of(columns, 1, DecodingWork.UNKNOWN).getFirst().schema();
    long rows = places.rows();
    Piles piles = folder.piles(places.count(), windows.size(), schema, rows);
    Piling piling = new Piling(places, piles, schema);
    boolean isDone = false;
    try {
      LOG.info(
          "Two passes shuffle {} rows: first they are put on {} piles in '{}'.",
          rows,
          places.count(),
          folder.path());
      reader.read(windows, steps.piling(piling), columns);
      piles.finish();
      isDone = true;
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    } finally {
      if (!isDone) {
        piles.close();
      }
    }
    return piling;
  }

  /// Ends a pass that is on its way; there will be no other.
  void close() {
    reader.close();
  }
}
