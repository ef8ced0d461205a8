package dev.penstock.internal.cuda;

import java.util.function.Supplier;

/// A GPU, by its primary context: the one that CUDA's runtime uses as well, and so PyTorch.
///
/// The context is retained once and as long as the process lives: memory that is registered in it
/// may be let go at any time.
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

  /// Runs calls of the driver on this device. What the thread had as its current context, it has
  /// again afterwards.
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
  /// @param <T> what they give
  /// @param calls the calls; they must stay on the thread
  /// @return what they gave
  public <T> T in(Supplier<T> calls) {
    driver.pushContext(context);
    try {
      return calls.get();
    } finally {
      driver.popContext();
    }
  }
}
