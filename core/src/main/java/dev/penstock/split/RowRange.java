package dev.penstock.split;

import dev.penstock.internal.choice.Sentence;

/// A half-open range of rows of a file, `[offset, offset + length)`, in the file's own row numbers.
///
/// @param offset the first row, counted from 0
/// @param length how many rows, at least 1
public record RowRange(long offset, long length) implements Comparable<RowRange> {
  /// Throws [IllegalArgumentException] if `offset` is negative, `length` is below 1, or the end
  /// exceeds `Long.MAX_VALUE`.
  public RowRange {
    if (offset < 0) {
      throw new IllegalArgumentException("Row offset must not be negative, got " + offset + ".");
    }
    if (length < 1) {
      throw new IllegalArgumentException(
          "Row range length must be at least 1, got " + length + ".");
    }
    if (offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Row range must end within 63 bits, got offset %s and length %s.", offset, length));
    }
  }

  /// {@return the row after the last}
  public long end() {
    return offset + length;
  }

  @Override
  public int compareTo(RowRange other) {
    int byOffset = Long.compare(offset, other.offset);
    return byOffset != 0 ? byOffset : Long.compare(length, other.length);
  }

  @Override
  public String toString() {
    return "[" + offset + ", " + end() + ")";
  }
}
