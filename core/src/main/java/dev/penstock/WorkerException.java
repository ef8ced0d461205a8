package dev.penstock;

import dev.penstock.internal.workers.TimedOut;

/// An error in a worker whose own exception, the cause, cannot be made anew: it is checked, or has
/// no public constructor with a message and any cause. Also thrown when no batch came in time.
public final class WorkerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  WorkerException(String message, Throwable cause) {
    super(message, cause);
  }

  /// Returns whether no batch came in time. It may still come: ask the iterator again.
  ///
  /// @return false if a worker met an error
  public boolean isTimeout() {
    return getCause() instanceof TimedOut;
  }
}
