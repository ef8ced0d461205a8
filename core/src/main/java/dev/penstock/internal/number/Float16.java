package dev.penstock.internal.number;

import java.math.BigDecimal;

/// Numbers as the nearest of 16 bits. Java rounds a float only: who rounds to one before may land
/// in the middle of two halves, and then on the wrong one.
public final class Float16 {
  private Float16() {}

  /// Rounds once, to the even one of two that are as near. What a float between cannot hold makes
  /// it odd, so that it never looks like the middle of two halves.
  ///
  /// @param value the number
  /// @return the bits of the nearest
  public static short nearest(double value) {
    float single = (float) value;
    if (single != value && Float.isFinite(single) && (Float.floatToRawIntBits(single) & 1) == 0) {
      single = Math.nextAfter(single, value);
    }
    return Float.floatToFloat16(single);
  }

  /// Rounds once, as [#nearest(double)] does.
  ///
  /// @param value the number
  /// @return the bits of the nearest
  public static short nearest(Number value) {
    double near = value.doubleValue();
    // Integers that are no doubles are infinite here.
    if (value instanceof BigDecimal decimal && Double.isFinite(near)) {
      int side = decimal.compareTo(new BigDecimal(near));
      boolean even = (Double.doubleToRawLongBits(near) & 1) == 0;
      near = side == 0 || !even ? near : side > 0 ? Math.nextUp(near) : Math.nextDown(near);
    }
    return nearest(near);
  }
}
