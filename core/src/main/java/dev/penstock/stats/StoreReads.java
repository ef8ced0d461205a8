package dev.penstock.stats;

/// What was read from one kind of store.
///
/// @param bytes bytes read
/// @param retries requests that were repeated because an earlier one failed; 0 for local files
public record StoreReads(long bytes, long retries) {
  /// Nothing read.
  public static final StoreReads NONE = new StoreReads(0, 0);

  /// {@return both together}
  ///
  /// @param other the others
  public StoreReads plus(StoreReads other) {
    return new StoreReads(bytes + other.bytes, retries + other.retries);
  }
}
