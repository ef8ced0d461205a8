package dev.penstock.internal.csv;

import dev.penstock.internal.text.LineRecords;

/// The bytes with a special meaning in a CSV file.
///
/// @param delimiter between fields
/// @param quote around fields, or -1
/// @param escape before a byte that it makes literal, or -1
/// @param comment at the start of comment lines, or -1
/// @param trailing whether a delimiter may also end the last field of a record
record Dialect(byte delimiter, int quote, int escape, int comment, boolean trailing) {
  /// Returns a scanner that finds the same records as [FieldSplitter].
  LineRecords records() {
    return new LineRecords(delimiter & 0xff, quote, escape, comment);
  }
}
