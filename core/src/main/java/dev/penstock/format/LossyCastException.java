package dev.penstock.format;

import dev.penstock.advice.Advice;
import dev.penstock.advice.AdvisedIOException;
import dev.penstock.storage.Location;
import dev.penstock.storage.Printable;

/// A value of a file that the requested type of its column cannot hold.
///
/// The message names the column, both types and the value, and ends with the place in brackets.
public final class LossyCastException extends AdvisedIOException {
  private static final long serialVersionUID = 1L;

  private final transient Location location;
  private final long row;

  /// Makes the exception.
  ///
  /// @param location the file
  /// @param row the row, counted from 0 in the file
  /// @param sentence the column, the value, both types, and what to do
  /// @param cause what led to it
  public LossyCastException(Location location, long row, Advice sentence, Throwable cause) {
    super(Advice.of("%s [%s, row %s]", sentence, location, row).withTexts(Printable::of), cause);
    this.location = location;
    this.row = row;
  }

  /// {@return the file}
  public Location location() {
    return location;
  }

  /// {@return the row, counted from 0 in the file}
  public long row() {
    return row;
  }
}
