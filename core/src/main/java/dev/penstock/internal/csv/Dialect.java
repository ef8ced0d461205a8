package dev.penstock.internal.csv;

import dev.penstock.internal.text.LineRecords;

/// The bytes with a special meaning in a CSV file; all but the delimiter may be -1 for none.
///
/// @param escape before a byte that it makes literal
/// @param comment at the start of comment lines
/// @param trailing whether a delimiter may also end the last field of a record
record Dialect(byte delimiter, int quote, int escape, int comment, boolean trailing) {
  /// Returns a scanner that finds the same records as [FieldSplitter].
  LineRecords records() {
    return new LineRecords(delimiter & 0xff, quote, escape, comment);
  }

  Dialect delimitedBy(byte other) {
    return new Dialect(other, quote, escape, comment, trailing);
  }

  /// Returns whether a byte has a meaning.
  boolean uses(byte b) {
    return b == delimiter || b == quote || b == escape || b == comment;
  }
}
