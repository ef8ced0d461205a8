package dev.penstock;

import dev.penstock.batch.Batch;
import dev.penstock.batch.Collator;
import dev.penstock.batch.Collators;
import dev.penstock.data.IterableDataset;
import dev.penstock.data.MapDataset;
import dev.penstock.data.WorkerInfo;
import dev.penstock.internal.choice.Shown;
import dev.penstock.options.MemoryUse;
import dev.penstock.options.Reading;
import dev.penstock.sample.BatchSampler;
import dev.penstock.sample.Generator;
import dev.penstock.sample.RandomSampler;
import dev.penstock.sample.Sampler;
import dev.penstock.sample.SequentialSampler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How a [SampleLoader] delivers rows, under torch's names and with its defaults: batches of 1 row,
/// no shuffle, no workers, prefetch factor 2, the short last batch kept, in order, no timeout,
/// [Collators#standard()].
///
/// Immutable: each method returns changed options.
///
/// @param <T> what a row is
/// @param <B> what a batch is
public final class SampleLoaderBuilder<T, B> {
  private static final Logger LOG = LoggerFactory.getLogger(SampleLoaderBuilder.class);

  /// An upper bound for the batches ahead of the consumer.
  private static final int BATCHES_AHEAD_MAX = 1 << 20;

  final @Nullable MapDataset<T> map;
  final @Nullable IterableDataset<T> iterable;
  final Collator<T, B> collator;
  private final boolean unbatched;

  private @Nullable Integer batchSize;
  private boolean shuffle;
  private @Nullable Sampler sampler;
  private @Nullable Iterable<long[]> batchSampler;
  private boolean prefetches;
  Reading reading = new Reading(0, false, 2, Duration.ZERO);
  MemoryUse memoryUse = new MemoryUse(Optional.empty(), false, false, false, Optional.empty());
  boolean dropLast;
  Consumer<WorkerInfo> workerInit = _ -> {};
  boolean persistentWorkers;
  @Nullable Generator generator;
  boolean inOrder = true;

  private SampleLoaderBuilder(
      @Nullable MapDataset<T> map,
      @Nullable IterableDataset<T> iterable,
      Collator<T, B> collator,
      boolean unbatched) {
    this.map = map;
    this.iterable = iterable;
    this.collator = collator;
    this.unbatched = unbatched;
  }

  static <T> SampleLoaderBuilder<T, Batch> of(MapDataset<T> dataset) {
    return new SampleLoaderBuilder<>(
        Objects.requireNonNull(dataset, "dataset must not be null."),
        null,
        Collators.standard(),
        false);
  }

  static <T> SampleLoaderBuilder<T, Batch> of(IterableDataset<T> dataset) {
    return new SampleLoaderBuilder<>(
        null,
        Objects.requireNonNull(dataset, "dataset must not be null."),
        Collators.standard(),
        false);
  }

  /// Returns a copy with another collator and the same options.
  private <C> SampleLoaderBuilder<T, C> with(Collator<T, C> other, boolean single) {
    SampleLoaderBuilder<T, C> changed = new SampleLoaderBuilder<>(map, iterable, other, single);
    changed.batchSize = batchSize;
    changed.shuffle = shuffle;
    changed.sampler = sampler;
    changed.batchSampler = batchSampler;
    changed.prefetches = prefetches;
    changed.reading = reading;
    changed.memoryUse = memoryUse;
    changed.dropLast = dropLast;
    changed.workerInit = workerInit;
    changed.persistentWorkers = persistentWorkers;
    changed.generator = generator;
    changed.inOrder = inOrder;
    return changed;
  }

  /// Sets the rows of a batch.
  ///
  /// @param rows at least 1
  /// @return the changed options
  /// @throws IllegalArgumentException if `rows` is below 1
  public SampleLoaderBuilder<T, B> batchSize(int rows) {
    require(rows >= 1, "batchSize must be at least 1, got " + rows + ".");
    SampleLoaderBuilder<T, B> changed = with(collator, unbatched);
    changed.batchSize = rows;
    return changed;
  }

