package dev.penstock.internal.cuda;

/// The error of a failed driver call.
public final class CudaException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /// Makes the error of a call.
  ///
  /// @param function the function called
  /// @param name the driver's name of the error
  /// @param code its number
  CudaException(String function, String name, int code) {
    super("Cannot use the GPU: " + function + " failed with " + name + " (" + code + ").");
  }
}
