package dev.penstock;

/// An error in a worker whose own exception cannot be rethrown: it is checked, or has no public
/// constructor with a message. Also thrown when no batch came in time.
public final class WorkerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  WorkerException(String message, Throwable cause) {
    super(message, cause);
  }
}
