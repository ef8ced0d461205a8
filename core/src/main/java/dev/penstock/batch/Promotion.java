package dev.penstock.batch;

import org.jspecify.annotations.Nullable;

/// The common type of two element types, as in torch.
final class Promotion {
  private Promotion() {}

  /// Returns the common type, or null where torch has none.
  static @Nullable DType of(DType a, DType b) {
    if (a == b) {
      return a;
    }
    if (a.isFloating() && b.isFloating()) {
      return wider(a, b);
    }
    if (a.isFloating() || b.isFloating()) {
      return a.isFloating() ? a : b;
    }
    if (isWideUnsigned(a) || isWideUnsigned(b)) {
      return null;
    }
    if (a == DType.BOOL || b == DType.BOOL) {
      return a == DType.BOOL ? b : a;
    }
    return a.bytes() == b.bytes() ? DType.INT16 : wider(a, b); // The same size: INT8 and UINT8.
  }

  private static DType wider(DType a, DType b) {
    return a.bytes() > b.bytes() ? a : b;
  }

  private static boolean isWideUnsigned(DType dtype) {
    return dtype == DType.UINT16 || dtype == DType.UINT32 || dtype == DType.UINT64;
  }
}
