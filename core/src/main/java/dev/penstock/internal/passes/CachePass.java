package dev.penstock.internal.passes;

import dev.penstock.advice.Advice;
import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.columns.ColumnPlan;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.order.DecodedBytes;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.Schema;
import dev.penstock.split.RowRange;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decodes the rows that a cache does not have yet, before rows are read by number.
final class CachePass {
  private static final Logger LOG = LoggerFactory.getLogger(CachePass.class);

  private CachePass() {}

  /// @param datasets all rows of each dataset, in file order
  static void fill(
      PassReader reader,
      List<Sequence> datasets,
      Schema schema,
      List<ColumnPlan> columns,
      RowSteps steps) {
    List<RowRun> all = new ArrayList<>();
    for (Sequence rows : datasets) {
      for (Run run : rows.runs()) {
        run.parts().forEach(part -> all.add(asStored(part)));
      }
    }
    List<RowRun> absent = absent(all, schema);
    if (absent.isEmpty()) {
      return;
    }
    LOG.info(
        "{} rows are decoded into the cache, so that they can be read by number.", rows(absent));
    reader.read("fill the cache", List.copyOf(absent), steps, columns);
    List<RowRun> left = absent(absent, schema);
    if (!left.isEmpty()) {
      throw tooSmall(left, all, schema, reader.workers() + 1);
    }
  }

  /// Returns a run with the deleted rows between its live ones. A reader that skips them may leave
  /// a gap in what is kept.
  private static RowRun asStored(RowRun part) {
    RowRange rows = part.file().stored(part.firstRow(), part.rowCount());
    return new RowRun(
        part.source(), part.file().asStored(), rows.offset(), rows.length(), Condition.always(), 0);
  }

  private static List<RowRun> absent(List<RowRun> runs, Schema schema) {
    Set<CacheFolder> folders = new LinkedHashSet<>();
    runs.forEach(run -> run.file().cached().ifPresent(kept -> folders.add(kept.folder())));
    folders.forEach(CacheFolder::begin);
    try {
      return runs.stream()
          .filter(run -> !run.file().isKept(schema, run.firstRow(), run.rowCount()))
          .toList();
    } finally {
      folders.forEach(CacheFolder::end);
    }
  }

  /// @param writers at the same time, at most
  private static UncheckedIOException tooSmall(
      List<RowRun> left, List<RowRun> all, Schema schema, int writers) {
    CacheFolder folder =
        left.getFirst().file().cached().map(TableFile.Cached::folder).orElseThrow();
    long rows = rows(all);
    long kept = rows - rows(left);
    Map<Location, TableFile> files = new HashMap<>();
    all.forEach(run -> files.put(run.file().location(), run.file()));
    long bytes = 0;
    for (TableFile file : files.values()) {
      bytes += file.cached().map(each -> each.file().bytes()).orElse(0L);
    }
    long needed =
        kept > 0
            ? Math.round((double) bytes / kept * rows)
            : DecodedBytes.of(List.copyOf(files.values()), schema);
    Advice message =
        Advice.of(
            "Cannot shuffle all rows: the cache '%s' does not hold %s of %s rows, with a"
                + " limit of %s and the room that its disk has. %s",
            folder.path(), rows - kept, rows, folder.limit(), CacheFolder.advice(needed, writers));
    IOException full =
        new FileSystemException(String.valueOf(folder.path()), null, message.toString());
    full.initCause(Advice.ioError("%s", message));
    return new UncheckedIOException(message.toString(), full);
  }

  private static long rows(List<RowRun> runs) {
    return runs.stream().mapToLong(RowRun::rowCount).sum();
  }
}
