package dev.penstock.internal.matches;

import dev.penstock.internal.clock.StageClock;
import dev.penstock.internal.scan.PlainReader;
import dev.penstock.internal.slices.RowCopies;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.internal.slices.Selection;
import dev.penstock.internal.slices.Texts;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.split.RowRange;
import dev.penstock.stats.Stage;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the rows of a run for which a condition is true.
///
/// The columns that the condition needs are decoded first, the others only if it is true for some
/// row of a slice; those of files that store rows together are all decoded at once. Where the
/// matching rows are already known, no column is needed for the test. Kept rows are copied
/// together, unless all of a slice are kept. Which rows are decoded depends only on the file, the
/// condition, the number of rows requested and the known matches.
public final class FilteredReader implements RowReader {
  private record Origin(boolean tested, int index) {}

  /// The rows to read: `[firstRow, endRow)` of a run.
  ///
  /// @param ranges the rows that may be wanted, ascending and apart from each other
  public record Scope(Location file, List<RowRange> ranges, long firstRow, long endRow) {}

  private final Scope scope;
  private final RowMatcher choice;
  private final @Nullable SliceReader others;
  private final Origin[] origins;
  private final RowCopies block;

  private int range;
  private long othersRow; // the next row of the other columns
  private long end;
  private long first; // the first row of the last slice
  private int count;
  private long kept; // rows kept so far
  private boolean all; // whether all rows of the last slice are kept
  private int[] chosen = {};

  /// Makes the reader; `choice` and `others` are closed with it.
  ///
  /// @param others decodes the delivered columns that the choice does not decode, in their order,
  ///   from `readFrom` on; null if there are none
  /// @param readFrom the next row of the reader, not after any row that may be wanted
  public FilteredReader(
      Schema columns,
      RowMatcher choice,
      @Nullable SliceReader others,
      long readFrom,
      Scope scope,
      ScratchMemory memory) {
    this.scope = scope;
    this.choice = choice;
    this.others = others;
    this.origins = origins(columns, choice.columns());
    this.block = new RowCopies(columns, Texts.JOINED, memory, scope.file());
    this.othersRow = readFrom;
    this.end = scope.firstRow();
  }

  private static Origin[] origins(Schema columns, Schema testedColumns) {
    Origin[] origins = new Origin[columns.size()];
    int other = 0;
    for (int i = 0; i < origins.length; i++) {
      int index = testedColumns.indexOf(columns.fields().get(i).name());
      origins[i] = index >= 0 ? new Origin(true, index) : new Origin(false, other++);
    }
    return origins;
  }

  /// Returns the columns that are delivered but not tested: the other reader has to decode them.
  public static Schema others(Schema columns, Schema testedColumns) {
    List<Field> fields =
        columns.fields().stream().filter(field -> testedColumns.indexOf(field.name()) < 0).toList();
    return Schema.of(fields);
  }

  @Override
  public void read(int maxRows) throws IOException {
    count = 0;
    all = false;
    while (range < scope.ranges().size() && scope.ranges().get(range).end() <= end) {
      range++;
    }
    long stop = Math.min(scope.endRow(), end + maxRows);
    if (range == scope.ranges().size() || scope.ranges().get(range).offset() >= stop) {
      end = stop;
      return;
    }
    RowRange open = scope.ranges().get(range);
    first = Math.max(end, open.offset());
    int most = (int) (Math.min(stop, open.end()) - first);
    int rows = look(most);
    if (count > 0) {
      take(rows);
    }
    kept += count;
  }

  private int look(int most) throws IOException {
    int rows = choice.look(first, most);
    end = first + rows;
    count = choice.count();
    return rows;
  }

  private void take(int looked) throws IOException {
    int rows = looked;
    int next = looked;
    if (others != null) {
      if (first > othersRow) {
        others.skip(first - othersRow);
      }
      next = PlainReader.next(others, looked, scope.file(), first);
      othersRow = first + next;
      if (next < looked && choice.columns().size() == 0) {
        rows = look(next); // No tested column of more rows has to be kept.
      }
    }
    all = count == rows && next == rows;
    if (!all) {
      int slice = rows;
      int decoded = next;
      StageClock.in(
          Stage.FILTER,
          () -> {
            chosen = choice.numbers();
            copy(slice, decoded);
            return count;
          });
    }
  }

  /// Copies the chosen rows together; the other columns' first slice has `decoded` of the rows.
  private void copy(int rows, int decoded) throws IOException {
    block.clear(scope.file());
    Selection kept = Selection.of(chosen, 0, count, 0);
    for (int i = 0; i < origins.length; i++) {
      if (origins[i].tested()) {
        block.append(i, choice.column(origins[i].index()), kept);
      }
    }
    if (others == null) {
      return;
    }
    int from = 0;
    int base = 0;
    int next = decoded;
    while (true) {
      int to = base + next == rows ? count : firstFrom(base + next, from);
      Selection keptHere = Selection.of(chosen, from, to, base);
      for (int i = 0; i < origins.length; i++) {
        if (!origins[i].tested()) {
          block.append(i, others.column(origins[i].index()), keptHere);
        }
      }
      from = to;
      base += next;
      if (from == count) {
        return;
      }
      next = PlainReader.next(others, rows - base, scope.file(), first + base);
      othersRow += next;
    }
  }

  /// Returns the index of the first chosen row that is not before `row`.
  private int firstFrom(int row, int from) {
    int to = from;
    while (to < count && chosen[to] < row) {
      to++;
    }
    return to;
  }

  public long kept() {
    return kept;
  }

  @Override
  public Location file() {
    return scope.file();
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public ColumnSlice column(int index) {
    if (!all) {
      return block.column(index);
    }
    Origin origin = origins[index];
    return origin.tested() || others == null
        ? choice.column(origin.index())
        : others.column(origin.index());
  }

  @Override
  public long fileRow(int index) {
    return all ? first + index : first + chosen[index];
  }

  @Override
  public void fileRows(long[] target, int at) {
    // Called for every staged row, so without a method call per row.
    if (all) {
      for (int i = 0; i < count; i++) {
        target[at + i] = first + i;
      }
    } else {
      for (int i = 0; i < count; i++) {
        target[at + i] = first + chosen[i];
      }
    }
  }

  @Override
  public long end() {
    return end;
  }

  @Override
  public void close() {
    block.release();
    choice.close(end);
    if (others != null) {
      others.close();
    }
  }
}
