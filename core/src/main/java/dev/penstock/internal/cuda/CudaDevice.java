package dev.penstock.internal.cuda;

import java.util.function.Supplier;

/// A GPU with its primary context, which CUDA's runtime, and so PyTorch, uses as well.
///
/// The context is retained once, for the life of the process, because memory registered in it may
/// be unregistered at any time.
///
/// **Threads.** Safe for any.
public record CudaDevice(CudaDriver driver, int ordinal, long context) {
  static CudaDevice open(CudaDriver driver, int ordinal) {
    int device = driver.device(ordinal);
    return new CudaDevice(driver, ordinal, driver.retainContext(device));
  }

  /// Runs calls of the driver on this device, which must stay on the thread. Afterwards, the thread
  /// has its previous context again.
  public void in(Runnable calls) {
    in(() -> {
      calls.run();
      return calls;
    });
  }

  /// As [#in(Runnable)], with a result.
  public <T> T in(Supplier<T> calls) {
    driver.pushContext(context);
    try {
      return calls.get();
    } finally {
      driver.popContext();
    }
  }
}
