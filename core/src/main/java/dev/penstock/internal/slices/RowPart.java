package dev.penstock.internal.slices;

/// What a row of a batch was made of: a row, or elements of its list.
///
/// @param source the number of the dataset in a mixture; 0 without one
/// @param origin the row; its numbers count live rows
/// @param from the first element, counted from 0 in the list; 0 for a whole row
/// @param count how many elements; [#WHOLE] for a whole row
/// @param offset where the first element is in the row that was made
public record RowPart(int source, RowOrigin origin, int from, int count, int offset) {
  public static final int WHOLE = -1;

  public static RowPart whole(RowOrigin origin) {
    return whole(0, origin);
  }

  public static RowPart whole(int source, RowOrigin origin) {
    return new RowPart(source, origin, 0, WHOLE, 0);
  }

  /// Returns elements of the row's list.
  public RowPart elements(int first, int number, int place) {
    return new RowPart(source, origin, first, number, place);
  }

  public boolean isWhole() {
    return count == WHOLE;
  }
}
