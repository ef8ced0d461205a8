package dev.penstock.stats;

/// Rows that a filter skipped, by how it was known that they do not match.
///
/// Of a mixture: rows of its files that no source takes, each once however many sources read the
/// file. They are known before its first epoch, those that the pass over the filters' columns found
/// as `values`.
///
/// @param files files ruled out by their folders; they were not opened, so their rows are not known
///   and not in the other counts
/// @param statistics rows ruled out by the statistics of row groups, before anything was read
/// @param bloomFilters rows ruled out by bloom filters and dictionaries of row groups
/// @param pageIndex rows ruled out by the statistics of pages; pages without a needed row were not
///   decompressed
/// @param values rows ruled out by the values of the filter's columns
public record SkippedRows(
    int files, long statistics, long bloomFilters, long pageIndex, long values) {
  /// Nothing skipped.
  public static final SkippedRows NONE = new SkippedRows(0, 0, 0, 0, 0);

  /// {@return all rows skipped in the files that were opened}
  public long total() {
    return statistics + bloomFilters + pageIndex + values;
  }

  /// {@return both together}
  ///
  /// @param other the others
  public SkippedRows plus(SkippedRows other) {
    return new SkippedRows(
        files + other.files,
        statistics + other.statistics,
        bloomFilters + other.bloomFilters,
        pageIndex + other.pageIndex,
        values + other.values);
  }
}
