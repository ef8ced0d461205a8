package dev.penstock.internal.number;

import java.math.BigDecimal;

/// Rounds numbers to the nearest float16. Java only rounds from `float`; rounding to `float` first
/// may hit the middle of two halves, and then give the wrong one.
public final class Float16 {
  private Float16() {}

  /// Rounds once, ties to even. If the intermediate `float` is inexact, it is made odd, so that it
  /// is never the middle of two halves. Returns the bits.
  public static short nearest(double value) {
    float single = (float) value;
    if (single != value && Float.isFinite(single) && (Float.floatToRawIntBits(single) & 1) == 0) {
      single = Math.nextAfter(single, value);
    }
    return Float.floatToFloat16(single);
  }

  /// Rounds once, as [#nearest(double)] does.
  public static short nearest(Number value) {
    double near = value.doubleValue();
    // Integers that a double cannot hold are infinite here.
    if (value instanceof BigDecimal decimal && Double.isFinite(near)) {
      int side = decimal.compareTo(new BigDecimal(near));
      boolean even = (Double.doubleToRawLongBits(near) & 1) == 0;
      near = side == 0 || !even ? near : side > 0 ? Math.nextUp(near) : Math.nextDown(near);
    }
    return nearest(near);
  }
}
