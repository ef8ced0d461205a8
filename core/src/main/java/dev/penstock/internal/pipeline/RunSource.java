package dev.penstock.internal.pipeline;

import dev.penstock.format.ScratchMemory;
import dev.penstock.format.SliceReader;
import dev.penstock.internal.filter.RowSelector;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.slices.AllRows;
import dev.penstock.internal.slices.FilteredRows;
import dev.penstock.internal.slices.FilteredRows.Scope;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The open file and reader of the run that a worker is decoding.
///
/// **Threads.** One at a time.
final class RunSource {
  private final Schema table;
  private final ReadCounter counter;
  private final SkipCounter skips;
  private final ScratchMemory scratch;
  private @Nullable StorageFile file;
  private @Nullable RowReader reader;
  private @Nullable OpenRows openRows; // where there is a filter

  /// Makes it closed.
  ///
  /// @param table the columns that a filter may look at
  /// @param counter counts what is read
  /// @param skips counts what a filter leaves out
  /// @param scratch where readers take their memory from
  RunSource(Schema table, ReadCounter counter, SkipCounter skips, ScratchMemory scratch) {
    this.table = table;
    this.counter = counter;
    this.skips = skips;
    this.scratch = scratch;
  }

  /// Returns the reader of a unit; opens it, to start with a row, if it is not open.
  RowReader open(DecodeUnit unit, long row) throws IOException {
    if (reader != null) {
      return reader;
    }
    RowRun run = unit.run();
    StorageFile opened = counter.counting(run.file().open());
    file = opened;
    Schema columns = unit.group().schema();
    RowReader made =
        run.rest().isAlways()
            ? new AllRows(decode(run, opened, columns, row), run.file().info().location(), row)
            : filtered(unit, opened, columns, row);
    reader = made;
    return made;
  }

  private RowReader filtered(DecodeUnit unit, StorageFile opened, Schema columns, long row)
      throws IOException {
    RowRun run = unit.run();
    Location location = run.file().info().location();
    OpenRows open = OpenRows.of(run, opened);
    openRows = open;
    Schema tested = tested(run);
    Schema others = FilteredRows.others(columns, tested);
    SliceReader testedReader = decode(run, opened, tested, row);
    SliceReader othersReader = null;
    try {
      othersReader = others.size() == 0 ? null : decode(run, opened, others, row);
    } finally {
      if (othersReader == null && others.size() > 0) {
        testedReader.close();
      }
    }
    return new FilteredRows(
        columns,
        new RowSelector(run.rest()),
        tested,
        testedReader,
        othersReader,
        row,
        new Scope(location, open.ranges(), run.endRow()),
        scratch);
  }

  private Schema tested(RowRun run) {
    List<Field> fields = new ArrayList<>();
    for (String column : run.rest().columns()) {
      fields.add(table.find(column).orElseThrow());
    }
    return Schema.of(fields);
  }

  private SliceReader decode(RowRun run, StorageFile opened, Schema columns, long row)
      throws IOException {
    return run.file()
        .format()
        .openReader(opened, run.file().metadata(), columns, row, run.endRow() - row, scratch);
  }

  /// Counts what a filter left out of the run.
  ///
  /// @param rows how many rows
  void countSkipped(long rows) {
    if (openRows != null) {
      openRows.count(rows, skips);
    }
  }

  void close() throws IOException {
    if (reader != null) {
      reader.close();
      reader = null;
    }
    if (file != null) {
      StorageFile closing = file;
      file = null;
      closing.close();
    }
  }
}
