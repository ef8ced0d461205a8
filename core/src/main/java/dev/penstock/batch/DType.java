package dev.penstock.batch;

/// The type of a [Tensor]'s elements, in the machine's byte order. Columns of files have a
/// [dev.penstock.schema.DataType], which has more types.
public enum DType {
  /// One byte: 1 is true, 0 is false.
  BOOL(1),
  /// Signed 8-bit integer.
  INT8(1),
  /// Signed 16-bit integer.
  INT16(2),
  /// Signed 32-bit integer.
  INT32(4),
  /// Signed 64-bit integer.
  INT64(8),
  /// Unsigned 8-bit integer.
  UINT8(1),
  /// Unsigned 16-bit integer.
  UINT16(2),
  /// Unsigned 32-bit integer.
  UINT32(4),
  /// Unsigned 64-bit integer.
  UINT64(8),
  /// IEEE 754 binary16.
  FLOAT16(2),
  /// IEEE 754 binary32.
  FLOAT32(4),
  /// IEEE 754 binary64.
  FLOAT64(8);

  private final int bytes;

  DType(int bytes) {
    this.bytes = bytes;
  }

  /// {@return the size of one element in bytes}
  public int bytes() {
    return bytes;
  }

  /// {@return whether elements are floating-point numbers, which include NaN}
  public boolean isFloating() {
    return this == FLOAT16 || this == FLOAT32 || this == FLOAT64;
  }
}
