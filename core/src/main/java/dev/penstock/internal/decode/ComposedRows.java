package dev.penstock.internal.decode;

import dev.penstock.internal.compose.Composed;
import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.compose.WindowNumber;
import dev.penstock.internal.plan.WindowRun;
import dev.penstock.internal.slices.RowCopies;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.internal.slices.Texts;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.storage.Location;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads the rows that a composition makes of a window, some at a time.
///
/// All of them belong to the first place of the window.
final class ComposedRows implements RowReader {
  /// About what is written at once, so that it is still in the second-level cache when it goes to
  /// batches.
  private static final long STEP_BYTES = 1L << 18;

  private final WindowRows window;
  private final WindowRun run;
  private final Composing composing;
  private final WindowNumber draw;
  private final RowCopies made;
  private @Nullable Composed composed;
  private int given;

  /// Makes the reader; nothing is opened yet.
  ///
  /// @param window the rows of the window; closed with this
  /// @param run the window
  ComposedRows(
      WindowRows window, WindowRun run, Composing composing, RowSteps steps, ScratchMemory memory) {
    this.window = window;
    this.run = run;
    this.composing = composing;
    this.draw = new WindowNumber(steps.seed(), steps.epoch(), run.number());
    this.made = new RowCopies(composing.output(), Texts.JOINED, memory, window.file());
  }

  @Override
  public void read(int maxRows) throws IOException {
    Composed rows = composed;
    if (rows == null) {
      window.readAll(maxRows);
      rows = composing.compose(window, draw);
      composed = rows;
    }
    long inStep = STEP_BYTES * rows.rowCount() / Math.max(1, window.bytes());
    int to = Math.min(rows.rowCount(), given + Math.clamp(inStep, 1, maxRows));
    made.clear(window.file());
    rows.write(given, to, made);
    made.end(to - given);
    given = to;
  }

  /// Returns how many rows the window gives.
  ///
  /// @return rows, without those that are left out at its start; -1 before the first is read
  long left() {
    return composed == null ? -1 : composed.rowCount() - run.behind();
  }

  /// Returns how the rows that the window gives are cut into batches.
  ///
  /// @return the rows of each batch; null where batches are full, across windows
  int @Nullable [] batches() {
    return composed == null ? null : composed.batches(run.behind());
  }

  /// Counts the rows that a filter left out, and what is padded.
  void count(SkipCounter counter) {
    window.countSkipped();
    if (composed != null) {
      counter.add(composed.padding());
    }
  }

  @Override
  public Location file() {
    return window.file();
  }

  @Override
  public int count() {
    return made.count();
  }

  @Override
  public ColumnSlice column(int index) {
    return made.column(index);
  }

  @Override
  public long fileRow(int index) {
    return run.firstRow();
  }

  @Override
  public int rowsBefore(int index) {
    return given - made.count() + index;
  }

  @Override
  public long end() {
    return isAtEnd() ? run.endRow() : run.firstRow();
  }

  @Override
  public int rowsBeforeEnd() {
    return isAtEnd() ? 0 : given;
  }

  private boolean isAtEnd() {
    return composed != null && given == composed.rowCount();
  }

  @Override
  public void close() {
    window.close();
    made.release();
  }
}
