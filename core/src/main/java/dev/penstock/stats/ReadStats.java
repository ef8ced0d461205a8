package dev.penstock.stats;

/// What a loader has read in an epoch so far, seen at one moment.
///
/// @param bytes bytes read from storage
/// @param cached bytes of decoded columns read from a local cache instead
/// @param skipped rows that the filter left out
public record ReadStats(long bytes, long cached, SkippedRows skipped) {
  /// Nothing read.
  public static final ReadStats NONE = new ReadStats(0, 0, SkippedRows.NONE);
}
