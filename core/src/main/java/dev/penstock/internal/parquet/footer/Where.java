package dev.penstock.internal.parquet.footer;

import dev.penstock.advice.Advice;
import dev.penstock.format.MalformedFileException;
import dev.penstock.storage.Location;
import org.jspecify.annotations.Nullable;

/// The place in a file, for errors.
///
/// @param rowGroup the row group, or -1 for the footer
/// @param column the column, whose name may be empty; null for none
public record Where(Location location, int rowGroup, @Nullable String column) {
  static Where footer(Location location) {
    return new Where(location, -1, null);
  }

  public MalformedFileException fail(long offset, String sentence) {
    return fail(offset, Advice.text(sentence), null);
  }

  /// Makes the error for something wrong here, at an offset in the file, or -1.
  public MalformedFileException fail(long offset, String sentence, Throwable cause) {
    return fail(offset, Advice.repeating(sentence, cause), cause);
  }

  /// Makes the error for something wrong here, at an offset in the file, or -1.
  public MalformedFileException fail(long offset, Advice sentence, @Nullable Throwable cause) {
    String group = rowGroup < 0 ? "footer" : "row group " + rowGroup;
    String where = column == null ? group : group + ", column '" + column + "'";
    return new MalformedFileException(location, offset, where, sentence, cause);
  }
}
