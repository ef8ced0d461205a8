package dev.penstock.internal.workers;

/// What a user's function threw, with the rows that it was given.
public final class TransformException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// Makes it.
  ///
  /// @param message what the user's code was to do, and what it threw
  /// @param cause what it threw
  public TransformException(String message, Throwable cause) {
    super(message, cause);
  }
}
