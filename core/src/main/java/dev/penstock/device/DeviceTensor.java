package dev.penstock.device;

import dev.penstock.batch.DType;
import dev.penstock.batch.Shape;

/// A tensor in the memory of a GPU, as an address for a framework or kernel.
///
/// **Ownership.** It belongs to the [DeviceBatch] and is valid until that is closed. Accesses are
/// not checked.
///
/// @param dtype the type of the elements
/// @param shape the axes, the row axis first
/// @param address where the first element is, a multiple of 256; elements are row-major
public record DeviceTensor(DType dtype, Shape shape, long address) {
  /// {@return the size in bytes}
  public long byteSize() {
    return shape.elementCount() * dtype.bytes();
  }
}
