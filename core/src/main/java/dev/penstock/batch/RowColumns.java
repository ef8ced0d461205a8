package dev.penstock.batch;

/// Rows that can be written to a batch as columns, without creating an object per row.
///
/// A list from [dev.penstock.data.MapDataset#getAll] may implement this too. The standard collator
/// then asks for the columns, and the list's elements are never created.
public interface RowColumns {
  /// Adds the columns of all rows.
  ///
  /// @param batch where to
  void addTo(BatchBuilder batch);
}
