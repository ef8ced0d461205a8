package dev.penstock.internal.objects;

import dev.penstock.stats.CoverageReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Counts which rows are expected and which are delivered.
public final class RowTally {
  private final Map<Object, long[]> open = new LinkedHashMap<>(); // expected and not delivered
  private long expected;
  private long delivered;
  private long repeatedCount;
  private final List<Object> repeated = new ArrayList<>();

  public void expect(Object row) {
    open.computeIfAbsent(row, _ -> new long[1])[0]++;
    expected++;
  }

  public void deliver(Object row) {
    delivered++;
    long[] left = open.get(row);
    if (left != null && left[0] > 0) {
      left[0]--;
      return;
    }
    repeatedCount++;
    if (repeated.size() < CoverageReport.EXAMPLES) {
      repeated.add(row);
    }
  }

  public CoverageReport report() {
    long missingCount = 0;
    List<Object> missing = new ArrayList<>();
    for (Map.Entry<Object, long[]> entry : open.entrySet()) {
      missingCount += entry.getValue()[0];
      if (entry.getValue()[0] > 0 && missing.size() < CoverageReport.EXAMPLES) {
        missing.add(entry.getKey());
      }
    }
    return new CoverageReport(expected, delivered, repeatedCount, repeated, missingCount, missing);
  }
}
