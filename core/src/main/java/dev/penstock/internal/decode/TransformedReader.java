package dev.penstock.internal.decode;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.slices.RowCopies;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.internal.slices.Selection;
import dev.penstock.internal.slices.Texts;
import dev.penstock.internal.workers.WorkerFailure;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.stats.Stage;
import dev.penstock.storage.Location;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.TransformContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// Reads the rows that a user's transform makes of a run, block by block.
///
/// A block has the wanted rows of an aligned run of rows of a row group, as far as they are in the
/// [Run]; of a transform that keeps rows, those of the next rows.
final class TransformedReader implements RowReader {
  private final RowReader reader;
  private final RowRun run;
  private final BlockTransform transform;
  private final Schema columns;
  private final RowSteps steps;
  private final int worker;
  private final RowCopies given;
  private final RowCopies made;
  private final @Nullable KeptBlocks kept;
  private final Schema copied; // the columns of what is made that are copied
  private long firstRow;

  /// The row given of each row made; null if only the transform knows.
  private @Nullable IntUnaryOperator rowsGiven;

  /// @param reader reads the rows to transform, of the transform's input columns; closed with this
  /// @param columns the columns to deliver, among the transform's output columns
  /// @param steps the epoch and rank, passed to the transform
  TransformedReader(
      RowReader reader,
      RowRun run,
      BlockTransform transform,
      Schema columns,
      RowSteps steps,
      int worker,
      ScratchMemory memory) {
    this.reader = reader;
    this.run = run;
    this.transform = transform;
    this.columns = columns;
    this.steps = steps;
    this.worker = worker;
    this.given = new RowCopies(transform.input(), Texts.WRITTEN_OUT, memory, reader.file());
    this.kept = KeptBlocks.of(run, transform);
    this.copied = kept == null ? columns : kept.made();
    this.made = new RowCopies(copied, Texts.WRITTEN_OUT, memory, reader.file());
    this.firstRow = reader.end();
  }

  /// Reads the next block. Unless the transform keeps rows, its contents must not depend on
  /// `maxRows`.
  @Override
  public void read(int maxRows) throws IOException {
    StageClock clock = StageClock.current();
    Stage before = clock.enter(Stage.TRANSFORM);
    try {
      readBlock(clock, maxRows);
    } finally {
      clock.enter(before);
    }
  }

  private void readBlock(StageClock clock, int maxRows) throws IOException {
    firstRow = reader.end();
    given.clear(reader.file());
    long end = run.file().blockEnd(firstRow, transform.rows());
    if (transform.keepsRows()) {
      give(clock, (int) Math.min(maxRows, end - firstRow));
    } else {
      long stop = Math.min(end, run.endRow());
      while (reader.end() < stop) {
        give(clock, (int) Math.min(Decoding.SLICE_ROWS_MAX, stop - reader.end()));
      }
    }
    List<ColumnSlice> slices = new ArrayList<>();
    for (int i = 0; i < transform.input().size(); i++) {
      slices.add(given.column(i));
    }
    KeptBlocks blocks = isMetAgain(end) ? kept : null;
    ColumnBlock found = blocks == null ? null : blocks.find(given, slices);
    if (blocks != null && found != null) {
      rowsGiven = blocks.rows();
      take(found);
      return;
    }
    take(apply(slices));
    if (blocks != null) {
      blocks.keep(made, rowsGiven);
    }
  }

  /// Returns whether other epochs have the same block. A mixture or a shuffle of all rows takes
  /// other rows each time, from where rows are kept.
  private boolean isMetAgain(long blockEnd) {
    return !transform.keepsRows()
        || ((end() == blockEnd || end() == run.endRow())
            && (firstRow == 0 || run.file().blockEnd(firstRow - 1, transform.rows()) == firstRow));
  }

  private void give(StageClock clock, int most) throws IOException {
    clock.enter(Stage.DECODE);
    reader.read(most);
    clock.enter(Stage.TRANSFORM);
    given.append(reader);
  }

  private ColumnBlock apply(List<ColumnSlice> slices) throws WorkerFailure {
    TransformContext context =
        new TransformContext(
            Optional.of(file().text()),
            firstRow,
            steps.epoch(),
            worker,
            steps.rank().index(),
            steps.rank().count());
    try {
      ColumnBlock all = new ColumnBlock(transform.input(), given.count(), slices);
      ColumnBlock block = transform.apply(all, context);
      rowsGiven = transform.keepsRows() ? IntUnaryOperator.identity() : block.rowsOf(all);
      if (!block.schema().equals(transform.output())) {
        throw new IllegalStateException(
            Sentence.of(
                "it gave columns %s but %s when it was asked with no rows",
                block.schema(), transform.output()));
      }
      if (transform.keepsRows() && block.rowCount() != given.count()) {
        throw new IllegalStateException(
            Sentence.of(
                "it gave %s rows but expected %s, as it was given: its keepsRows() is true",
                block.rowCount(), given.count()));
      }
      return block;
    } catch (Throwable e) { // users' code
      throw new WorkerFailure(
          "Cannot transform rows [" + firstRow + ", " + end() + ") of " + file() + ": " + e, e);
    }
  }

  private void take(ColumnBlock block) {
    made.clear(reader.file());
    Selection all = Selection.range(0, block.rowCount());
    for (int i = 0; i < copied.size(); i++) {
      made.append(i, block.slice(copied.fields().get(i).name()), all);
    }
    made.end(block.rowCount());
  }

  @Override
  public Location file() {
    return reader.file();
  }

  @Override
  public int count() {
    return made.count();
  }

  @Override
  public ColumnSlice column(int index) {
    return made.column(kept == null ? index : copied.indexOf(columns.fields().get(index).name()));
  }

  /// Returns the row from which its rows are made anew: the first of the block, if not of one each.
  @Override
  public long fileRow(int index) {
    return transform.keepsRows() ? given.fileRow(index) : firstRow;
  }

  @Override
  public RowOrigin origin(int index) {
    return rowsGiven == null
        ? new RowOrigin(file(), firstRow, end())
        : new RowOrigin(file(), given.fileRow(rowsGiven.applyAsInt(index)));
  }

  @Override
  public int rowsBefore(int index) {
    return transform.keepsRows() ? 0 : index;
  }

  @Override
  public long end() {
    return reader.end();
  }

  @Override
  public void close() {
    given.release();
    made.release();
    if (kept != null) {
      kept.close();
    }
    reader.close();
  }
}
