package dev.penstock.internal.decode;

import dev.penstock.internal.memory.MemoryTurn;
import dev.penstock.internal.plan.Mixing;
import dev.penstock.internal.plan.RowOrder;
import dev.penstock.internal.plan.WindowOrder;
import dev.penstock.internal.plan.WindowRun;
import dev.penstock.internal.slices.RowCopies;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.slices.ScatteredRows;
import dev.penstock.internal.slices.Selection;
import dev.penstock.internal.slices.Texts;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the rows of a mixture in order, some at a time: a slice of each dataset is open, and the
/// rows of a step are those before one of the slices ends.
final class MixedReader implements RowReader, ScatteredRows {
  private final WindowRun window;
  private final Mixing mixing;
  private final long firstRow; // of the window in the mixture
  private final List<Dataset> datasets = new ArrayList<>();
  private final RowCopies ordered;
  private final RowOrder order;
  private final boolean[] isOrdered; // the others are taken from their slices
  private final int columns;

  private final int[] numbers = new int[Decoding.SLICE_ROWS_MAX]; // of datasets, by place
  private long numbersFrom; // the place of the first of these numbers
  private long numbersEnd;
  private final int[] coming; // by dataset, how many of the numbers come after the last read
  private final int[] ofRow = new int[Decoding.SLICE_ROWS_MAX]; // the numbers of the last read
  private final int[] rows = new int[Decoding.SLICE_ROWS_MAX];
  private boolean isSkipped; // the rows before the first that is wanted
  private long given; // the place behind the rows of the last read
  private int count;

  /// A dataset, and the slice of it that is open.
  private static final class Dataset {
    private final PartReader parts;
    private @Nullable RowReader slice;
    private int first; // the first row of the slice in the step
    private int taken; // rows of the slice in the step
    private int[] places = {}; // of these rows in the step
    private int left; // rows of the slice from the first on

    private Dataset(PartReader parts) {
      this.parts = parts;
    }

    int[] places(int most) {
      if (places.length < most) {
        places = new int[most];
      }
      return places;
    }

    RowReader slice() {
      RowReader open = slice;
      if (open == null) {
        throw new IllegalStateException("No row of the dataset was read.");
      }
      return open;
    }

    void pass() {
      first += taken;
      left -= taken;
      taken = 0;
    }

    void open(int maxRows, int wanted) throws IOException {
      while (left == 0) {
        if (slice != null) {
          parts.done();
        }
        RowReader next = parts.read(maxRows, wanted);
        slice = next;
        first = 0;
        left = next.count();
      }
    }
  }

  MixedReader(
      DecodeUnit unit,
      WindowOrder.Mixed mixed,
      long row,
      boolean isDelivered,
      WindowParts parts,
      RowOrder order,
      ScratchMemory memory) {
    this.order = order;
    this.window = (WindowRun) unit.run();
    this.mixing = mixed.mixing();
    this.firstRow = mixed.firstRow();
    this.given = row;
    this.numbersFrom = row;
    this.numbersEnd = row;
    PartReader.ofSources(mixing, window.parts(), unit, parts)
        .forEach(each -> datasets.add(new Dataset(each)));
    this.coming = new int[datasets.size()];
    Location file = window.parts().getFirst().file().info().location();
    Schema schema = unit.group().schema();
    this.columns = schema.size();
    this.ordered = new RowCopies(schema, Texts.JOINED, memory, file);
    this.isOrdered = new boolean[columns];
    for (int column = 0; column < columns; column++) {
      isOrdered[column] =
          !isDelivered || unit.group().ordered().contains(schema.fields().get(column));
    }
  }

  @Override
  public void read(int maxRows) throws IOException {
    MemoryTurn.check();
    if (!isSkipped) {
      skip();
    }
    datasets.forEach(Dataset::pass);
    if (given == numbersEnd) {
      numbersFrom = given;
      numbersEnd = Math.min(window.endRow(), given + numbers.length);
      mixing.sources(firstRow + given, (int) (numbersEnd - numbersFrom), numbers);
      for (int i = 0; i < numbersEnd - numbersFrom; i++) {
        coming[numbers[i]]++;
      }
    }
    int from = (int) (given - numbersFrom);
    int to = (int) Math.min(numbersEnd - numbersFrom, from + (long) maxRows);
    open(maxRows);
    step(from, to);
    order();
    given += count;
  }

