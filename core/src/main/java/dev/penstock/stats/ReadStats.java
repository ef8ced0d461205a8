package dev.penstock.stats;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a loader has read in an epoch so far, seen at one moment. Immutable.
///
/// @param stores what was read from storage, by the scheme of the locations, such as `file` or
///   `s3`, in alphabetical order
/// @param cached bytes of decoded columns read from a local cache instead
/// @param skipped rows that the filter left out
public record ReadStats(SortedMap<String, StoreReads> stores, long cached, SkippedRows skipped) {
  /// Nothing read.
  public static final ReadStats NONE =
      new ReadStats(Collections.emptySortedMap(), 0, SkippedRows.NONE);

  /// Copies the map.
  public ReadStats {
    stores = Collections.unmodifiableSortedMap(new TreeMap<>(stores));
  }

  /// {@return how many bytes were read from storage, the sum over the stores}
  public long bytes() {
    return stores.values().stream().mapToLong(StoreReads::bytes).sum();
  }

  /// {@return how many requests to all stores were repeated because an earlier one failed}
  public long retries() {
    return stores.values().stream().mapToLong(StoreReads::retries).sum();
  }

  /// {@return both together}
  ///
  /// @param other the others
  public ReadStats plus(ReadStats other) {
    Map<String, StoreReads> first = stores;
    SortedMap<String, StoreReads> sums = new TreeMap<>(first);
    other.stores.forEach((scheme, reads) -> sums.merge(scheme, reads, StoreReads::plus));
    return new ReadStats(sums, cached + other.cached, skipped.plus(other.skipped));
  }
}
