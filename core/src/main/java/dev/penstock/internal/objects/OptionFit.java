package dev.penstock.internal.objects;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.options.SampleBatching;
import dev.penstock.options.SampleWorkers;
import dev.penstock.options.Sampling;

/// Whether the options of a loader of Java objects fit together.
public final class OptionFit {
  private static final int BATCHES_AHEAD_MAX = 1 << 20;

  private OptionFit() {}

  /// Throws an [IllegalArgumentException] if they do not.
  public static void require(SampleBatching batching, SampleWorkers workers, Sampling sampling) {
    int count = workers.reading().workers();
    long ahead = (long) count * workers.reading().prefetchFactor();
    boolean isSampled = sampling.sampler().isPresent();
    boolean isBatched = batching.rows() > 1 || batching.unbatched() || batching.dropLast();
    require(
        !isSampled || !sampling.shuffle(), "give either a sampler or shuffle, both set an order.");
    require(
        sampling.batchSampler().isEmpty() || (!isBatched && !sampling.shuffle() && !isSampled),
        "batchSampler makes the batches; leave batchSize, unbatched, shuffle, sampler and dropLast"
            + " out.");
    require(
        !batching.unbatched() || batching.size().isEmpty(), "give either batchSize or unbatched.");
    require(
        !batching.unbatched() || !batching.dropLast(),
        "unbatched rows have no last batch; leave dropLast out, or give batchSize in place of"
            + " unbatched.");
    require(
        !batching.unbatched() || !batching.collated(),
        "collate makes a batch of rows, and unbatched delivers each row alone. For a function on"
            + " each row give it to unbatched: unbatched(row -> ...); for one on batches give"
            + " batchSize in place of unbatched.");
    require(
        ahead <= BATCHES_AHEAD_MAX,
        Sentence.of(
            "workers * prefetchFactor is %s batches ahead, but at most %s may be.",
            ahead, BATCHES_AHEAD_MAX));
    require(count > 0 || !workers.persistent(), "persistentWorkers needs workers of at least 1.");
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException("Cannot make a loader: " + message);
    }
  }
}
