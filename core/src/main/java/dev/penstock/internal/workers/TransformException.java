package dev.penstock.internal.workers;

/// An exception that a user's function threw, with the rows it was given.
public final class TransformException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TransformException(String message, Throwable cause) {
    super(message, cause);
  }
}
