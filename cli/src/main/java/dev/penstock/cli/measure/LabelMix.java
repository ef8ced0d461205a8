package dev.penstock.cli.measure;

import dev.penstock.report.OrderSample.LabelShares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// How mixed the labels are within batches: their shares in some batches, evenly spread over the
/// epoch, and their entropy per batch, compared with that over all rows.
///
/// The entropy of labels is the sum of `-p * log2(p)` over their shares `p`, in bits: 0 for one
/// label, `log2(n)` for `n` equally frequent ones. The mean over batches weighs each by its rows,
/// so it is at most the entropy over all rows.
final class LabelMix {
  private static final int BATCHES_MAX = 200;

  /// More labels than this cannot be told apart in a picture.
  private static final int LABELS_SHOWN = 7;

  private final long[] ofAll;
  private final EvenSample<long[]> sampled = new EvenSample<>(BATCHES_MAX);
  private long[] ofBatch;
  private double sum;

  /// Starts without rows, for at most `labels` labels.
  LabelMix(int labels) {
    this.ofAll = new long[labels];
    this.ofBatch = new long[labels];
  }

  /// Adds a row to the batch.
  void add(int label) {
    ofBatch[label]++;
    ofAll[label]++;
  }

  void endBatch() {
    sum += entropy(ofBatch) * rows(ofBatch);
    sampled.add(ofBatch);
    ofBatch = new long[ofBatch.length];
  }

  private static long rows(long[] counts) {
    return Arrays.stream(counts).sum();
  }

  private static double share(long[] counts, int label) {
    return (double) counts[label] / Math.max(1, rows(counts));
  }

  private static double entropy(long[] counts) {
    double rows = rows(counts);
    double bits = 0;
    for (long count : counts) {
      double share = count / rows;
      bits -= count == 0 ? 0 : share * Math.log(share) / Math.log(2);
    }
    return bits;
  }

  /// Returns the mean entropy of a batch, in bits; NaN without rows.
  double perBatch() {
    return sum / rows(ofAll);
  }

  /// Returns the entropy over the rows of all batches, in bits; NaN without rows.
  double overall() {
    return rows(ofAll) == 0 ? Double.NaN : entropy(ofAll);
  }

  /// Returns how mixed batches are: 1 if as mixed as all rows, 0 if each batch has a single label,
  /// NaN if all rows have one label.
  double ratio() {
    double overall = overall();
    return overall > 0 ? Math.min(1, perBatch() / overall) : Double.NaN;
  }

  /// Returns the shares of the most frequent labels; `values` has the labels by number.
  LabelShares shares(String column, List<String> values) {
    List<Integer> byCount =
        IntStream.range(0, values.size())
            .boxed()
            .sorted(Comparator.comparingLong(label -> -ofAll[label]))
            .toList();
    List<Integer> shown =
        byCount.subList(0, Math.min(byCount.size(), LABELS_SHOWN)).stream().sorted().toList();
    List<String> names = new ArrayList<>(shown.stream().map(values::get).toList());
    List<List<Double>> shares = new ArrayList<>();
    for (int label : shown) {
      shares.add(sampled.elements().stream().map(each -> share(each, label)).toList());
    }
    List<Double> overall =
        new ArrayList<>(shown.stream().map(label -> share(ofAll, label)).toList());
    if (byCount.size() > shown.size()) {
      names.add("others");
      shares.add(sampled.elements().stream().map(each -> 1 - sum(each, shown)).toList());
      overall.add(1 - sum(ofAll, shown));
    }
    return new LabelShares(column, names, sampled.numbers(), shares, overall);
  }

  private static double sum(long[] counts, List<Integer> labels) {
    return labels.stream().mapToDouble(label -> share(counts, label)).sum();
  }
}
