package dev.penstock.format;

import dev.penstock.advice.Advice;
import dev.penstock.advice.AdvisedIOException;
import dev.penstock.storage.Location;
import dev.penstock.storage.Printable;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A file that is truncated, corrupt, or uses an unsupported feature.
///
/// The message says what was found and what was expected, and ends with the place in brackets.
public final class MalformedFileException extends AdvisedIOException {
  private static final long serialVersionUID = 1L;

  private final transient Location location;
  private final long offset;

  /// Makes the exception.
  ///
  /// @param location the file
  /// @param offset the place in the file in bytes, or -1 if there is none to name
  /// @param where more of the place, for example `row group 3, column 'price'`; may be empty
  /// @param sentence what was found, what was expected, what to do
  /// @param cause the cause, if any
  public MalformedFileException(
      Location location, long offset, String where, String sentence, @Nullable Throwable cause) {
    this(location, offset, where, Advice.repeating(sentence, cause), cause);
  }

  /// Makes the exception.
  ///
  /// @param location the file
  /// @param offset the place in the file in bytes, or -1 if there is none to name
  /// @param where more of the place, for example `row group 3, column 'price'`; may be empty
  /// @param sentence what was found, what was expected, what to do
  /// @param cause the cause, if any
  public MalformedFileException(
      Location location, long offset, String where, Advice sentence, @Nullable Throwable cause) {
    super(
        Advice.of(
                "%s [%s%s%s]",
                sentence,
                location,
                where.isEmpty() ? "" : ", " + where,
                offset < 0 ? "" : ", byte " + offset)
            .withTexts(Printable::of),
        cause);
    this.location = location;
    this.offset = offset;
  }

  /// {@return the file}
  public Location location() {
    return location;
  }

  /// {@return the position in the file, in bytes from its start; empty if no single one is at
  /// fault}
  public OptionalLong offset() {
    return offset < 0 ? OptionalLong.empty() : OptionalLong.of(offset);
  }
}
