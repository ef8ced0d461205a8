package dev.penstock.internal.pipeline;

import dev.penstock.format.ColumnSlice;
import dev.penstock.format.ScratchMemory;
import dev.penstock.internal.plan.Permutation;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.WindowRun;
import dev.penstock.internal.slices.RowBlock;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.schema.Schema;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Reads the rows of a window in random order: all of them are decoded first, then handed out some
/// at a time.
final class WindowRows implements RowReader {
  private final WindowRun window;
  private final DecodeUnit unit;
  private final RowSteps steps;
  private final Supplier<RunSource> sources;
  private final RowBlock all;
  private final RowBlock shuffled;
  private final RowBlock some;
  private final List<Runnable> skips = new ArrayList<>();
  private boolean isLoaded;
  private long given;
  private int count;

  /// Makes the reader; nothing is opened yet.
  ///
  /// @param window the window
  /// @param row its first row to give
  /// @param unit what of it is decoded
  /// @param sources makes sources of the rows of files
  WindowRows(
      WindowRun window,
      long row,
      DecodeUnit unit,
      RowSteps steps,
      Supplier<RunSource> sources,
      ScratchMemory memory) {
    this.window = window;
    this.unit = unit;
    this.steps = steps;
    this.sources = sources;
    this.given = row;
    Location file = window.parts().getFirst().file().info().location();
    Schema columns = unit.group().schema();
    this.all = new RowBlock(columns, memory, file);
    this.shuffled = new RowBlock(columns, memory, file);
    this.some = new RowBlock(columns, memory, file);
  }

  private void load() throws IOException {
    isLoaded = true;
    all.clear(all.file());
    if (window.isWhole()) {
      all.reserve(Math.toIntExact(window.parts().stream().mapToLong(RowRun::rowCount).sum()));
    }
    for (RowRun part : window.parts()) {
      RunSource source = sources.get();
      try {
        DecodeUnit rows = new DecodeUnit(unit.index(), part, unit.group());
        long end = part.firstRow();
        while (end < part.endRow()) {
          RowReader reader = source.read(rows, end, RunDecoder.SLICE_ROWS_MAX);
          all.append(reader);
          end = reader.end();
        }
        skips.add(source.skipped());
      } finally {
        source.close();
      }
    }
    int[] order = Permutation.of(all.count(), steps.seed(), steps.epoch(), window.number());
    // Column by column, so that the values of one are in the cache while they are picked.
    shuffled.clear(all.file());
    shuffled.reserve(all.count());
    for (int column = 0; column < unit.group().schema().size(); column++) {
      shuffled.append(column, all.column(column), order, 0, order.length, 0);
    }
    shuffled.end(order.length);
  }

  /// Counts what a filter left out.
  void countSkipped() {
    skips.forEach(Runnable::run);
  }

  @Override
  public void read(int maxRows) throws IOException {
    if (!isLoaded) {
      load();
    }
    count = Math.clamp(last() - given, 0, maxRows);
    some.clear(all.file());
    some.reserve(count);
    for (int column = 0; column < unit.group().schema().size(); column++) {
      some.append(column, shuffled.column(column), (int) given, count);
    }
    some.end(count);
    given += count;
  }

  @Override
  public Location file() {
    return all.file();
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public ColumnSlice column(int index) {
    return some.column(index);
  }

  @Override
  public long fileRow(int index) {
    return given - count + index;
  }

  @Override
  public long end() {
    return isLoaded && given >= last() ? window.endRow() : given;
  }

  /// Returns the place behind the last one that is wanted and has a row.
  private long last() {
    return Math.min(all.count(), window.endRow());
  }

  @Override
  public void close() {
    all.release();
    shuffled.release();
    some.release();
  }
}
