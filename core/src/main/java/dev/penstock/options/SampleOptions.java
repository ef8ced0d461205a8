package dev.penstock.options;

import dev.penstock.data.WorkerInfo;
import dev.penstock.sample.Generator;
import java.time.Duration;
import java.util.function.Consumer;

/// The options of all loaders of rows that are Java objects.
///
/// @param <S> the options whose methods return changed copies
abstract sealed class SampleOptions<S extends SampleOptions<S>>
    permits MapOptions, IterableOptions {
  /// The options by group.
  record Groups(
      SampleBatching batching, SampleWorkers workers, Sampling sampling, MemoryUse memoryUse) {
    static final Groups DEFAULTS =
        new Groups(
            SampleBatching.DEFAULTS, SampleWorkers.DEFAULTS, Sampling.DEFAULTS, MemoryUse.DEFAULTS);

    Groups with(SampleBatching changed) {
      return new Groups(changed, workers, sampling, memoryUse);
    }

    Groups with(SampleWorkers changed) {
      return new Groups(batching, changed, sampling, memoryUse);
    }

    Groups with(Sampling changed) {
      return new Groups(batching, workers, changed, memoryUse);
    }

    Groups with(MemoryUse changed) {
      return new Groups(batching, workers, sampling, changed);
    }
  }

  final Groups groups;

  SampleOptions(Groups groups) {
    this.groups = groups;
  }

  /// Returns a copy with other groups.
  abstract S with(Groups changed);

  /// Sets the rows of a batch.
  ///
  /// @param rows at least 1
  /// @return the changed options
  /// @throws IllegalArgumentException if `rows` is below 1
  public S batchSize(int rows) {
    return with(groups.with(batching().withSize(rows)));
  }

  /// Sets the number of threads that read and collate rows.
  ///
  /// @param count 0 does all work on the consumer's thread
  /// @return the changed options
  /// @throws IllegalArgumentException if `count` is negative
  public S workers(int count) {
    return with(groups.with(workers().withReading(workers().reading().withWorkers(count))));
  }

  /// Leaves out a short last batch. Of an [dev.penstock.data.IterableDataset] each worker has its
  /// own last batch, as in torch.
  ///
  /// @param choice whether to
  /// @return the changed options
  public S dropLast(boolean choice) {
    return with(groups.with(batching().withDropLast(choice)));
  }

  /// Sets how long the consumer waits for a batch from a worker.
  ///
  /// @param most zero waits for ever
  /// @return the changed options
  /// @throws IllegalArgumentException if `most` is negative
  public S timeout(Duration most) {
    return with(groups.with(workers().withReading(workers().reading().withTimeout(most))));
  }

  /// Sets what every worker runs before its first row: in each epoch, or once with
  /// [#persistentWorkers]. It does not run without workers. The iterator throws what it throws.
  ///
  /// @param function the function
  /// @return the changed options
  public S workerInit(Consumer<WorkerInfo> function) {
    return with(groups.with(workers().withInit(function)));
  }

  /// Sets how many batches each worker prepares ahead of the consumer.
  ///
  /// @param batches at least 1
  /// @return the changed options
  /// @throws IllegalArgumentException if `batches` is below 1
  public S prefetchFactor(int batches) {
    return with(groups.with(workers().withPrefetchFactor(batches)));
  }

  /// Keeps the workers' seeds and random numbers from epoch to epoch, as torch's persistent workers
  /// do, and runs [#workerInit] once. Threads are always kept, and all share the dataset.
  ///
  /// @param choice whether to
  /// @return the changed options
  public S persistentWorkers(boolean choice) {
    return with(groups.with(workers().withPersistent(choice)));
  }

  /// Sets the seed of a shuffle and of the workers' seeds: a [#generator] of its own.
  ///
  /// @param value the seed, as torch's `manual_seed` takes it
  /// @return the changed options
  public S seed(long value) {
    return generator(new Generator(value));
  }

  /// Sets the random numbers of a shuffle and of the workers' seeds.
  ///
  /// @param numbers the generator; the default is [Generator#global()]
  /// @return the changed options
  public S generator(Generator numbers) {
    return with(groups.with(sampling().withGenerator(numbers)));
  }

  /// Sets whether batches come in the order of their rows.
  ///
  /// @param choice false delivers each as soon as it is made, in an order that changes from run to
  ///   run
  /// @return the changed options
  public S inOrder(boolean choice) {
    return with(groups.with(sampling().withInOrder(choice)));
  }

  /// Sets whether batches lie in pinned memory, see [LoaderOptions#pinMemory(boolean)]. Without a
  /// driver it logs a warning and batches are the same, as in torch without an accelerator.
  ///
  /// @param choice whether to
  /// @return the changed options
  public S pinMemory(boolean choice) {
    return with(groups.with(memoryUse().withPin(choice)));
  }

  /// Sets whether to keep the memory of batches from being swapped out, see
  /// [LoaderOptions#lockMemory(boolean)].
  ///
  /// @param choice whether to
  /// @return the changed options
  public S lockMemory(boolean choice) {
    return with(groups.with(memoryUse().withLock(choice)));
  }

  /// Sets whether to overwrite the memory of a batch when it is closed, see
  /// [LoaderOptions#poisonMemory(boolean)].
  ///
  /// @param choice true to look for code that keeps a closed batch's memory
  /// @return the changed options
  public S poisonMemory(boolean choice) {
    return with(groups.with(memoryUse().withPoison(choice)));
  }

  /// Returns how rows become batches.
  ///
  /// @return the size of batches, and whether a short last one is dropped
  public SampleBatching batching() {
    return groups.batching;
  }

  /// Returns which threads make the batches.
  ///
  /// @return how many, how far ahead, and what they begin with
  public SampleWorkers workers() {
    return groups.workers;
  }

  /// Returns the order of rows and batches.
  ///
  /// @return the samplers, the random numbers, and the order of batches
  public Sampling sampling() {
    return groups.sampling;
  }

  /// Returns how the memory of batches is treated.
  ///
  /// @return what is done with it; it has no limit
  public MemoryUse memoryUse() {
    return groups.memoryUse;
  }

  /// Shows the batch size, the workers, and every option that is not the default.
  @Override
  public String toString() {
    return getClass().getSimpleName() + " " + text();
  }

  /// Returns the batch size, the workers, and every option that is not the default, as a list.
  ///
  /// @return for example `[batchSize 64, workers 2, shuffle]`
  public String text() {
    return OptionsText.of(this);
  }
}
