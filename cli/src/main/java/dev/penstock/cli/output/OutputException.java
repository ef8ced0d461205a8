package dev.penstock.cli.output;

import java.io.IOException;
import java.util.Locale;

/// Thrown if standard output accepts no more bytes.
public final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutputException(IOException cause) {
    super(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
  }

  /// Returns whether the reader of a pipe has closed it, as `head` does.
  public boolean isReaderGone() {
    return String.valueOf(getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
  }
}
