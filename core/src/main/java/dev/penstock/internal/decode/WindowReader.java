package dev.penstock.internal.decode;

import dev.penstock.internal.columns.ColumnPlan.MatrixPlan;
import dev.penstock.internal.columns.MatrixColumns;
import dev.penstock.internal.columns.MatrixSource;
import dev.penstock.internal.plan.RowOrder;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.WindowRun;
import dev.penstock.internal.slices.RowCopies;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.slices.SelectedSlice;
import dev.penstock.internal.slices.Selection;
import dev.penstock.internal.slices.Texts;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the rows of a window in another order: all of them are decoded first, then handed out some
/// at a time.
///
/// Columns of a feature matrix are copied row by row, each row to its place: scattering value by
/// value over the window would touch each cache line once for every value in it.
final class WindowReader implements RowReader, MatrixSource {
  private final WindowRun window;
  private final WindowReading reading;
  private final boolean isCounted; // whether each place has a row
  private final RowCopies all;
  private final RowCopies some;
  private final List<PartReader> datasets;
  private final List<Runnable> skips = new ArrayList<>();
  private final List<Piece> pieces = new ArrayList<>(); // in reading order
  private final RowOrder order;
  private final int columns;
  private final boolean[] isInMatrix;
  private final List<WindowMatrix> matrices = new ArrayList<>();
  private final @Nullable ColumnSlice[] views; // of the last read
  private boolean isLoaded;
  private int loaded;
  private long given; // the place behind the rows of the last read
  private int count;

  /// Some rows, in reading order.
  ///
  /// @param source the number of their dataset
  /// @param first how many rows were read before them
  /// @param origin that of the first row; that of all if it is a range
  /// @param fileRows each row's number in the file; null where they are consecutive, or not known
  @SuppressWarnings("ArrayRecordComponent") // nobody compares pieces
  private record Piece(int source, int first, RowOrigin origin, long @Nullable [] fileRows) {
    static Piece of(int source, Rows rows, int first) {
      int last = rows.count() - 1;
      RowOrigin origin = rows.origin(0);
      boolean isMade = rows.rowsBefore(last) > 0; // by a transform
      boolean areConsecutive = !isMade && rows.fileRow(last) - rows.fileRow(0) == last;
      if (origin.isRange() || areConsecutive) {
        return new Piece(source, first, origin, null);
      }
      long[] each = new long[rows.count()];
      rows.fileRows(each, 0);
      for (int row = 0; isMade && row <= last; row++) {
        each[row] = rows.origin(row).first();
      }
      return new Piece(source, first, origin, each);
    }

    RowPart part(int row) {
      return RowPart.whole(
          source,
          origin.isRange()
              ? origin
              : new RowOrigin(
                  origin.file(),
                  fileRows == null ? origin.first() + (row - first) : fileRows[row - first]));
    }
  }

  WindowReader(DecodeUnit unit, long row, boolean isDelivered, WindowReading reading)
      throws IOException {
    this.window = (WindowRun) unit.run();
    this.reading = reading;
    this.order = reading.means.order();
    this.given = row;
    List<RowRun> rows = reading.rows();
    this.datasets = reading.open(rows, unit, skips);
    Location file = rows.getFirst().file().location();
    RowSteps steps = reading.means.steps();
    ScratchMemory memory = reading.means.scratch();
    this.isCounted = window.isCounted() && steps.keepsRows();
    Schema schema = steps.rows(unit.group().schema());
    this.columns = schema.size();
    this.views = new ColumnSlice[columns];
    this.all = new RowCopies(schema, Texts.JOINED, memory, file);
    this.some = new RowCopies(schema, Texts.JOINED, memory, file);
    this.isInMatrix = new boolean[columns];
    if (isDelivered && isCounted) {
      for (MatrixColumns matrix : unit.group().matrices(memory)) {
        matrices.add(new WindowMatrix(matrix, rowsInAll(), memory));
      }
      Set<Field> apart = unit.group().apart();
      for (int column = 0; column < columns; column++) {
        isInMatrix[column] = !apart.contains(schema.fields().get(column));
      }
    }
  }

  /// Reads all rows, at most `maxRows` at once, for a window that is composed.
  void readAll(int maxRows) throws IOException {
    load(maxRows);
    read(Integer.MAX_VALUE);
  }

