package dev.penstock.blackbox.docs;

import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.device.DeviceTensor;

/// Stands for the reader's code in snippets, and knows what it was given.
///
/// [Snippets] shows a method that takes objects without its body, so that snippets that call it can
/// be pasted into JShell.
abstract class YourCode {
  /// Rows, and a sum over the first of the columns.
  long rows;

  double sum;
  long validated;

  /// After how many rows training breaks down.
  long rowsMax = Long.MAX_VALUE;

  void train(Object... columns) {
    if (rows >= rowsMax) {
      throw new IllegalStateException("power cut");
    }
    switch (columns[0]) {
      case long[] values -> rows += values.length;
      case Tensor features -> {
        rows += features.shape().dim(0);
        for (int i = 0; i < features.shape().elementCount(); i++) {
          sum += features.getDouble(i);
        }
      }
      default -> throw new IllegalArgumentException("Cannot train on " + columns[0] + ".");
    }
  }

  void fit(Object... loader) {
    for (Object batch : (Iterable<?>) loader[0]) {
      try (Batch each = (Batch) batch) {
        train(each.tensor("distance"));
      }
    }
  }

  void validate(Object... columns) {
    validated += ((Tensor) columns[0]).shape().dim(0);
  }

  void trainOnGpu(Object... columns) {
    rows += ((DeviceTensor) columns[0]).shape().dim(0);
  }
}
