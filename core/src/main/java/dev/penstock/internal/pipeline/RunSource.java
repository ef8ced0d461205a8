package dev.penstock.internal.pipeline;

import dev.penstock.format.ScratchMemory;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.slices.AllRows;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The open file and reader of the run that a worker is decoding.
///
/// **Threads.** One at a time.
final class RunSource {
  private final ReadCounter counter;
  private final ScratchMemory scratch;
  private @Nullable StorageFile file;
  private @Nullable RowReader reader;

  RunSource(ReadCounter counter, ScratchMemory scratch) {
    this.counter = counter;
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
    RowReader made =
        new AllRows(
            run.file()
                .format()
                .openReader(
                    opened,
                    run.file().metadata(),
                    unit.group().schema(),
                    row,
                    run.endRow() - row,
                    scratch),
            run.file().info().location(),
            row);
    reader = made;
    return made;
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
