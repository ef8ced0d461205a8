package dev.penstock.internal.plan;

/// A place in a [Sequence]: all rows before it were delivered, none after it.
///
/// @param rows the rows of the sequence before it, including those that a filter leaves out
/// @param behind how many rows of the next transform result were already delivered
public record Position(long rows, long behind) {
  public static final Position START = new Position(0, 0);

  public Position {
    if (rows < 0 || behind < 0) {
      throw new IllegalArgumentException(
          "A position must not be negative, got " + rows + " rows and " + behind + " behind.");
    }
  }

  /// Returns the place in this sequence of a place in the sequence that starts here.
  public Position plus(Position further) {
    return further.rows == 0 && further.behind == 0
        ? this
        : new Position(rows + further.rows, further.behind);
  }
}