  /// Delivers rows one by one, as the dataset gives them: torch's `batch_size=None`.
  ///
  /// @return a builder with all options so far
  public SampleLoaderBuilder<T, T> unbatched() {
    return with((rows, _) -> rows.getFirst(), true);
  }

  /// Sets what makes a batch of rows. It runs in the workers.
  ///
  /// @param <C> what a batch is
  /// @param function the collator
  /// @return a builder with all options so far
  public <C> SampleLoaderBuilder<T, C> collate(Collator<T, C> function) {
    return with(Objects.requireNonNull(function, "collate must not be null."), false);
  }

  /// Visits the rows in a new random order each epoch: [RandomSampler] over all rows, with
  /// [#generator].
  ///
  /// @param choice whether to
  /// @return the changed options
  public SampleLoaderBuilder<T, B> shuffle(boolean choice) {
    SampleLoaderBuilder<T, B> changed = with(collator, unbatched);
    changed.shuffle = choice;
    return changed;
  }

  /// Sets the order of the rows.
  ///
  /// @param order the sampler; told each epoch's number before it starts
  /// @return the changed options
  public SampleLoaderBuilder<T, B> sampler(Sampler order) {
    SampleLoaderBuilder<T, B> changed = with(collator, unbatched);
    changed.sampler = Objects.requireNonNull(order, "sampler must not be null.");
    return changed;
  }

  /// Sets the rows of each batch.
  ///
  /// @param batches the batches of an epoch, iterated anew in each
  /// @return the changed options
  public SampleLoaderBuilder<T, B> batchSampler(Iterable<long[]> batches) {
    SampleLoaderBuilder<T, B> changed = with(collator, unbatched);
    changed.batchSampler = Objects.requireNonNull(batches, "batchSampler must not be null.");
    return changed;
  }

  /// Sets the number of threads that read and collate rows.
  ///
  /// @param count 0 does all work on the consumer's thread
  /// @return the changed options
  /// @throws IllegalArgumentException if `count` is negative
  public SampleLoaderBuilder<T, B> workers(int count) {
    SampleLoaderBuilder<T, B> changed = with(collator, unbatched);
    changed.reading = new Reading(count, false, reading.prefetchFactor(), reading.timeout());
    return changed;
  }

  /// Leaves out a short last batch. For an [IterableDataset] each worker has its own last batch, as
  /// in torch.
  ///
  /// @param choice whether to
  /// @return the changed options
  public SampleLoaderBuilder<T, B> dropLast(boolean choice) {
    SampleLoaderBuilder<T, B> changed = with(collator, unbatched);
    changed.dropLast = choice;
    return changed;
  }

  /// Sets how long the consumer waits for a batch from a worker.
  ///
  /// @param most zero waits for ever
  /// @return the changed options
  /// @throws IllegalArgumentException if `most` is negative
  public SampleLoaderBuilder<T, B> timeout(Duration most) {
    SampleLoaderBuilder<T, B> changed = with(collator, unbatched);
    changed.reading = new Reading(reading.workers(), false, reading.prefetchFactor(), most);
    return changed;
  }

  /// Sets what every worker runs before its first row: in each epoch, or once with
  /// [#persistentWorkers]. It does not run without workers. The iterator throws what it throws.
  ///
  /// @param function the function
  /// @return the changed options
  public SampleLoaderBuilder<T, B> workerInit(Consumer<WorkerInfo> function) {
    SampleLoaderBuilder<T, B> changed = with(collator, unbatched);
    changed.workerInit = Objects.requireNonNull(function, "workerInit must not be null.");
    return changed;
  }

  /// Sets how many batches each worker prepares ahead of the consumer.
  ///
  /// @param batches at least 1
  /// @return the changed options
  /// @throws IllegalArgumentException if `batches` is below 1
  public SampleLoaderBuilder<T, B> prefetchFactor(int batches) {
    SampleLoaderBuilder<T, B> changed = with(collator, unbatched);
    changed.reading = new Reading(reading.workers(), false, batches, reading.timeout());
    changed.prefetches = true;
    return changed;
  }

