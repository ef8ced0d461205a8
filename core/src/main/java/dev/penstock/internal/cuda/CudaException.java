package dev.penstock.internal.cuda;

/// A call of the driver that failed.
public final class CudaException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /// Makes the error of a call.
  ///
  /// @param function what was called
  /// @param name the error's name by the driver
  /// @param code its number
  CudaException(String function, String name, int code) {
    super("Cannot use the GPU: " + function + " failed with " + name + " (" + code + ").");
  }
}
