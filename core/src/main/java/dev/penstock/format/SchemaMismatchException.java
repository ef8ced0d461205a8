package dev.penstock.format;

import dev.penstock.advice.Advice;
import dev.penstock.advice.AdvisedIOException;
import dev.penstock.storage.Printable;

/// Files of one dataset whose columns do not fit into one table.
public final class SchemaMismatchException extends AdvisedIOException {
  private static final long serialVersionUID = 1L;

  /// Makes the exception.
  ///
  /// @param sentence both files, the column, and both of its types
  public SchemaMismatchException(String sentence) {
    this(Advice.text(sentence));
  }

  /// Makes the exception.
  ///
  /// @param sentence both files, the column, and both of its types
  public SchemaMismatchException(Advice sentence) {
    super(sentence.withTexts(Printable::of), null);
  }
}
