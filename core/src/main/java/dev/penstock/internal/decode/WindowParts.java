package dev.penstock.internal.decode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Opens the parts of a worker's windows.
///
/// A window may end inside a row group. Its reader then stays open: the worker's next window
/// usually continues there, see [ReaderRuns]. In a mixture that is so for each dataset.
///
/// **Threads.** One at a time.
final class WindowParts {
  private final Supplier<RunSource> sources;
  private final Map<Integer, RunSource> kept = new HashMap<>(); // by the number of the dataset

  WindowParts(Supplier<RunSource> sources) {
    this.sources = sources;
  }

  /// Returns a source that reads a part from its first row on, to be passed to [#give].
  RunSource take(DecodeUnit unit) throws IOException {
    RunSource open = kept.remove(dataset(unit));
    if (open != null) {
      if (open.isBefore(unit)) {
        return open;
      }
      open.close();
    }
    return sources.get();
  }

  /// Returns a source that reads a part from any row on, to be passed to [#give].
  RunSource fresh(DecodeUnit unit) throws IOException {
    RunSource open = kept.remove(dataset(unit));
    if (open != null) {
      open.close();
    }
    return sources.get();
  }

  private static int dataset(DecodeUnit unit) {
    return unit.run().parts().getFirst().source();
  }

  void give(RunSource source, DecodeUnit unit) throws IOException {
    if (source.hasMoreThan(unit)) {
      kept.put(dataset(unit), source);
    } else {
      source.close();
    }
  }

  boolean isOpen() {
    return !kept.isEmpty();
  }

  void close() throws IOException {
    List<RunSource> open = new ArrayList<>(kept.values());
    kept.clear();
    IOException failure = null;
    for (RunSource each : open) {
      try {
        each.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
