package dev.penstock.internal.pipeline;

import dev.penstock.format.MalformedFileException;
import dev.penstock.format.SliceReader;
import dev.penstock.internal.memory.WorkerScratch;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What one worker does: take a run of rows and a group of columns, decode them slice by slice,
/// copy each slice into batches.
///
/// **Threads.** One at a time.
final class RunDecoder implements AutoCloseable {
  /// The most rows decoded at once: large enough to spread the cost of a call, small enough for the
  /// decoded columns to stay in the second-level cache.
  static final int SLICE_ROWS_MAX = 8192;

  private final BatchLayout layout;
  private final BatchWindow window;
  private final Supplier<@Nullable DecodeUnit> units;
  private final ReadCounter counter;
  private final WorkerScratch scratch;
  private final Map<Integer, List<SliceTarget>> targetsByGroup = new HashMap<>();

  private @Nullable DecodeUnit unit;
  private @Nullable StorageFile file;
  private @Nullable SliceReader reader;
  private long done;

  RunDecoder(
      BatchLayout layout,
      BatchWindow window,
      Supplier<@Nullable DecodeUnit> units,
      ReadCounter counter,
      WorkerScratch scratch) {
    this.layout = layout;
    this.window = window;
    this.units = units;
    this.counter = counter;
    this.scratch = scratch;
  }

  /// Decodes one slice, or takes the next unit. Whatever goes wrong is told to the window.
  ///
  /// @return false when there is nothing left to do
  boolean step() {
    DecodeUnit current = unit;
    try {
      if (current == null) {
        current = units.get();
        if (current == null) {
          return false;
        }
        unit = current;
        done = 0;
      }
      return decode(current);
    } catch (Throwable e) {
      if (current == null) {
        window.fail(0, 0, e);
      } else {
        RowRun run = current.run();
        window.fail(current.group().index(), run.position() + done, explained(e, run));
      }
      return false;
    }
  }

  private boolean decode(DecodeUnit current) throws IOException {
    RowRun run = current.run();
    long position = run.position() + done;
    long limit = window.admit(current.group().index(), position);
    if (limit < 0) {
      return false;
    }
    long rowsLeft = Math.min(run.rowCount() - done, limit - position);
    int most = (int) Math.min(rowsLeft, SLICE_ROWS_MAX);
    long sliceEnd = done + most;
    try {
      decode(current, most);
    } catch (Throwable e) {
      locate(current, sliceEnd);
      throw e;
    }
    if (done == run.rowCount()) {
      closeUnit();
    }
    return true;
  }

  /// Decodes the rows of a failed slice again, one by one, until the one that is at fault throws.
  ///
  /// A slice fails as a whole, and where slices end depends on how far the consumer is. This makes
  /// the same row fail in every run, and the rows before it arrive. When none fails any more, the
  /// caller reports the first failure all the same: nothing is mended by trying again.
  private void locate(DecodeUnit current, long sliceEnd) throws IOException {
    closeReader();
    while (done < sliceEnd) {
      decode(current, 1);
    }
  }

  /// Decodes a slice of at most the given rows and advances `done` as they arrive in batches.
  private void decode(DecodeUnit current, int most) throws IOException {
    RowRun run = current.run();
    SliceReader open = reader == null ? open(current) : reader;
    int rows = open.next(most);
    if (rows == 0) {
      throw new MalformedFileException(
          run.file().info().location(),
          -1,
          "row " + (run.firstRow() + done),
          "Truncated file: rows end here but the footer promises more.",
          null);
    }
    List<SliceTarget> targets =
        targetsByGroup.computeIfAbsent(
            current.group().index(), _ -> current.group().targets(scratch));
    SliceContext context = new SliceContext(run.file().info().location(), run.firstRow() + done);
    for (SliceTarget target : targets) {
      target.prepare(open, rows, context);
    }
    copy(targets, current.group().index(), run.position() + done, rows);
  }

  private void copy(List<SliceTarget> targets, int group, long position, int rows)
      throws IOException {
    int batchSize = layout.batchSize();
    int from = 0;
    while (from < rows) {
      long number = (position + from) / batchSize;
      int to = (int) ((position + from) % batchSize);
      int count = Math.min(rows - from, batchSize - to);
      PartialBatch batch = window.batch(number);
      for (SliceTarget target : targets) {
        target.copy(from, count, batch, to);
      }
      window.filled(batch, group, to, count);
      from += count;
      done += count;
    }
    window.announce();
  }

  private SliceReader open(DecodeUnit current) throws IOException {
    RowRun run = current.run();
    StorageFile opened = counter.counting(run.file().open());
    file = opened;
    SliceReader made =
        run.file()
            .format()
            .openReader(
                opened,
                run.file().metadata(),
                current.group().schema(),
                run.firstRow() + done,
                run.rowCount() - done,
                scratch);
    reader = made;
    return made;
  }

  private static Throwable explained(Throwable cause, RowRun run) {
    String location = run.file().info().location().text();
    String rows =
        "rows [" + run.firstRow() + ", " + (run.firstRow() + run.rowCount()) + ") of " + location;
    if (!(cause instanceof IOException)) {
      return new IllegalStateException("Cannot decode " + rows + ": " + cause, cause);
    }
    boolean named = cause.getMessage() != null && cause.getMessage().contains(location);
    return named ? cause : new IOException("Cannot read " + rows + ": " + cause, cause);
  }

  private void closeUnit() throws IOException {
    unit = null;
    closeReader();
  }

  private void closeReader() throws IOException {
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

  /// Closes what is open and gives all working memory back.
  @Override
  public void close() {
    try {
      closeUnit();
    } catch (IOException e) {
      // The rows were delivered or are no longer wanted: a failing close cannot change them.
      org.slf4j.LoggerFactory.getLogger(RunDecoder.class).warn("Cannot close a data file", e);
    } finally {
      targetsByGroup.values().forEach(targets -> targets.forEach(SliceTarget::close));
    }
  }
}
