package dev.penstock.compose;

import java.util.Objects;

/// Sliding windows over the rows of each group, such as stretches of time series.
///
/// Of a group of `n` rows there are windows of rows `[0, length)`, `[stride, stride + length)` and
/// so on, as long as they are whole. If they leave rows at the end, or the group is shorter, one
/// more begins a stride after the last, or at 0, and is padded at its end with zeros, false and
/// empty texts. Where the stride is larger than the length, rows between windows are left out.
///
/// A row of a batch is one sliding window: the key as it is, `KEY.rows`, `INT32`, how many rows are
/// not padding, and of each other column a list of `length` elements, so a tensor of shape `[rows,
/// length]`.
///
/// Groups are as those of [Groups], but may be of any size that fits into memory. With a shuffle
/// window, sliding windows come in random order within it.
///
/// @param column the key
/// @param length the rows of a sliding window, in `[1, LENGTH_MAX]`
/// @param stride how many rows further the next one begins, at least 1
public record SlidingWindows(String column, int length, int stride) implements Composition {
  /// Throws [IllegalArgumentException] if a number is not in its range.
  public SlidingWindows {
    Objects.requireNonNull(column, "column must not be null.");
    if (length < 1 || length > LENGTH_MAX || stride < 1) {
      throw new IllegalArgumentException(
          "A sliding window has at least 1 row, at most "
              + LENGTH_MAX
              + ", and a stride of at least 1, got "
              + length
              + " and "
              + stride
              + ".");
    }
  }

  @Override
  public String toString() {
    return "windows of " + length + " rows, stride " + stride + ", by " + column;
  }
}
