package dev.penstock.internal.plan;

/// How much a composition makes of each window: rows, or batches where it makes whole ones.
public interface WindowCounts {
  /// Returns how much is made of the window with a number.
  long made(long window);

  /// Returns how much is made of the first rows that a window gives.
  ///
  /// @param rows how many rows that were made come before a place between two batches
  long madeOf(long window, long rows);
}
