package dev.penstock.device;

import dev.penstock.batch.DType;
import dev.penstock.batch.Shape;

/// A tensor in the memory of a GPU: where it lies, for a framework or kernel that takes addresses.
///
/// **Ownership.** It is the [DeviceBatch]'s, valid until that is closed. Nothing checks accesses.
///
/// @param dtype the type of the elements
/// @param shape the axes, the row axis first
/// @param address where the first element is, a multiple of 256; elements are row-major
public record DeviceTensor(DType dtype, Shape shape, long address) {
  /// Returns the size.
  ///
  /// @return bytes
  public long byteSize() {
    return shape.elementCount() * dtype.bytes();
  }
}
