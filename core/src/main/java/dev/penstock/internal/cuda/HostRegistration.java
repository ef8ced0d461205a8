package dev.penstock.internal.cuda;

import dev.penstock.internal.cuda.CudaDriver.CudaException;
import dev.penstock.internal.memory.Pinning;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Registers memory with the CUDA driver, so that the GPU can copy from it while the processor and
/// other work of the GPU continue.
public final class HostRegistration implements Pinning {
  private static final Logger LOG = LoggerFactory.getLogger(HostRegistration.class);

  private final CudaDevice device;
  private final AtomicBoolean warned = new AtomicBoolean();

  private HostRegistration(CudaDevice device) {
    this.device = device;
  }

  /// Returns a pinning that registers memory, or [Pinning#NONE] after a warning if there is no GPU.
  public static Pinning ofMachine() {
    Cuda cuda = Cuda.ofMachine();
    if (cuda.count() == 0) {
      LOG.warn("pinMemory is set but {}: memory is not pinned.", cuda.reason());
      return NONE;
    }
    return new HostRegistration(cuda.device(cuda.own(System.getenv("LOCAL_RANK"))));
  }

  @Override
  public Runnable pin(MemorySegment pages) {
    try {
      device.in(() -> device.driver().registerHost(pages));
    } catch (CudaException e) {
      if (warned.compareAndSet(false, true)) {
        LOG.warn("Some memory is not pinned, so copies from it are slower. {}", e.getMessage());
      }
      return () -> {};
    }
    return () -> {
      try {
        device.in(() -> device.driver().unregisterHost(pages));
      } catch (CudaException e) {
        LOG.warn("Memory that is freed is still registered. {}", e.getMessage());
      }
    };
  }
}
