package dev.penstock.cli.measure;

import java.util.Arrays;

/// How mixed the labels are within batches: their entropy per batch, compared with that over all
/// rows.
///
/// The entropy of labels is the sum of `-p * log2(p)` over their shares `p`, in bits: 0 for one
/// label, `log2(n)` for `n` equally frequent ones. The mean over batches weighs each by its rows,
/// so it is at most the entropy over all rows.
final class LabelEntropy {
  private final int[] ofBatch;
  private final long[] ofAll;
  private int batchRows;
  private long rows;
  private double sum;

  /// Starts without rows, for at most `labels` labels.
  LabelEntropy(int labels) {
    this.ofBatch = new int[labels];
    this.ofAll = new long[labels];
  }

  /// Adds a row to the batch.
  void add(int label) {
    ofBatch[label]++;
    batchRows++;
  }

  void endBatch() {
    double bits = 0;
    for (int label = 0; label < ofBatch.length; label++) {
      bits += bits(ofBatch[label], batchRows);
      ofAll[label] += ofBatch[label];
    }
    sum += bits * batchRows;
    rows += batchRows;
    batchRows = 0;
    Arrays.fill(ofBatch, 0);
  }

  private static double bits(long count, long of) {
    double share = (double) count / of;
    return count == 0 ? 0 : -share * Math.log(share) / Math.log(2);
  }

  /// Returns the mean entropy of a batch, in bits; NaN without rows.
  double perBatch() {
    return sum / rows;
  }

  /// Returns the entropy over the rows of all batches, in bits; NaN without rows.
  double overall() {
    double bits = rows == 0 ? Double.NaN : 0;
    for (long count : ofAll) {
      bits += bits(count, rows);
    }
    return bits;
  }

  /// Returns how mixed batches are: 1 if as mixed as all rows, 0 if each batch has a single label,
  /// NaN if all rows have one label.
  double ratio() {
    double overall = overall();
    return overall > 0 ? Math.min(1, perBatch() / overall) : Double.NaN;
  }
}
