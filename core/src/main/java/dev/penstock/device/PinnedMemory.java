package dev.penstock.device;

import dev.penstock.internal.cuda.Cuda;
import dev.penstock.internal.cuda.CudaDevice;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/// Your own memory, registered with the CUDA driver for all of its contexts. Batches of a loader
/// with `pinMemory(true)` do not need it.
///
/// **Ownership.** The memory stays yours; close this before it is freed.
///
/// **Threads.** Safe for any.
public final class PinnedMemory implements AutoCloseable {
  private final CudaDevice device;
  private final MemorySegment memory;
  private final AtomicBoolean closed = new AtomicBoolean();

  private PinnedMemory(CudaDevice device, MemorySegment memory) {
    this.device = device;
    this.memory = memory;
  }

  /// Registers memory. This takes far longer than writing the memory, so register once and reuse
  /// it.
  ///
  /// @param memory off-heap memory, not registered yet; it should not share pages with other
  ///   memory, because whole pages are registered
  /// @return the registration
  /// @throws IllegalArgumentException if the memory is a Java array, or there is no GPU
  /// @throws RuntimeException if the driver refuses
  public static PinnedMemory register(MemorySegment memory) {
    if (!memory.isNative()) {
      throw new IllegalArgumentException(
          "Cannot pin a Java array: it has no lasting address. Copy it off-heap first.");
    }
    Cuda cuda = Cuda.ofMachine();
    CudaDevice device = cuda.device(cuda.own(System.getenv("LOCAL_RANK")));
    device.in(() -> device.driver().registerHost(memory));
    return new PinnedMemory(device, memory);
  }

  /// Ends the registration; further calls do nothing.
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      device.in(() -> device.driver().unregisterHost(memory));
    }
  }
}
