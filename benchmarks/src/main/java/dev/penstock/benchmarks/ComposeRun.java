package dev.penstock.benchmarks;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.compose.Composition;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Shuffle;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Delivers lists of tokens in buckets and packs, beside file order, and prints all as a table.
///
/// The ways take turns. In each turn a new loader runs five epochs; the first does not count. The
/// figures are medians. What buckets and packs deliver must be all tokens of the files.
public final class ComposeRun {
  private static final int EPOCHS = 5;

  private ComposeRun() {}

  /// Runs all ways.
  ///
  /// @param args `DATA_DIR/tokens` and, by default 1 and 9, workers and rounds
  public static void main(String[] args) {
    int workers = args.length > 1 ? Integer.parseInt(args[1]) : 1;
    int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 9;
    Map<String, UnaryOperator<LoaderOptions>> ways = ways();
    Map<String, double[]> seconds = new LinkedHashMap<>();
    Map<String, String> padding = new LinkedHashMap<>();
    StructuredDataset dataset = new StructuredDataset(args[0]).columns("tokens");
    long tokens = tokens(dataset);
    for (int round = 0; round < rounds; round++) {
      for (String way : ways.keySet()) {
        try (DataLoader loader =
            DataLoader.of(dataset, o -> ways.get(way).apply(o.workers(workers)))) {
          double[] all = seconds.computeIfAbsent(way, _ -> new double[rounds]);
          all[round] = seconds(loader);
          requireAll(way, loader, tokens);
          double share = loader.stats().padding().share();
          double before = loader.stats().padding().shareBefore();
          padding.put(way, String.format("%.2f %%, %.1f %%", 100 * share, 100 * before));
        }
      }
    }
    double inOrder = median(seconds.values().iterator().next());
    System.out.println("| | ms an epoch | beside file order | padding: with, without |");
    System.out.println("|---|---|---|---|");
    seconds.forEach((way, all) -> {
      double median = median(all);
      System.out.printf(
          "| %s | %.1f | %.2f | %s |%n", way, 1000 * median, inOrder / median, padding.get(way));
    });
  }

  private static Map<String, UnaryOperator<LoaderOptions>> ways() {
    Composition packs = Composition.packs("tokens", 2048);
    Composition whole = Composition.packs("tokens", 2048).whole();
    Shuffle window = Shuffle.window(8192);
    Map<String, UnaryOperator<LoaderOptions>> ways = new LinkedHashMap<>();
    ways.put("file order, batches of 32", o -> o.batchSize(32));
    ways.put("shuffle window of 8,192", o -> o.batchSize(32).shuffle(window));
    ways.put("buckets, batches of 32", o -> o.batchSize(32).compose(Composition.buckets("tokens")));
    ways.put(
        "buckets of 32,768 tokens", o -> o.compose(Composition.buckets("tokens").tokens(32_768)));
    ways.put(
        "buckets in a shuffle window",
        o -> o.batchSize(32).shuffle(window).compose(Composition.buckets("tokens")));
    ways.put("packs of 2,048, cut", o -> o.batchSize(16).compose(packs));
    ways.put("packs of 2,048, whole", o -> o.batchSize(16).compose(whole));
    ways.put(
        "packs of 2,048, whole, in a shuffle window",
        o -> o.batchSize(16).shuffle(window).compose(whole));
    return ways;
  }

  private static long tokens(StructuredDataset dataset) {
    long tokens = 0;
    try (DataLoader loader = DataLoader.of(dataset)) {
      for (Batch batch : loader) {
        try (batch) {
          tokens += batch.ragged("tokens").values().shape().dim(0);
        }
      }
    }
    return tokens;
  }

  private static void requireAll(String way, DataLoader loader, long tokens) {
    long delivered = loader.stats().padding().elements();
    boolean isComposed = loader.options().batching().composition().isPresent();
    if (isComposed && delivered != tokens) {
      throw new AssertionError(way + " delivers " + delivered + " tokens of " + tokens);
    }
  }

  /// Returns how long an epoch takes after the first.
  private static double seconds(DataLoader loader) {
    long start = 0;
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      if (epoch == 1) {
        start = System.nanoTime();
      }
      for (Batch batch : loader) {
        batch.close();
      }
    }
    return (System.nanoTime() - start) / 1e9 / (EPOCHS - 1);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
