package dev.penstock.batch;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Keeps the memory of a [Tensor] from being reused, for a library that works on it by its address
/// and knows nothing about batches.
///
/// Made by [Tensor#hold()]. Closing the batch still ends access through its tensors, but its memory
/// is neither reused nor freed with the loader until all holds are closed too.
///
/// **Ownership.** Close it when the library is done. A hold that is never closed keeps its memory.
///
/// **Threads.** Safe for any.
public final class Hold implements AutoCloseable {
  private final Lease lease;
  private final AtomicReference<@Nullable MemorySegment> memory;

  /// Takes over one use of the lease.
  Hold(Lease lease, MemorySegment memory) {
    this.lease = lease;
    this.memory = new AtomicReference<>(memory);
  }

  /// {@return the memory, writable and valid until the hold is closed, even after the batch was
  /// closed}
  ///
  /// @throws IllegalStateException if the hold is closed
  public MemorySegment memory() {
    MemorySegment held = memory.get();
    if (held == null) {
      throw new IllegalStateException(
          "Cannot use this memory: the hold on it is closed. Read or copy what you need before"
              + " close().");
    }
    return held;
  }

  /// Releases the memory; further calls do nothing.
  @Override
  public void close() {
    if (memory.getAndSet(null) != null) {
      lease.drop();
    }
  }
}
