package dev.penstock.internal.cache;

import java.io.IOException;

/// Rows cannot be put on [Piles], or not be read from them. No file of the table is to blame.
public final class PileException extends IOException {
  private static final long serialVersionUID = 1L;

  PileException(String message) {
    super(message);
  }

  PileException(String message, IOException cause) {
    super(message, cause);
  }
}
