package dev.penstock.stats;

/// Rows that a filter kept from being delivered, by what told that they do not match.
///
/// @param files files that their folders ruled out; they were not opened, so their rows are not
///   known and not in the other counts
/// @param statistics by the statistics of row groups, before anything was read
/// @param bloomFilters by the bloom filters and dictionaries of row groups
/// @param pageIndex by the statistics of pages; the pages that no column needed were not
///   decompressed
/// @param values by the values of the columns that the filter looks at
public record SkippedRows(
    int files, long statistics, long bloomFilters, long pageIndex, long values) {
  /// Nothing skipped.
  public static final SkippedRows NONE = new SkippedRows(0, 0, 0, 0, 0);

  /// Returns all rows that were left out of the files that were opened.
  ///
  /// @return the sum
  public long total() {
    return statistics + bloomFilters + pageIndex + values;
  }
}
