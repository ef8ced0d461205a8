package dev.penstock.options;

import dev.penstock.batch.PerColumn;
import dev.penstock.internal.choice.Shown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Options as a list: the batch size, the workers, and whatever is not the default. It calls no
/// code of the user.
final class OptionsText {
  private final List<String> parts = new ArrayList<>();

  private OptionsText() {}

  /// Lists the options of a loader of files.
  static String of(LoaderOptions options) {
    OptionsText text = new OptionsText();
    text.add(options.batching(), Batching.DEFAULTS);
    text.add(options.reading());
    text.add(options.order());
    text.add(options.rankShare());
    text.add(options.memoryUse());
    text.add(options.columns(), Columns.DEFAULTS);
    text.add(options.transformation());
    text.add(options.isRecorded(), "record");
    return Shown.list(text.parts, part -> part);
  }

  /// Lists the options of a loader of Java objects.
  static String of(SampleOptions<?> options) {
    OptionsText text = new OptionsText();
    SampleBatching batching = options.batching();
    text.parts.add(batching.unbatched() ? "unbatched" : "batchSize " + batching.rows());
    text.add(options.workers().reading());
    text.add(options.sampling(), batching.dropLast());
    text.add(options.workers().persistent(), "persistentWorkers");
    text.add(options.memoryUse());
    return Shown.list(text.parts, part -> part);
  }

  private void add(boolean on, String part) {
    if (on) {
      parts.add(part);
    }
  }

  private void add(Batching batching, Batching usual) {
    parts.add("batchSize " + batching.size());
    add(batching.dropLast() != usual.dropLast(), "dropLast");
    batching.stepsPerEpoch().ifPresent(steps -> parts.add("stepsPerEpoch " + steps));
    batching.composition().ifPresent(choice -> parts.add("compose " + choice));
  }

  private void add(Reading reading) {
    parts.add(
        reading.autoWorkers() ? "workers auto, at most " + reading.workers() : workers(reading));
    int factor = reading.prefetchFactor();
    add(factor != Reading.INLINE.prefetchFactor(), "prefetchFactor " + factor);
    add(!reading.timeout().equals(Duration.ZERO), "timeout " + reading.timeout());
  }

  private static String workers(Reading reading) {
    return "workers " + reading.workers();
  }

  private void add(Order order) {
    Order usual = Order.DEFAULTS;
    add(!order.shuffle().equals(usual.shuffle()), "shuffle " + order.shuffle());
    add(order.seed() != usual.seed(), "seed " + order.seed());
    add(order.inOrder() != usual.inOrder(), "inOrder " + order.inOrder());
    add(order.splitPerWorker(), "splitPerWorker");
  }

  private void add(Sampling sampling, boolean dropLast) {
    sampling.batchSampler().ifPresent(of -> add("batchSampler", of));
    sampling.sampler().ifPresent(of -> add("sampler", of));
    add(sampling.shuffle(), "shuffle");
    add(dropLast, "dropLast");
    add(!sampling.inOrder(), "inOrder false");
  }

  private void add(String name, Object ofTheUser) {
    parts.add(name + " " + ofTheUser.getClass().getSimpleName());
  }

  private void add(RankShare share) {
    RankShare usual = RankShare.DEFAULTS;
    share.rank().ifPresent(rank -> parts.add("rank " + rank));
    add(share.end() != usual.end(), "rankEnd " + share.end());
    add(share.countMatches() != usual.countMatches(), "countMatches " + share.countMatches());
  }

  private void add(MemoryUse memory) {
    memory.limit().ifPresent(limit -> parts.add("memory " + limit));
    add(memory.pin(), "pinMemory");
    add(memory.lock(), "lockMemory");
    add(memory.poison(), "poisonMemory");
    add(memory.allocator().isPresent(), "batchAllocator");
  }

  private void add(Columns columns, Columns usual) {
    add(columns.output() != usual.output(), "output " + columns.output());
    add("nulls", columns.nulls(), usual.nulls());
    add("timestamps", columns.timestamps(), usual.timestamps());
    add("decimals", columns.decimals(), usual.decimals());
    add("strings", columns.strings(), usual.strings());
    columns
        .features()
        .forEach(
            (name, of) -> parts.add("features " + name + " " + Shown.list(of, column -> column)));
  }

  private <T> void add(String name, PerColumn<T> chosen, PerColumn<T> usual) {
    add(!chosen.all().equals(usual.all()), name + " " + chosen.all());
    chosen.byName().forEach((column, choice) -> parts.add(name + " " + column + " " + choice));
  }

  private void add(Transformation transformation) {
    add(
        transformation.function().isPresent(),
        "transform of "
            + (transformation.rows() == 0 ? "row groups" : transformation.rows() + " rows"));
  }
}
