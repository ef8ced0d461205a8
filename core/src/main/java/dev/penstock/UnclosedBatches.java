package dev.penstock;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts the batches that a consumer has received and not closed, and warns once if it seems to
/// forget them.
///
/// **Threads.** Safe for any.
final class UnclosedBatches {
  private static final Logger LOG = LoggerFactory.getLogger(DataLoader.class);

  /// A consumer that holds more has most likely forgotten to close them.
  private static final int WARN = 256;

  private final boolean isOthersMemory; // who closes batches as it needs
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicBoolean warned = new AtomicBoolean();

  UnclosedBatches(boolean isOthersMemory) {
    this.isOthersMemory = isOthersMemory;
  }

  void received() {
    if (open.incrementAndGet() > WARN && !isOthersMemory && warned.compareAndSet(false, true)) {
      LOG.warn(
          "{} batches are open at once: close each batch when you are done with it"
              + " (try-with-resources), so that its memory is used again.",
          WARN);
    }
  }

  void closed() {
    open.decrementAndGet();
  }
}
