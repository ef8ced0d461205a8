package dev.penstock.internal.decode;

import dev.penstock.internal.clock.FlightEvents;
import dev.penstock.internal.clock.SliceTimer;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.internal.filter.RowSelector;
import dev.penstock.internal.matches.FilteredReader;
import dev.penstock.internal.matches.FilteredReader.Scope;
import dev.penstock.internal.matches.KnownRange;
import dev.penstock.internal.matches.RecordingMatcher;
import dev.penstock.internal.matches.RowMatcher;
import dev.penstock.internal.plan.RowOrder;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.WindowRun;
import dev.penstock.internal.scan.PlainReader;
import dev.penstock.internal.scan.TableReader;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.RowRange;
import dev.penstock.stats.Stage;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The open file and reader of the run that a worker is decoding.
///
/// **Threads.** One at a time.
final class RunSource {
  private final RowSteps steps;
  private final int worker;
  private final FetchAhead fetches;
  private final SkipCounter skips;
  private final ScratchMemory scratch;
  private final WindowParts parts;
  private final WindowReading.Means windows;
  private @Nullable StorageFile file;
  private @Nullable RowReader reader;
  private @Nullable DecodeUnit of; // the unit that the reader was opened for
  private long readerEnd; // the row after the last one of the reader
  private @Nullable OpenRows openRows; // where there is a filter
  private @Nullable FilteredReader filtered;
  private long filteredRows; // rows of the filtered run

  public RunSource(
      RowSteps steps, int worker, FetchAhead fetches, SkipCounter skips, ScratchMemory scratch) {
    this.steps = steps;
    this.worker = worker;
    this.fetches = fetches;
    this.skips = skips;
    this.scratch = scratch;
    this.parts = new WindowParts(() -> new RunSource(steps, worker, fetches, skips, scratch));
    this.windows = new WindowReading.Means(steps, parts, new RowOrder(), scratch);
  }

  /// Reads the next rows of a unit; opens it at `row` first if it is not open. Returns the reader
  /// that has read them.
  ///
  /// @param maxRows the most rows to look at; the caller counts the rows of a part of a window
  /// @param isPlaced whether the rows have their places in batches, so that no rows of the unit
  ///   will be staged
  RowReader read(DecodeUnit unit, long row, int maxRows, boolean isPlaced) throws IOException {
    return switch (unit.run()) {
      case RowRun run -> {
        SliceTimer timer = FlightEvents.beginSlice();
        RowReader open = opened(unit, row, isPlaced);
        long first = open.end();
        read(open, maxRows, Stage.DECODE);
        if (timer != null) {
          timer.over(run.file().info().location().text(), first, open.end(), open.count());
        }
        yield open;
      }
      case WindowRun _ -> read(opened(unit, row, isPlaced), maxRows, Stage.SHUFFLE);
    };
  }

  private static RowReader read(RowReader open, int maxRows, Stage stage) throws IOException {
    return StageClock.in(
        stage,
        () -> {
          open.read(maxRows);
          return open;
        });
  }

  private RowReader opened(DecodeUnit unit, long row, boolean isPlaced) throws IOException {
    if (reader != null) {
      return reader;
    }
    RowReader made =
        switch (unit.run()) {
          case RowRun run -> StageClock.in(Stage.OPEN, () -> open(run, unit, row));
          case WindowRun window -> WindowReading.of(window, windows).reader(unit, row, isPlaced);
        };
    reader = made;
    return made;
  }

  private RowReader open(RowRun run, DecodeUnit unit, long row) throws IOException {
    FetchAhead.Opened source = fetches.open(run, unit.group().index(), row);
    StorageFile opened = source.file();
    file = opened;
    of = unit;
    readerEnd = source.endRow();
    Schema read = steps.read(unit.group().schema());
    RowReader wanted = wanted(run.in(source.table()), opened, read, row);
    List<RowSet> matches = steps.matches();
    if (matches != null) {
      return new MatchReader(wanted, matches.get(unit.index()));
    }
    BlockTransform transform = steps.transform();
    Schema columns = steps.rows(unit.group().schema());
    return transform == null
        ? wanted
        : new TransformedReader(wanted, run, transform, columns, steps, worker, scratch);
  }

  private RowReader wanted(RowRun run, StorageFile opened, Schema columns, long row)
      throws IOException {
    if (run.rest().isAlways()) {
      SliceReader decoded = decode(run.to(readerEnd), opened, columns, row);
      return new PlainReader(decoded, run.file().info().location(), row);
    }
    FilteredReader made = filtered(run, opened, columns, row);
    filtered = made;
    filteredRows = run.rowCount();
    return made;
  }

