package dev.penstock.internal.pipeline;

import dev.penstock.format.MalformedFileException;
import dev.penstock.format.SliceReader;
import dev.penstock.internal.memory.WorkerScratch;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What one worker does: take a run of rows, decode it slice by slice, copy each slice into
/// batches.
///
/// **Threads.** One at a time.
final class RunDecoder implements AutoCloseable {
  /// The most rows decoded at once: large enough to spread the cost of a call, small enough for the
  /// decoded columns to stay in the second-level cache.
  private static final int SLICE_ROWS_MAX = 8192;

  private final BatchLayout layout;
  private final BatchWindow window;
  private final Supplier<@Nullable RowRun> runs;
  private final ReadCounter counter;
  private final WorkerScratch scratch;
  private final List<SliceTarget> targets;

  private @Nullable RowRun run;
  private @Nullable StorageFile file;
  private @Nullable SliceReader reader;
  private long done;

  RunDecoder(
      BatchLayout layout,
      BatchWindow window,
      Supplier<@Nullable RowRun> runs,
      ReadCounter counter,
      WorkerScratch scratch) {
    this.layout = layout;
    this.window = window;
    this.runs = runs;
    this.counter = counter;
    this.scratch = scratch;
    this.targets = layout.targets(scratch);
  }

  /// Decodes one slice, or takes the next run. Whatever goes wrong is told to the window.
  ///
  /// @return false when there is nothing left to do
  boolean step() {
    RowRun current = run;
    try {
      if (current == null) {
        current = runs.get();
        if (current == null) {
          return false;
        }
        run = current;
        done = 0;
      }
      return decode(current);
    } catch (Throwable e) {
      long position = current == null ? 0 : current.position() + done;
      window.fail(position / layout.batchSize(), explained(e, current));
      return false;
    }
  }

  private boolean decode(RowRun current) throws IOException {
    long position = current.position() + done;
    long limit = window.admit(position);
    if (limit < 0) {
      return false;
    }
    SliceReader open = reader == null ? open(current) : reader;
    long rowsLeft = Math.min(current.rowCount() - done, limit - position);
    int rows = open.next((int) Math.min(rowsLeft, SLICE_ROWS_MAX));
    if (rows == 0) {
      throw new MalformedFileException(
          current.file().info().location(),
          -1,
          "row " + (current.firstRow() + done),
          "Truncated file: rows end here but the footer promises more.",
          null);
    }
    SliceContext context =
        new SliceContext(current.file().info().location(), current.firstRow() + done);
    for (SliceTarget target : targets) {
      target.prepare(open, rows, context);
    }
    copy(position, rows);
    done += rows;
    if (done == current.rowCount()) {
      closeRun();
    }
    return true;
  }

  private void copy(long position, int rows) throws IOException {
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
      window.filled(batch, count);
      from += count;
    }
  }

  private SliceReader open(RowRun current) throws IOException {
    StorageFile opened = counter.counting(current.file().open());
    file = opened;
    SliceReader made =
        current
            .file()
            .format()
            .openReader(
                opened,
                current.file().metadata(),
                layout.schema(),
                current.firstRow(),
                current.rowCount(),
                scratch);
    reader = made;
    return made;
  }

  private static Throwable explained(Throwable cause, @Nullable RowRun run) {
    if (cause instanceof IOException || run == null) {
      return cause;
    }
    return new IllegalStateException(
        "Cannot decode rows ["
            + run.firstRow()
            + ", "
            + (run.firstRow() + run.rowCount())
            + ") of "
            + run.file().info().location()
            + ": "
            + cause,
        cause);
  }

  private void closeRun() throws IOException {
    run = null;
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
      closeRun();
    } catch (IOException e) {
      // The rows were delivered or are no longer wanted: a failing close cannot change them.
      org.slf4j.LoggerFactory.getLogger(RunDecoder.class).warn("Cannot close a data file", e);
    } finally {
      targets.forEach(SliceTarget::close);
    }
  }
}
