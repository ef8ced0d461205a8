package dev.penstock.internal.decode;

import dev.penstock.advice.Advice;
import dev.penstock.compose.WeightedDraws;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.compose.Composed;
import dev.penstock.internal.compose.Composed.Extent;
import dev.penstock.internal.compose.ComposedWindows;
import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.compose.WindowNumber;
import dev.penstock.internal.plan.WindowOrder;
import dev.penstock.internal.plan.WindowRun;
import dev.penstock.internal.slices.RowCopies;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.internal.slices.Texts;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads the rows that a composition makes of a window, some at a time.
final class ComposedReader implements RowReader {
  /// About what is written at once, so that it is still in the second-level cache when it goes to
  /// batches.
  private static final long STEP_BYTES = 1L << 16;

  private final WindowReader window;
  private final WindowRun run;
  private final WindowOrder.Composed order;
  private final long firstPlace;
  private final Composing composing;
  private final WindowNumber draw;
  private final RowCopies made;
  private @Nullable Composed composed;
  private Extent extent = new Extent(0, null); // of all that is composed
  private int given; // the row after those of the last read

  /// @param window the rows of the window; closed with this
  ComposedReader(
      WindowReader window,
      WindowRun run,
      long place,
      Composing composing,
      WindowOrder.Composed order,
      RowSteps steps,
      ScratchMemory memory) {
    this.window = window;
    this.run = run;
    this.order = order;
    this.firstPlace = place;
    this.composing = composing;
    this.draw =
        new WindowNumber(
            steps.seed(), steps.epoch(), run.number(), order.isShuffledBefore(), order.steps());
    this.made = new RowCopies(composing.output(), Texts.JOINED, memory, window.file());
  }

  @Override
  public void read(int maxRows) throws IOException {
    Composed rows = composed;
    if (rows == null) {
      rows = compose(maxRows);
      composed = rows;
      given = isPlaced() ? extent.firstRow(firstPlace) : 0;
    }
    int to = Math.min(last(), given + Math.clamp(STEP_BYTES / rowBytes(), 1, maxRows));
    if (to > given) { // whole batches, so that none has to be joined of parts
      to = Math.min(extent.batchEnd(to), given + maxRows);
    }
    made.clear(window.file());
    rows.write(given, to, made);
    made.end(to - given);
    given = to;
  }

  private long rowBytes() {
    long asRead = window.bytes() / Math.max(1, extent.rowCount());
    return Math.max(1, Math.max(asRead, 4L * composing.length()));
  }

  private Composed compose(int maxRows) throws IOException {
    window.readAll(maxRows);
    int wanted = isPlaced() ? Math.toIntExact(run.endRow()) : 0;
    Composed rows = composing.compose(window, draw, wanted);
    extent = rows.extent();
    requireAsCounted();
    if (!isPlaced() && extent.firstRow(extent.place((int) run.behind())) != run.behind()) {
      throw Advice.ioError(
          "%s [%s]", ComposedWindows.notBetweenBatches(run.behind()), window.file());
    }
    return rows;
  }

  private void requireAsCounted() throws IOException {
    boolean isAsManyAsWanted = composing.how() instanceof WeightedDraws;
    long counted = isAsManyAsWanted ? run.endRow() : order.made();
    if (isPlaced() && extent.placeCount() != counted) {
      throw new IOException(
          Sentence.of(
              "Cannot compose %s and what is read with it: it gives %s rows or batches but gave %s"
                  + " when they were counted. Files must not change while they are read, and a"
                  + " transform has to make the same each time.%s",
              window.file(), extent.placeCount(), counted, cacheAdvice()));
    }
  }

  /// Returns what to do if the cache has a wrong count; empty without a cache.
  private String cacheAdvice() {
    return run.parts()
        .getFirst()
        .file()
        .cached()
        .map(kept ->
            Sentence.of(
                " If the count is an earlier one, from the cache, clear that: 'penstock cache %s"
                    + " --clear'.",
                kept.folder().path()))
        .orElse("");
  }

  /// Returns whether places are those of what is made, so that some may be left out.
  private boolean isPlaced() {
    return run.isCounted();
  }

  private int last() {
    return isPlaced() ? extent.firstRow(run.endRow()) : extent.rowCount();
  }

  /// Returns how many rows the window gives, without those that are left out; -1 before the first
  /// is read.
  long rowsGiven() {
    if (composed == null) {
      return -1;
    }
    return isPlaced() ? last() - extent.firstRow(run.firstRow()) : last() - run.behind();
  }

  /// Returns the rows of each batch that the window gives; null where batches are full, across
  /// windows.
  int @Nullable [] batches() {
    return isPlaced()
        ? extent.batches(run.firstRow(), run.endRow())
        : extent.batches(extent.place((int) run.behind()), extent.placeCount());
  }

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
    return place(row(index));
  }

  private int row(int index) {
    return given - made.count() + index;
  }

  @Override
  public List<RowPart> parts(int index) {
    return Objects.requireNonNull(composed).parts(row(index));
  }

  /// Returns the rows of the first file among those that a row was made of.
  @Override
  public RowOrigin origin(int index) {
    List<RowOrigin> all = parts(index).stream().map(RowPart::origin).toList();
    Location first = all.getFirst().file();
    List<RowOrigin> own = all.stream().filter(each -> each.file().equals(first)).toList();
    return new RowOrigin(
        first,
        own.stream().mapToLong(RowOrigin::first).min().orElseThrow(),
        own.stream().mapToLong(RowOrigin::end).max().orElseThrow());
  }

  @Override
  public int rowsBefore(int index) {
    return behind(row(index));
  }

  @Override
  public long end() {
    return isAtEnd() ? run.endRow() : place(given);
  }

  @Override
  public int rowsBeforeEnd() {
    return isAtEnd() ? 0 : behind(given);
  }

  private long place(int row) {
    return isPlaced() ? extent.place(row) : run.firstRow();
  }

  private int behind(int row) {
    return isPlaced() ? row - extent.firstRow(extent.place(row)) : row;
  }

  private boolean isAtEnd() {
    return composed != null && given >= last();
  }

  @Override
  public void close() {
    window.close();
    made.release();
  }
}
