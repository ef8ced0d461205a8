package dev.penstock;

/// What went wrong in a worker, where the worker's own exception cannot be thrown: a checked one,
/// or one that has no public constructor with a message. Also thrown when no batch came in time.
public final class WorkerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  WorkerException(String message, Throwable cause) {
    super(message, cause);
  }
}
