package dev.penstock.internal.parquet.footer;

import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.Statistics;

/// Fields that footers have had since version 2.13 of the format, and parquet-format-structures
/// since 1.18. A Spark cluster has an older one, which comes before that of a program; there they
/// are unknown, as where a writer left them out.
final class LateFields {
  private static final boolean KNOWN = areKnown();

  private LateFields() {}

  private static boolean areKnown() {
    try {
      Statistics.class.getMethod("isSetNan_count");
      ColumnOrder.class.getMethod("isSetIEEE_754_TOTAL_ORDER");
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  /// Returns how many values are NaN; -1 if unknown.
  static long nanCount(Statistics statistics) {
    return KNOWN && statistics.isSetNan_count() ? statistics.getNan_count() : -1;
  }

  static boolean isTotalOrder(ColumnOrder order) {
    return KNOWN && order.isSetIEEE_754_TOTAL_ORDER();
  }
}
