package dev.penstock.batch;

import java.io.IOException;

/// A null in a column whose tensor or array has no place for one.
public final class NullValueException extends IOException {
  private static final long serialVersionUID = 1L;

  /// Makes the exception.
  ///
  /// @param column the column
  /// @param row the row, counted from 0 in the file
  /// @param file the file
  public NullValueException(String column, long row, String file) {
    super(
        "Cannot batch column '"
            + column
            + "': row "
            + row
            + " is null and its type has no place for one. Use NullPolicy.fill() or"
            + " NullPolicy.mask(). ["
            + file
            + ", row "
            + row
            + "]");
  }
}
