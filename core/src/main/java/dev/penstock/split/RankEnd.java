package dev.penstock.split;

/// How ranks get the same number of batches if rows do not divide evenly.
public enum RankEnd {
  /// Every row comes once. The ranks' numbers of rows differ by at most one; if that extra row
  /// forms a batch of its own, the ranks without it end with an empty batch.
  EXACT,
  /// All ranks have as many rows as the rank with the most: the first rows of the epoch come again
  /// at the end.
  PAD,
  /// All ranks have as many rows as the rank with the fewest: up to `world - 1` rows are left out.
  DROP;

  /// {@return the choice of a text form}
  ///
  /// @param text `exact`, `pad` or `drop`
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
