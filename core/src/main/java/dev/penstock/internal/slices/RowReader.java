package dev.penstock.internal.slices;

import java.io.IOException;

/// Reads the wanted rows of a run, some at a time. As [Rows], it is the rows of the last read.
///
/// **Ownership.** The columns are valid until the next call of [#read] or [#close].
///
/// **Threads.** One at a time.
///
/// **Errors.** After an exception only [#close] may be called.
public interface RowReader extends Rows, AutoCloseable {
  /// Reads the next rows, and looks at no more than `maxRows`, at least 1, of the file.
  void read(int maxRows) throws IOException;

  @Override
  void close();
}
