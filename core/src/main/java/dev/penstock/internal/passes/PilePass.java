package dev.penstock.internal.passes;

import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.cache.Piles;
import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.columns.ColumnGroup.DecodingWork;
import dev.penstock.internal.columns.ColumnPlan;
import dev.penstock.internal.decode.Piling;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.plan.PilePlaces;
import dev.penstock.internal.plan.Run;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts the rows of an epoch on piles, from which it is delivered.
final class PilePass {
  private static final Logger LOG = LoggerFactory.getLogger(PilePass.class);

  private PilePass() {}

  static Piling pile(PassReader reader, List<Run> runs, List<ColumnPlan> columns, RowSteps steps) {
    PilePlaces places = PilePlaces.of(runs);
    List<Run> windows = places.windows();
    CacheFolder folder = places.file().cached().orElseThrow().folder();
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
      reader.read("put rows on piles", windows, steps.piling(piling), columns);
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
}
