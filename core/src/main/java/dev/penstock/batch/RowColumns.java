package dev.penstock.batch;

/// Rows that can be written to a batch as columns, without an object for each row.
///
/// What [dev.penstock.data.MapDataset#getAll] returns may be this as well as a list of rows. The
/// standard collator asks for the columns then, and the list's elements are never made.
public interface RowColumns {
  /// Adds the columns of all rows.
  ///
  /// @param batch where to
  void addTo(BatchBuilder batch);
}
