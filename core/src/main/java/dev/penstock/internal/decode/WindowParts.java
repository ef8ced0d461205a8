package dev.penstock.internal.decode;

import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Opens the parts of a worker's windows.
///
/// A window may end inside a row group. Its reader then stays open: the worker's next window
/// usually continues there, see [ReaderRuns].
///
/// **Threads.** One at a time.
final class WindowParts {
  private final Supplier<RunSource> sources;
  private @Nullable RunSource kept;

  /// Starts with nothing open.
  ///
  /// @param sources makes sources of the rows of files
  WindowParts(Supplier<RunSource> sources) {
    this.sources = sources;
  }

  /// Returns a source that reads a part from its first row on.
  ///
  /// @param unit the part
  /// @return the source, to be passed to [#give]
  RunSource take(DecodeUnit unit) throws IOException {
    RunSource open = kept;
    kept = null;
    if (open != null) {
      if (open.isBefore(unit)) {
        return open;
      }
      open.close();
    }
    return sources.get();
  }

  /// Takes back the source that has read a part.
  ///
  /// @param source see [#take]
  /// @param unit the part
  void give(RunSource source, DecodeUnit unit) throws IOException {
    if (source.hasMoreThan(unit)) {
      kept = source;
    } else {
      source.close();
    }
  }

  /// Returns whether a reader is open.
  boolean isOpen() {
    return kept != null;
  }

  void close() throws IOException {
    RunSource open = kept;
    kept = null;
    if (open != null) {
      open.close();
    }
  }
}
