package dev.penstock.cli.measure;

import dev.penstock.report.OrderSample.LabelShares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// How labels are spread over batches: their counts in some batches, evenly spread over the epoch,
/// and in all rows.
final class LabelMix {
  private static final int BATCHES_MAX = 200;

  /// More labels than this cannot be told apart in a picture.
  private static final int LABELS_SHOWN = 7;

  private final long[] ofAll;
  private List<Counted> sampled = new ArrayList<>();
  private int[] ofBatch;
  private long every = 1;
  private long batches;

  /// The rows of a batch by their labels.
  private static final class Counted {
    private final long batch;
    private final int[] counts;

    Counted(long batch, int[] counts) {
      this.batch = batch;
      this.counts = counts;
    }

    double share(int label) {
      return (double) counts[label] / Math.max(1, Arrays.stream(counts).sum());
    }
  }

  /// Starts without rows, for at most `labels` labels.
  LabelMix(int labels) {
    this.ofAll = new long[labels];
    this.ofBatch = new int[labels];
  }

  void add(int label) {
    ofBatch[label]++;
    ofAll[label]++;
  }

  void endBatch() {
    if (batches % every == 0) {
      if (sampled.size() == BATCHES_MAX) {
        every *= 2;
        sampled =
            new ArrayList<>(sampled.stream().filter(each -> each.batch % every == 0).toList());
      }
      if (batches % every == 0) {
        sampled.add(new Counted(batches, ofBatch));
        ofBatch = new int[ofBatch.length];
      }
    }
    Arrays.fill(ofBatch, 0);
    batches++;
  }

  /// Returns the shares of the most frequent labels; `values` has the labels by number.
  LabelShares shares(String column, List<String> values) {
    long rows = Math.max(1, Arrays.stream(ofAll).sum());
    List<Integer> byCount =
        IntStream.range(0, values.size())
            .boxed()
            .sorted(Comparator.comparingLong(label -> -ofAll[label]))
            .toList();
    List<Integer> shown =
        byCount.subList(0, Math.min(byCount.size(), LABELS_SHOWN)).stream().sorted().toList();
    List<String> names = new ArrayList<>(shown.stream().map(values::get).toList());
    List<List<Double>> shares = new ArrayList<>();
    List<Double> overall = new ArrayList<>();
    for (int label : shown) {
      shares.add(sampled.stream().map(each -> each.share(label)).toList());
      overall.add((double) ofAll[label] / rows);
    }
    if (byCount.size() > shown.size()) {
      names.add("others");
      shares.add(sampled.stream().map(each -> 1 - sum(each, shown)).toList());
      overall.add(1 - overall.stream().mapToDouble(Double::doubleValue).sum());
    }
    return new LabelShares(
        column, names, sampled.stream().map(each -> each.batch).toList(), shares, overall);
  }

  private static double sum(Counted counted, List<Integer> labels) {
    return labels.stream().mapToDouble(counted::share).sum();
  }
}
