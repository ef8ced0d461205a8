package dev.penstock.internal.cast;

/// A value that does not fit the wanted type.
public final class LostValueException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int index;

  /// @param index the place of the value in the converted slice
  /// @param sentence the value and what is wrong with it, without the final full stop
  LostValueException(int index, String sentence) {
    super(sentence);
    this.index = index;
  }

  public int index() {
    return index;
  }
}
