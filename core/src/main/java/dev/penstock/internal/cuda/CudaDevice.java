package dev.penstock.internal.cuda;

import java.util.function.Supplier;

/// A GPU with its primary context, which CUDA's runtime, and so PyTorch, uses as well.
///
/// The context is retained once, for the life of the process, because memory registered in it may
/// be unregistered at any time.
///
/// **Threads.** Safe for any.
///
/// @param driver the functions
/// @param ordinal which GPU, counted from 0
/// @param context the handle
public record CudaDevice(CudaDriver driver, int ordinal, long context) {
  static CudaDevice open(CudaDriver driver, int ordinal) {
    int device = driver.device(ordinal);
    return new CudaDevice(driver, ordinal, driver.retainContext(device));
  }

  /// Runs calls of the driver on this device. Afterwards, the thread has its previous context
  /// again.
  ///
  /// @param calls the calls; they must stay on the thread
  public void in(Runnable calls) {
    in(() -> {
      calls.run();
      return calls;
    });
  }

  /// Runs calls of the driver on this device.
  ///
  /// @param calls the calls; they must stay on the thread
  /// @return their result
  public <T> T in(Supplier<T> calls) {
    driver.pushContext(context);
    try {
      return calls.get();
    } finally {
      driver.popContext();
    }
  }
}
