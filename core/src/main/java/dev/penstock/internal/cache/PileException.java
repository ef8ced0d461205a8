package dev.penstock.internal.cache;

import dev.penstock.advice.Advice;
import dev.penstock.advice.AdvisedIOException;
import java.io.IOException;

/// Rows cannot be put on [Piles], or not be read from them. No file of the table is to blame.
public final class PileException extends AdvisedIOException {
  private static final long serialVersionUID = 1L;

  PileException(Advice message) {
    super(message, null);
  }

  PileException(Advice message, IOException cause) {
    super(message, cause);
  }
}
