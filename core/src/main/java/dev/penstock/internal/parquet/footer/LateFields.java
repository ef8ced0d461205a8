package dev.penstock.internal.parquet.footer;

import org.apache.parquet.format.ColumnOrder;

/// A field that footers have had since version 2.13 of the format, and parquet-format-structures
/// since 1.18. A Spark cluster has an older one, which comes before that of a program; there it is
/// unknown, as where a writer left it out.
final class LateFields {
  private static final boolean KNOWN = areKnown();

  private LateFields() {}

  private static boolean areKnown() {
    try {
      ColumnOrder.class.getMethod("isSetIEEE_754_TOTAL_ORDER");
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  static boolean isTotalOrder(ColumnOrder order) {
    return KNOWN && order.isSetIEEE_754_TOTAL_ORDER();
  }
}
