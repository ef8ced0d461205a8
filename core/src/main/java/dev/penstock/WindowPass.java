package dev.penstock;

import dev.penstock.internal.compose.WindowFacts;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.WindowCounts;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Finds how much a composition makes of each window, by one pass over the column that decides it;
/// then ranks can be dealt equal numbers of batches.
///
/// What it finds does not depend on the epoch and is kept.
///
/// **Threads.** Any; the first that asks makes the pass, others wait for it. [#close()] ends it.
final class WindowPass {
  private final PassReader reader;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable WindowCounts found; // guarded by the lock

  /// Makes the pass. Nothing is read yet.
  ///
  /// @param options for the number of workers
  /// @param meter has the limit of all memory
  WindowPass(LoaderOptions options, MemoryMeter meter) {
    this.reader = new PassReader("what is made of each window", options, meter);
  }

  /// Returns how much is made of each window.
  ///
  /// @param windows all windows, in the order of their numbers
  /// @param steps what is done with their rows
  /// @throws java.io.UncheckedIOException if the files cannot be read
  /// @throws dev.penstock.format.MemoryLimitException if the memory is too little
  /// @throws IllegalStateException if the loader is closed before the pass is done
  WindowCounts counts(Sequence windows, RowSteps steps) {
    lock.lock();
    try {
      if (found == null) {
        WindowFacts facts = new WindowFacts();
        reader.read(windows.runs(), steps.counting(facts));
        found = facts;
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  /// Ends a pass that is on its way; there will be no other.
  void close() {
    reader.close();
  }
}
