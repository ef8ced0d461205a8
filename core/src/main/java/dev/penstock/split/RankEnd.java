package dev.penstock.split;

/// How ranks come to the same number of batches where their rows do not divide evenly.
public enum RankEnd {
  /// Every row comes once. Ranks have equal numbers of rows, up to one; where that one row would be
  /// a batch of its own, the ranks without it end with a batch of no rows.
  EXACT,
  /// All ranks have as many rows as the one that has most: the first rows of the epoch come again
  /// at the end.
  PAD,
  /// All ranks have as many rows as the one that has least: up to `world - 1` rows are left out.
  DROP;

  /// Parses the text form.
  ///
  /// @param text `exact`, `pad` or `drop`
  /// @return the choice
  /// @throws IllegalArgumentException for any other text
  public static RankEnd parse(String text) {
    return switch (text) {
      case "exact" -> EXACT;
      case "pad" -> PAD;
      case "drop" -> DROP;
      default ->
          throw new IllegalArgumentException(
              "Cannot end ranks by '" + text + "': expected 'exact', 'pad' or 'drop'.");
    };
  }
}
