package dev.penstock.internal.slices;

/// A value that the wanted type has not.
final class LostValueException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int index;

  /// Makes the exception.
  ///
  /// @param index the place of the value in the slice that was converted
  /// @param sentence the value and what is wrong with it, without the final stop
  LostValueException(int index, String sentence) {
    super(sentence);
    this.index = index;
  }

  int index() {
    return index;
  }
}