  private FilteredReader filtered(RowRun run, StorageFile opened, Schema columns, long row)
      throws IOException {
    Location location = run.file().info().location();
    OpenRows open =
        StageClock.in(Stage.FILTER, () -> OpenRows.of(run, opened, steps.findings(run)));
    openRows = open;
    RowRange read = open.span(row).orElse(new RowRange(row, run.endRow() - row));
    RowRun left = run.to(read.end());
    Scope scope = new Scope(location, open.ranges(), row, run.endRow());
    KnownRange known = open.known();
    RowMatcher choice =
        known == null ? tested(left, opened, columns, read.offset(), row) : known.matcher();
    SliceReader others = null;
    try {
      Schema rest = FilteredReader.others(columns, choice.columns());
      others = rest.size() == 0 ? null : decode(left, opened, rest, read.offset());
      return new FilteredReader(columns, choice, others, read.offset(), scope, scratch);
    } catch (Throwable e) {
      choice.close(row);
      throw e;
    }
  }

  private RowMatcher tested(
      RowRun run, StorageFile opened, Schema delivered, long readFrom, long row)
      throws IOException {
    Schema tested = steps.tested(run);
    List<Field> columns = new ArrayList<>(tested.fields());
    List<Field> others = FilteredReader.others(delivered, tested).fields();
    if (run.file().isRowMajor()) {
      columns.addAll(others);
    } else if (columns.isEmpty() && !others.isEmpty()) { // A test of rows can look only once.
      columns.add(others.getFirst());
    }
    Schema read = Schema.of(columns);
    SliceReader reader = decode(run, opened, read, readFrom);
    RowSelector selector = new RowSelector(run.rest(), run.file().rows());
    Location location = run.file().info().location();
    return new RecordingMatcher(
        location, read, reader, selector, readFrom, steps.findings(run).matches(), row);
  }

  private SliceReader decode(RowRun run, StorageFile opened, Schema columns, long row)
      throws IOException {
    return TableReader.open(run.file(), opened, columns, row, run.endRow() - row, scratch);
  }

  /// Returns how many rows the open run gives; -1 where that is not known before all are read.
  long count() {
    if (reader instanceof ComposedReader composed) {
      return composed.rowsGiven();
    }
    OpenRows open = openRows;
    KnownRange known = open == null ? null : open.known();
    return known == null || !steps.keepsRows() ? -1 : known.count();
  }

  /// Returns the rows of each batch of the open run; null where batches are full, across runs.
  int @Nullable [] batches() {
    return reader instanceof ComposedReader composed ? composed.batches() : null;
  }

  /// Returns an action that counts the rows that a filter left out of the open run.
  ///
  /// @param given how many rows the whole run gave
  Runnable skipped(long given) {
    if (reader instanceof WindowReader window) {
      return window::countSkipped;
    }
    if (reader instanceof ComposedReader composed) {
      return () -> composed.count(skips);
    }
    OpenRows open = openRows;
    if (open == null || filtered == null) {
      return () -> {};
    }
    // It is not known which input rows a transform made its rows from.
    long kept = steps.keepsRows() ? given : filtered.kept();
    long left = filteredRows - kept;
    return () -> open.count(left, skips);
  }

  boolean hasMoreThan(DecodeUnit unit) {
    return of != null && unit.run().endRow() < readerEnd;
  }

  /// Returns whether the reader stands before the rows of a unit and can read them.
  boolean isBefore(DecodeUnit unit) {
    return of != null
        && reader != null
        && of.group().equals(unit.group())
        && of.run() instanceof RowRun before
        && unit.run() instanceof RowRun next
        && before.file().location().equals(next.file().location())
        && reader.end() == next.firstRow()
        && next.endRow() <= readerEnd;
  }

  /// Returns whether a reader was kept for the next window, see [WindowParts].
  boolean isKept() {
    return parts.isOpen();
  }

  void release() throws IOException {
    try {
      close();
    } finally {
      parts.close();
    }
  }

  void close() throws IOException {
    of = null;
    if (reader != null) {
      reader.close();
      reader = null;
      filtered = null;
      openRows = null;
    }
    if (file != null) {
      StorageFile closing = file;
      file = null;
      closing.close();
    }
  }
}
