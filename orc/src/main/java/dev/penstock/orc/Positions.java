package dev.penstock.orc;

import java.io.IOException;
import java.util.List;

/// The positions of a column's streams at the first row of a stride, one number after another (ORC
/// specification, "Row Index").
final class Positions {
  private final List<Long> numbers;
  private int next;

  Positions(List<Long> numbers) {
    this.numbers = numbers;
  }

  /// Returns the next number, which is not negative.
  long next() throws IOException {
    long number = next < numbers.size() ? numbers.get(next) : -1;
    if (number < 0) {
      throw new IOException(
          "position %s of a row index is %s"
              .formatted(next, next < numbers.size() ? number : "missing"));
    }
    next++;
    return number;
  }
}
