package dev.penstock.cli.measure;

import dev.penstock.report.OrderSample;
import java.util.ArrayList;
import java.util.List;

/// A sample of an epoch's rows with their places in the delivery and in the files, evenly spread
/// over the delivery. Its size is bounded, whatever the number of rows.
final class OrderPoints {
  private List<Long> delivered = new ArrayList<>();
  private List<Long> inFiles = new ArrayList<>();
  private long every = 1;
  private long rows;

  /// Adds the next row, by its place in file order.
  void add(long place) {
    if (rows % every == 0) {
      if (delivered.size() == OrderSample.ROWS_MAX) {
        delivered = half(delivered);
        inFiles = half(inFiles);
        every *= 2;
      }
      if (rows % every == 0) {
        delivered.add(rows);
        inFiles.add(place);
      }
    }
    rows++;
  }

  private static List<Long> half(List<Long> all) {
    List<Long> half = new ArrayList<>();
    for (int i = 0; i < all.size(); i += 2) {
      half.add(all.get(i));
    }
    return half;
  }

  List<Long> delivered() {
    return delivered;
  }

  List<Long> inFiles() {
    return inFiles;
  }
}
