package dev.penstock.stats;

/// What a loader has read in an epoch so far, seen at one moment.
///
/// @param bytes bytes read from storage
/// @param skipped rows that the filter left out
public record ReadStats(long bytes, SkippedRows skipped) {
  /// Nothing read.
  public static final ReadStats NONE = new ReadStats(0, SkippedRows.NONE);
}
