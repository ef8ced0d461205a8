package dev.penstock.internal.plan;

/// How much a composition makes of each window: rows, or batches where it makes whole ones.
public interface WindowCounts {
  /// Returns how much is made of a window.
  ///
  /// @param window its number
  /// @return rows or batches
  long made(long window);

  /// Returns how much is made of the first rows that a window gives.
  ///
  /// @param window its number
  /// @param rows how many rows that were made come before a place between two batches
  /// @return rows or batches
  long madeOf(long window, long rows);
}