  private void skip() throws IOException {
    isSkipped = true;
    if (given == 0) {
      return;
    }
    long[] before = mixing.before(firstRow);
    long[] wanted = mixing.before(firstRow + given);
    for (int number = 0; number < before.length; number++) {
      datasets.get(number).parts.skip(wanted[number] - before[number]);
    }
  }

  /// Opens a slice of each dataset that has rows to come, if its last one has no row any more.
  private void open(int maxRows) throws IOException {
    for (int number = 0; number < coming.length; number++) {
      if (coming[number] > 0) {
        datasets.get(number).open(maxRows, coming[number]);
      }
    }
  }

  /// Takes rows until a slice has no more.
  private void step(int from, int to) {
    int[][] places = new int[datasets.size()][];
    int[] taken = new int[datasets.size()];
    int[] first = new int[datasets.size()];
    int[] left = new int[datasets.size()];
    for (int number = 0; number < taken.length; number++) {
      Dataset dataset = datasets.get(number);
      places[number] = dataset.places(coming[number]);
      first[number] = dataset.first;
      left[number] = dataset.left;
    }
    int at = from;
    for (; at < to; at++) {
      int number = numbers[at];
      int row = taken[number];
      if (row == left[number]) {
        break;
      }
      places[number][row] = at - from;
      rows[at - from] = first[number] + row;
      taken[number] = row + 1;
    }
    count = at - from;
    for (int number = 0; number < taken.length; number++) {
      datasets.get(number).taken = taken[number];
      coming[number] -= taken[number];
    }
    System.arraycopy(numbers, from, ofRow, 0, count);
  }

  private void order() {
    ordered.clear(file());
    boolean hasOrder = false;
    for (int column = 0; column < columns; column++) {
      if (isOrdered[column] && ordered.isPlaceable(column)) {
        for (Dataset dataset : datasets) {
          if (dataset.taken > 0) {
            ColumnSlice slice = dataset.slice().column(column);
            ordered.place(column, slice, dataset.first, dataset.places, dataset.taken, count);
          }
        }
      } else if (isOrdered[column]) {
        if (!hasOrder) {
          hasOrder = true;
          order.clear();
          for (Dataset dataset : datasets) {
            order.add(dataset.places, dataset.taken);
          }
        }
        for (Dataset dataset : datasets) {
          if (dataset.taken > 0) {
            ColumnSlice slice = dataset.slice().column(column);
            ordered.append(column, slice, Selection.range(dataset.first, dataset.taken));
          }
        }
        ordered.reorder(column, order);
      }
    }
    ordered.end(count);
  }

  @Override
  public Location file() {
    return ordered.file();
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public ColumnSlice column(int index) {
    return ordered.column(index);
  }

  @Override
  public int sliceCount() {
    return datasets.size();
  }

  @Override
  public @Nullable Rows slice(int number) {
    Dataset dataset = datasets.get(number);
    return dataset.taken == 0 ? null : dataset.slice();
  }

  @Override
  public int[] places(int number) {
    return datasets.get(number).places;
  }

  @Override
  public int firstRow(int number) {
    return datasets.get(number).first;
  }

  @Override
  public int rowCount(int number) {
    return datasets.get(number).taken;
  }

  @Override
  public int[] sliceOfRow() {
    return ofRow;
  }

  @Override
  public int[] rowInSlice() {
    return rows;
  }

  @Override
  public long fileRow(int index) {
    return given - count + index;
  }

  @Override
  public RowOrigin origin(int index) {
    return datasets.get(ofRow[index]).slice().origin(rows[index]);
  }

  @Override
  public List<RowPart> parts(int index) {
    return List.of(RowPart.whole(ofRow[index], origin(index)));
  }

  @Override
  public long end() {
    return given;
  }

  @Override
  public void close() {
    boolean isOver = given == window.endRow();
    for (Dataset dataset : datasets) {
      if (isOver) {
        dataset.parts.finish();
      }
      dataset.parts.close();
    }
    ordered.release();
  }
}
