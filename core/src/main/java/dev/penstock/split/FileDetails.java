package dev.penstock.split;

/// What a table's catalog knows about a data file beyond its location and size; each table module
/// has its own implementation.
///
/// Immutable; equal if all parts are.
public interface FileDetails {
  /// {@return how many of the file's rows are deleted, or -1 if the table's metadata does not tell}
  default long deletedRows() {
    return -1;
  }
}
