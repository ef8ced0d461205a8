package dev.penstock.filter;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Deals rows to folds for holdout and cross-validation, by a hash of a key.
///
/// Rows with the same key are in the same fold, whatever file they are in; rows that are added
/// later change no other row's fold. A key with nulls has a fold, too. Over many keys each fold has
/// about `1 / k` of them.
///
/// The fold is the xxHash64 (seed 0) of some bytes, as an unsigned number, modulo `k`, the same on
/// every machine and in every version. The bytes are the seed in 8 bytes, then each column's: 0 for
/// a null, else 1 and
///
/// | column | bytes |
/// |---|---|
/// | integer, boolean (0 or 1), date (days since 1970) | 8, modulo 2⁶⁴, whatever the type's width |
/// | time, timestamp | 8, nanoseconds since midnight or since 1970, modulo 2⁶⁴ |
/// | decimal | 32, the unscaled value, signed |
/// | string (as UTF-8), binary, fixed, uuid | the number of bytes in 8, then the bytes |
///
/// Numbers are little-endian. Without columns each row is dealt alone, as if the columns were the
/// name of its file, without folders, and its number in the file, counted from 0 with deleted rows.
///
/// @param columns the key: names or dotted paths; none to deal each row alone
/// @param k how many folds there are, in `[1, 1_000_000]`
/// @param seed other seeds give other folds
public record Fold(List<String> columns, int k, long seed) {
  static final int K_MAX = 1_000_000;

  /// Throws [IllegalArgumentException] if `k` is not in `[1, 1_000_000]`.
  public Fold {
    columns = List.copyOf(columns);
    if (k < 1 || k > K_MAX) {
      throw new IllegalArgumentException(
          "The number of folds must be from 1 to " + K_MAX + ", got " + k + ".");
    }
  }

  /// {@return the condition that a row is in one fold}
  ///
  /// @param fold in `[0, k)`
  /// @throws IllegalArgumentException if the number is not in `[0, k)`
  public Filter eq(int fold) {
    return in(fold);
  }

  /// {@return the condition that a row is in one of several folds}
  ///
  /// @param folds each in `[0, k)`
  /// @throws IllegalArgumentException if a number is not in `[0, k)`
  public Filter in(int... folds) {
    Set<Integer> wanted =
        Arrays.stream(folds).boxed().collect(Collectors.toCollection(TreeSet::new));
    return new Filter.InFold(this, wanted);
  }

  /// Returns the text of [Filter#parse].
  @Override
  public String toString() {
    return columns.stream()
        .map(column -> FilterText.column(column) + ", ")
        .collect(Collectors.joining("", "fold(", k + ", " + seed + ")"));
  }
}