  /// Keeps the workers' seeds and random numbers from epoch to epoch, as torch's persistent workers
  /// do, and runs [#workerInit] once. Threads are always kept, and all share the dataset.
  ///
  /// @param choice whether to
  /// @return the changed options
  public SampleLoaderBuilder<T, B> persistentWorkers(boolean choice) {
    SampleLoaderBuilder<T, B> changed = with(collator, unbatched);
    changed.persistentWorkers = choice;
    return changed;
  }

  /// Sets the seed of [#shuffle] and of the workers' seeds: a [#generator] of its own.
  ///
  /// @param value the seed, as torch's `manual_seed` takes it
  /// @return the changed options
  public SampleLoaderBuilder<T, B> seed(long value) {
    return generator(new Generator(value));
  }

  /// Sets the random numbers of [#shuffle] and of the workers' seeds.
  ///
  /// @param numbers the generator; the default is [Generator#global()]
  /// @return the changed options
  public SampleLoaderBuilder<T, B> generator(Generator numbers) {
    SampleLoaderBuilder<T, B> changed = with(collator, unbatched);
    changed.generator = Objects.requireNonNull(numbers, "generator must not be null.");
    return changed;
  }

  /// Sets whether batches come in the order of the sampler.
  ///
  /// @param choice false delivers each as soon as it is made, in an order that changes from run to
  ///   run
  /// @return the changed options
  public SampleLoaderBuilder<T, B> inOrder(boolean choice) {
    SampleLoaderBuilder<T, B> changed = with(collator, unbatched);
    changed.inOrder = choice;
    return changed;
  }

  /// Sets whether batches lie in pinned memory, see
  /// [dev.penstock.options.LoaderOptions#pinMemory(boolean)]. Without a driver it logs a warning
  /// and batches are the same, as in torch without an accelerator.
  ///
  /// @param choice whether to
  /// @return the changed options
  public SampleLoaderBuilder<T, B> pinMemory(boolean choice) {
    SampleLoaderBuilder<T, B> changed = with(collator, unbatched);
    changed.memoryUse = memory(choice, memoryUse.lock(), memoryUse.poison());
    return changed;
  }

  /// Sets whether to keep the memory of batches from being swapped out, see
  /// [dev.penstock.options.LoaderOptions#lockMemory(boolean)].
  ///
  /// @param choice whether to
  /// @return the changed options
  public SampleLoaderBuilder<T, B> lockMemory(boolean choice) {
    SampleLoaderBuilder<T, B> changed = with(collator, unbatched);
    changed.memoryUse = memory(memoryUse.pin(), choice, memoryUse.poison());
    return changed;
  }

  /// Sets whether to overwrite the memory of a batch when it is closed, see
  /// [dev.penstock.options.LoaderOptions#poisonMemory(boolean)].
  ///
  /// @param choice true to look for code that keeps a closed batch's memory
  /// @return the changed options
  public SampleLoaderBuilder<T, B> poisonMemory(boolean choice) {
    SampleLoaderBuilder<T, B> changed = with(collator, unbatched);
    changed.memoryUse = memory(memoryUse.pin(), memoryUse.lock(), choice);
    return changed;
  }

  private static MemoryUse memory(boolean pin, boolean lock, boolean poison) {
    return new MemoryUse(Optional.empty(), pin, lock, poison, Optional.empty());
  }

  /// Makes the loader.
  ///
  /// @return the loader, to be closed
  /// @throws IllegalArgumentException if options do not fit together
  public SampleLoader<T, B> build() {
    check();
    int workers = reading.workers();
    int processors = Runtime.getRuntime().availableProcessors();
    if (workers > processors) {
      LOG.warn("workers is {} but there are {} processors.", workers, processors);
    }
    return new SampleLoader<>(with(collator, unbatched));
  }

