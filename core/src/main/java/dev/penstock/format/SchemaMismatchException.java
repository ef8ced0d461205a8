package dev.penstock.format;

import dev.penstock.storage.Printable;
import java.io.IOException;

/// Files of one dataset whose columns do not fit into one table.
public final class SchemaMismatchException extends IOException {
  private static final long serialVersionUID = 1L;

  /// Makes the exception.
  ///
  /// @param sentence both files, the column, and both of its types
  public SchemaMismatchException(String sentence) {
    super(Printable.of(sentence));
  }
}
