package dev.penstock.stats;

import dev.penstock.internal.choice.Sentence;
import java.util.List;

/// Compares the rows that an epoch delivered with the rows of the dataset.
///
/// @param expected how many rows the dataset has
/// @param delivered how many rows the epoch delivered
/// @param repeatedCount how many rows came more often than the dataset has them
/// @param repeated the first [#EXAMPLES] of them
/// @param missingCount how many rows of the dataset did not come
/// @param missing the first [#EXAMPLES] of them
public record CoverageReport(
    long expected,
    long delivered,
    long repeatedCount,
    List<Object> repeated,
    long missingCount,
    List<Object> missing) {
  /// The most rows listed of each kind.
  public static final int EXAMPLES = 10;

  /// Copies the lists.
  public CoverageReport {
    repeated = List.copyOf(repeated);
    missing = List.copyOf(missing);
  }

  /// {@return whether every row came exactly once}
  public boolean isExact() {
    return repeatedCount == 0 && missingCount == 0;
  }

  @Override
  public String toString() {
    String counts = delivered + " rows delivered of " + expected;
    return isExact()
        ? "Every row once: " + counts + "."
        : Sentence.of(
            "Not every row once: %s, %s too often %s, %s never %s.",
            counts, repeatedCount, repeated, missingCount, missing);
  }
}
