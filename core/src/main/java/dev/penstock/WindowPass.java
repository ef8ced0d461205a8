package dev.penstock;

import dev.penstock.internal.compose.ComposedWindows;
import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.compose.WindowFacts;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.options.LoaderOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Finds how much a composition makes of each window, by one pass over the column that decides it;
/// then ranks can be dealt equal numbers of batches. Where keys are not sorted, a second pass looks
/// for one that comes again.
///
/// What it finds is kept, and holds for each epoch.
///
/// **Threads.** Any; the first that asks makes the pass, others wait for it. [#close()] ends it.
final class WindowPass {
  private final PassReader reader;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable ComposedWindows found; // guarded by the lock

  /// Makes the pass. Nothing is read yet.
  ///
  /// @param options for the number of workers
  /// @param meter has the limit of all memory
  WindowPass(LoaderOptions options, MemoryMeter meter) {
    this.reader = new PassReader("what is made of each window", options, meter);
  }

  /// Returns the windows, and how much is made of each.
  ///
  /// @param planner plans them
  /// @param steps what is done with their rows
  /// @throws UncheckedIOException if the files cannot be read, or do not fit the composition
  /// @throws dev.penstock.format.MemoryLimitException if the memory is too little
  /// @throws WorkerException if a transform fails
  /// @throws IllegalStateException if the loader is closed before the pass is done, or a transform
  ///   inside the pass asks
  ComposedWindows windows(EpochPlanner planner, RowSteps steps) {
    reader.requireOutside();
    lock.lock();
    try {
      if (found == null) {
        found = find(planner.inFileOrder(), planner.windows(), steps);
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    } finally {
      lock.unlock();
    }
  }

  private ComposedWindows find(Sequence rows, Sequence windows, RowSteps steps) throws IOException {
    Composing composing = Objects.requireNonNull(steps.composing());
    WindowFacts facts = read(windows, steps, false);
    boolean mayComeAgain = Composing.isOfGroups(composing.how()) && !facts.areKeysSorted(windows);
    if (mayComeAgain) {
      facts = read(windows, steps, true);
    }
    return ComposedWindows.of(composing, rows, windows, facts);
  }

  private WindowFacts read(Sequence windows, RowSteps steps, boolean hasAllKeys) {
    WindowFacts facts = new WindowFacts(hasAllKeys);
    reader.read(windows.runs(), steps.counting(facts));
    return facts;
  }

  /// Ends a pass that is on its way; there will be no other.
  void close() {
    reader.close();
  }
}
