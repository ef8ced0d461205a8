package dev.penstock.internal.pipeline;

/// What a user's function threw, with the rows that it was given.
final class TransformException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TransformException(String message, Throwable cause) {
    super(message, cause);
  }
}
