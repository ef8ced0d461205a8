package dev.penstock.internal.plan;

/// A place in a [Sequence]: before it all rows were delivered, behind it none.
///
/// @param rows the rows of the sequence before it, those that a filter leaves out included
/// @param behind of the rows that a transform makes together of the ones that follow, how many were
///   delivered
public record Position(long rows, long behind) {
  /// Before the first row.
  public static final Position START = new Position(0, 0);

  /// Checks the numbers.
  public Position {
    if (rows < 0 || behind < 0) {
      throw new IllegalArgumentException(
          "A position must not be negative, got " + rows + " rows and " + behind + " behind.");
    }
  }

  /// Returns the place that lies so far behind this one.
  ///
  /// @param further a place in the sequence that starts here
  /// @return the place in this sequence
  public Position plus(Position further) {
    return further.rows == 0 && further.behind == 0
        ? this
        : new Position(rows + further.rows, further.behind);
  }
}
