package dev.penstock.batch;

import dev.penstock.advice.Advice;
import dev.penstock.advice.AdvisedIOException;
import dev.penstock.storage.Printable;

/// A value that the requested form cannot hold: a timestamp beyond `INT64` in the requested unit, a
/// decimal beyond 64 bits, a string that is not in the vocabulary.
public final class UnfitValueException extends AdvisedIOException {
  private static final long serialVersionUID = 1L;

  /// Makes the exception.
  ///
  /// @param column the column
  /// @param value the value, and why it does not fit: continues "row 2 is "
  /// @param remedy what to do, a sentence
  /// @param file the file
  /// @param row the row, counted from 0 in the file, as `row 2`
  public UnfitValueException(String column, String value, Advice remedy, String file, String row) {
    super(
        Advice.of(
                "Cannot batch column '%s': %s is %s. %s [%s, %s]",
                column, row, value, remedy, file, row)
            .withTexts(Printable::of),
        null);
  }
}