  private void check() {
    String unfit = "Cannot make a loader: ";
    int workers = reading.workers();
    long ahead = (long) workers * reading.prefetchFactor();
    if (iterable != null) {
      require(!shuffle, unfit + "an IterableDataset has its own order; leave shuffle out.");
      require(sampler == null, unfit + "an IterableDataset has its own order, not a sampler's.");
      require(
          batchSampler == null,
          unfit + "an IterableDataset has its own order, not batchSampler's.");
    }
    require(
        sampler == null || !shuffle,
        unfit + "give either a sampler or shuffle, both set an order.");
    require(
        batchSampler == null
            || (batchSize == null && !shuffle && sampler == null && !dropLast && !unbatched),
        unfit
            + "batchSampler makes the batches; leave batchSize, unbatched, shuffle, sampler and"
            + " dropLast out.");
    require(!unbatched || batchSize == null, unfit + "give either batchSize or unbatched.");
    require(
        !unbatched || !dropLast, unfit + "unbatched rows have no last batch; leave dropLast out.");
    require(workers > 0 || !prefetches, unfit + "prefetchFactor needs workers of at least 1.");
    require(
        ahead <= BATCHES_AHEAD_MAX,
        unfit
            + "workers * prefetchFactor is "
            + ahead
            + " batches ahead, but at most "
            + BATCHES_AHEAD_MAX
            + " may be.");
    require(
        workers > 0 || !persistentWorkers,
        unfit + "persistentWorkers needs workers of at least 1.");
    require(
        workers > 0 || reading.timeout().isZero(), unfit + "timeout needs workers of at least 1.");
  }

  int batchSize() {
    return unbatched || batchSize == null ? 1 : batchSize;
  }

  boolean isUnbatched() {
    return unbatched;
  }

  /// Returns the batches of a map-style dataset.
  @Nullable Iterable<long[]> batches() {
    return map == null || batchSampler != null
        ? batchSampler
        : new BatchSampler(sampler == null ? order(map) : sampler, batchSize(), dropLast);
  }

  /// Returns the order of the rows; their number is read when an epoch begins.
  private Sampler order(MapDataset<T> rows) {
    order(rows.size()); // fails early if there are too few to shuffle
    return new Sampler() {
      @Override
      public long size() {
        return rows.size();
      }

      @Override
      public PrimitiveIterator.OfLong iterator() {
        return order(rows.size()).iterator();
      }
    };
  }

  private Sampler order(long size) {
    if (!shuffle) {
      return new SequentialSampler(size);
    }
    RandomSampler random = new RandomSampler(size);
    return generator == null ? random : random.withGenerator(generator);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  /// Shows what is read and how. Of a dataset of yours it shows the class.
  @Override
  public String toString() {
    return "SampleLoaderBuilder of " + text();
  }

  private List<String> options(List<String> order) {
    List<String> parts = new ArrayList<>();
    parts.add(isUnbatched() ? "unbatched" : "batchSize " + batchSize());
    parts.add("workers " + reading.workers());
    if (reading.prefetchFactor() != 2) {
      parts.add("prefetchFactor " + reading.prefetchFactor());
    }
    if (!reading.timeout().equals(Duration.ZERO)) {
      parts.add("timeout " + reading.timeout());
    }
    parts.addAll(order);
    Map<String, Boolean> choices = new LinkedHashMap<>();
    choices.put("dropLast", dropLast);
    choices.put("inOrder false", !inOrder);
    choices.put("persistentWorkers", persistentWorkers);
    choices.put("pinMemory", memoryUse.pin());
    choices.put("lockMemory", memoryUse.lock());
    choices.put("poisonMemory", memoryUse.poison());
    choices.forEach((name, on) -> {
      if (on) {
        parts.add(name);
      }
    });
    return parts;
  }

  /// Returns the dataset and the options; calls no code of the user.
  String text() {
    List<String> order = new ArrayList<>();
    if (batchSampler != null) {
      order.add("batchSampler " + batchSampler.getClass().getSimpleName());
    }
    if (sampler != null) {
      order.add("sampler " + sampler.getClass().getSimpleName());
    }
    if (shuffle) {
      order.add("shuffle");
    }
    Object dataset = Objects.requireNonNull(map == null ? iterable : map);
    boolean own =
        dataset instanceof RowDataset
            || dataset.getClass().getPackage() == MapDataset.class.getPackage();
    return Shown.text(own ? dataset.toString() : dataset.getClass().getSimpleName())
        + " with "
        + Shown.list(options(order), part -> part);
  }
}
