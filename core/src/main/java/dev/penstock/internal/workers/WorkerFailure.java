package dev.penstock.internal.workers;

import java.io.IOException;
import java.io.UncheckedIOException;

/// What a worker met, mostly an exception of users' code or of an extension, with a sentence that
/// says what it was about.
public final class WorkerFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WorkerFailure(String sentence, Throwable cause) {
    super(sentence, cause);
  }

  /// Returns the exception that the consumer receives: the same sentence, with what was met as its
  /// direct cause.
  public RuntimeException forConsumer() {
    return getCause() instanceof IOException e
        ? new UncheckedIOException(getMessage(), e)
        : new IllegalStateException(getMessage(), getCause());
  }
}
