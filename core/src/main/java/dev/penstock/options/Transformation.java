package dev.penstock.options;

import dev.penstock.transform.Transform;
import java.util.Objects;
import java.util.Optional;

/// What changes columns and rows before they are batched.
///
/// @param function the function that workers run; empty to deliver the rows as they are read
/// @param rows how many rows of a row group it receives at a time; 0 for whole row groups
public record Transformation(Optional<Transform> function, int rows) {
  /// The default number of rows that a function receives at a time.
  public static final int ROWS = 65_536;

  /// No function.
  static final Transformation DEFAULTS = new Transformation(Optional.empty(), ROWS);

  /// Throws [IllegalArgumentException] if `rows` is negative.
  public Transformation {
    Objects.requireNonNull(function, "transform must not be null.");
    if (rows < 0) {
      throw tooFew(rows);
    }
  }

  /// Returns whether one row is delivered for each that is read: without a function, or with one
  /// that [Transform#keepsRows()]. One that wants whole row groups looks at more than a row.
  ///
  /// @return true if so
  public boolean keepsRows() {
    return function.map(each -> rows > 0 && each.keepsRows()).orElse(true);
  }

  /// Returns a transformation that receives runs of rows.
  ///
  /// @throws IllegalArgumentException if `rows` is below 1
  static Transformation ofRows(Transform function, int rows) {
    if (rows < 1) {
      throw tooFew(rows);
    }
    return new Transformation(some(function), rows);
  }

  /// Returns a transformation that receives whole row groups.
  static Transformation ofRowGroups(Transform function) {
    return new Transformation(some(function), 0);
  }

  private static Optional<Transform> some(Transform function) {
    return Optional.of(Objects.requireNonNull(function, "transform must not be null."));
  }

  private static IllegalArgumentException tooFew(int rows) {
    return new IllegalArgumentException(
        "transform needs at least 1 row at a time, got " + rows + ".");
  }
}
