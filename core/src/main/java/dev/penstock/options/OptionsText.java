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
    Batching batching = options.batching();
    text.add("batchSize", batching.size());
    text.add("dropLast", batching.dropLast(), false);
    batching.stepsPerEpoch().ifPresent(steps -> text.add("stepsPerEpoch", steps));
    batching.composition().ifPresent(choice -> text.add("compose", choice));
    text.add(options.reading());
    Order order = options.order();
    text.add("shuffle", order.shuffle(), Order.DEFAULTS.shuffle());
    text.add("seed", order.seed(), Order.DEFAULTS.seed());
    text.add("inOrder", order.inOrder(), true);
    text.add("splitPerWorker", order.splitPerWorker(), false);
    RankShare share = options.rankShare();
    share.rank().ifPresent(rank -> text.add("rank", rank));
    text.add("rankEnd", share.end(), RankShare.DEFAULTS.end());
    share.countMatches().ifPresent(on -> text.add("countMatches", on));
    text.add(options.memoryUse());
    text.add(options.columns(), Columns.DEFAULTS);
    int rows = options.transformation().rows();
    options
        .transformation()
        .function()
        .ifPresent(_ -> text.add("transform of", rows == 0 ? "row groups" : rows + " rows"));
    Recording recording = options.recording();
    text.add("record", recording.timeline(), false);
    recording
        .stepLog()
        .ifPresentOrElse(
            file -> text.add("stepLog", file),
            () -> text.add("stepDigests", recording.stepDigests(), false));
    return Shown.list(text.parts, part -> part);
  }

  /// Lists the options of a loader of Java objects.
  static String of(SampleOptions<?> options) {
    OptionsText text = new OptionsText();
    SampleBatching batching = options.batching();
    Sampling sampling = options.sampling();
    text.parts.add(batching.unbatched() ? "unbatched" : "batchSize " + batching.rows());
    text.add(options.workers().reading());
    sampling
        .batchSampler()
        .ifPresent(of -> text.add("batchSampler", of.getClass().getSimpleName()));
    sampling.sampler().ifPresent(of -> text.add("sampler", of.getClass().getSimpleName()));
    text.add("shuffle", sampling.shuffle(), false);
    text.add("dropLast", batching.dropLast(), false);
    text.add("inOrder", sampling.inOrder(), true);
    text.add("persistentWorkers", options.workers().persistent(), false);
    text.add(options.memoryUse());
    return Shown.list(text.parts, part -> part);
  }

  private void add(String name, Object value) {
    parts.add(name + " " + value);
  }

  /// Adds an option that is not the default: one that is on by its name alone.
  private void add(String name, Object value, Object usual) {
    if (!value.equals(usual)) {
      parts.add(value.equals(true) ? name : name + " " + value);
    }
  }

  private <T> void add(String name, PerColumn<T> chosen, PerColumn<T> usual) {
    add(name, chosen.all(), usual.all());
    chosen.byName().forEach((column, choice) -> add(name + " " + column, choice));
  }

  private void add(Reading reading) {
    add("workers", (reading.autoWorkers() ? "auto, at most " : "") + reading.workers());
    add("prefetchFactor", reading.prefetchFactor(), Reading.INLINE.prefetchFactor());
    add("timeout", reading.timeout(), Duration.ZERO);
  }

  private void add(MemoryUse memory) {
    memory.limit().ifPresent(limit -> add("memory", limit));
    add("pinMemory", memory.pin(), false);
    add("lockMemory", memory.lock(), false);
    add("poisonMemory", memory.poison(), false);
    add("batchAllocator", memory.allocator().isPresent(), false);
  }

  private void add(Columns columns, Columns usual) {
    add("output", columns.output(), usual.output());
    add("nulls", columns.nulls(), usual.nulls());
    add("timestamps", columns.timestamps(), usual.timestamps());
    add("decimals", columns.decimals(), usual.decimals());
    add("strings", columns.strings(), usual.strings());
    columns
        .features()
        .forEach((name, of) -> add("features " + name, Shown.list(of, column -> column)));
    add("keepColumns", columns.kept(), usual.kept());
  }
}
