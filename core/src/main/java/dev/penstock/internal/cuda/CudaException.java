package dev.penstock.internal.cuda;

/// The error of a failed driver call.
public final class CudaException extends RuntimeException {
  private static final long serialVersionUID = 1;

  CudaException(String function, String name, int code) {
    super("Cannot use the GPU: " + function + " failed with " + name + " (" + code + ").");
  }
}
