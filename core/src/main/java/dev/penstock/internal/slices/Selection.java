package dev.penstock.internal.slices;

/// Chosen rows of a slice, by their numbers.
final class Selection {
  private static volatile int[] all = numbers(8192);

  private Selection() {}

  /// Returns the numbers from 0 on.
  ///
  /// @param count how many at least; the array must not be changed
  static int[] all(int count) {
    int[] known = all;
    if (known.length < count) {
      known = numbers(count);
      all = known;
    }
    return known;
  }

  private static int[] numbers(int count) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = i;
    }
    return numbers;
  }
}
