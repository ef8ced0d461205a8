package dev.penstock.batch;

import java.util.Arrays;

/// The extent of a tensor along each axis, outermost first.
///
/// A matrix of 512 rows and 64 features has shape `[512, 64]`. Immutable.
public final class Shape {
  private final long[] dims;

  private Shape(long[] dims) {
    this.dims = dims;
  }

  /// {@return the shape with the given extents}
  ///
  /// @param dims the extents, outermost axis first; each at least 0
  /// @throws IllegalArgumentException if an extent is negative
  public static Shape of(long... dims) {
    for (int axis = 0; axis < dims.length; axis++) {
      if (dims[axis] < 0) {
        throw new IllegalArgumentException(
            "Extent must not be negative, but axis " + axis + " has " + dims[axis] + ".");
      }
    }
    return new Shape(dims.clone());
  }

  /// {@return the number of axes; 0 for a scalar}
  public int rank() {
    return dims.length;
  }

  /// {@return the extent along an axis}
  ///
  /// @param axis the axis, in `[0, rank())`
  public long dim(int axis) {
    return dims[axis];
  }

  /// {@return a copy of the extents, outermost axis first}
  public long[] dims() {
    return dims.clone();
  }

  /// {@return the number of elements: the product of the extents, and 1 for a scalar}
  ///
  /// @throws ArithmeticException if the product exceeds `Long.MAX_VALUE`
  public long elementCount() {
    long count = 1;
    for (long dim : dims) {
      count = Math.multiplyExact(count, dim);
    }
    return count;
  }

  /// Returns the shape with another axis in front.
  Shape under(long rows) {
    long[] all = new long[dims.length + 1];
    all[0] = rows;
    System.arraycopy(dims, 0, all, 1, dims.length);
    return new Shape(all);
  }

  /// Returns the shape without its first axis.
  Shape rest() {
    return new Shape(Arrays.copyOfRange(dims, 1, dims.length));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape that && Arrays.equals(dims, that.dims);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(dims);
  }

  @Override
  public String toString() {
    return Arrays.toString(dims);
  }
}