  /// Decodes all rows, at most `maxRows` at once, and puts them in order.
  private void load(int maxRows) throws IOException {
    reading.begin(isCounted ? rowsInAll() : -1);
    for (int dataset = 0; dataset < datasets.size(); dataset++) {
      fill(dataset, reading.wanted(dataset), maxRows);
    }
    reading.end(loaded);
    isLoaded = true;
    // Column by column: the values of one column can fit into the cache, those of many cannot.
    for (int column = 0; column < columns; column++) {
      if (!isInMatrix[column] && !reading.isKept()) {
        all.reorder(column, order);
      }
    }
    all.end(loaded);
  }

  private int rowsInAll() {
    return Math.toIntExact(window.rowsInAll());
  }

  /// Reads the next rows of a dataset, or all.
  private void fill(int dataset, long wanted, int maxRows) throws IOException {
    PartReader rows = datasets.get(dataset);
    for (long left = wanted; left > 0 && !rows.isAtEnd(); ) {
      RowReader reader = rows.read(maxRows, left);
      SelectedSlice slice = reader.chosen();
      Selection chosen = slice == null ? null : slice.chosen();
      for (int column = 0; column < columns; column++) {
        if (!isInMatrix[column]) {
          if (loaded == 0 && isCounted) {
            ColumnSlice some = slice == null ? reader.column(column) : slice.all(column);
            all.reserve(column, some, rowsInAll());
          }
          if (slice == null || chosen == null) {
            all.append(column, reader.column(column), Selection.range(0, reader.count()));
          } else { // from where they lie: they need not be copied together first
            all.append(column, slice.all(column), chosen);
          }
        }
      }
      for (WindowMatrix matrix : matrices) {
        matrix.place(reader, order.places(), loaded);
      }
      if (reader.count() > 0) {
        pieces.add(Piece.of(dataset, reader, loaded));
      }
      loaded += reader.count();
      left -= reader.count();
      rows.done();
    }
  }

  long bytes() {
    return all.bytes();
  }

  void countSkipped() {
    skips.forEach(Runnable::run);
  }

  @Override
  public void read(int maxRows) throws IOException {
    if (!isLoaded) {
      load(maxRows);
    }
    count = Math.clamp(last() - given, 0, maxRows);
    if (given + count >= window.endRow()) { // the last place has all rows that a transform added
      count = (int) Math.max(0, last() - given);
    }
    some.clear(all.file());
    for (int column = 0; column < columns; column++) {
      views[column] =
          count == 0 || isInMatrix[column] ? null : all.part(column, (int) given, count);
      if (views[column] == null && !isInMatrix[column]) {
        some.append(column, all.column(column), Selection.range((int) given, count));
      }
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
    ColumnSlice view = views[index];
    return view == null ? some.column(index) : view;
  }

  @Override
  public @Nullable MemorySegment matrix(MatrixPlan plan, int first) {
    for (WindowMatrix matrix : matrices) {
      if (matrix.is(plan, first)) {
        return matrix.rows(given - count, count);
      }
    }
    return null;
  }

  private long place(int index) {
    return given - count + index;
  }

  @Override
  public long fileRow(int index) {
    return Math.min(place(index), window.endRow() - 1);
  }

  @Override
  public int rowsBefore(int index) {
    return (int) (place(index) - fileRow(index));
  }

  @Override
  public RowOrigin origin(int index) {
    return part(index).origin();
  }

  @Override
  public List<RowPart> parts(int index) {
    return List.of(part(index));
  }

  private RowPart part(int index) {
    RowRun known = reading.row(place(index));
    if (known != null) {
      return RowPart.whole(
          known.source(), new RowOrigin(known.file().location(), known.firstRow()));
    }
    int row = order.rows()[Math.toIntExact(place(index))];
    int low = 0;
    int high = pieces.size() - 1;
    while (low < high) { // the last piece that begins at the row or before it
      int middle = (low + high + 1) >>> 1;
      if (pieces.get(middle).first() <= row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return pieces.get(low).part(row);
  }

  @Override
  public long end() {
    return isLoaded && given >= last() ? window.endRow() : given;
  }

  /// Returns the end of the places that are wanted and have a row. Rows that a transform added
  /// belong to the last place of the whole window.
  private long last() {
    return window.endRow() == window.rowsInAll() ? loaded : Math.min(loaded, window.endRow());
  }

  @Override
  public void close() {
    for (PartReader dataset : datasets) {
      dataset.close();
    }
    all.release();
    some.release();
    matrices.forEach(WindowMatrix::close);
  }
}
