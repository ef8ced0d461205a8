package dev.penstock.options;

import dev.penstock.advice.CheckReturnValue;
import dev.penstock.data.WorkerInfo;
import dev.penstock.sample.Generator;
import java.time.Duration;
import java.util.function.Consumer;

/// The options of all loaders of rows that are Java objects.
///
/// @param <S> the options whose methods return changed copies
@CheckReturnValue
abstract sealed class SampleOptions<S extends SampleOptions<S>> extends Options
    permits MapOptions, IterableOptions {
  /// The options by group.
  record Groups(
      SampleBatching batching, SampleWorkers workers, Sampling sampling, MemoryUse memoryUse) {
    static final Groups DEFAULTS =
        new Groups(
            SampleBatching.DEFAULTS, SampleWorkers.DEFAULTS, Sampling.DEFAULTS, MemoryUse.DEFAULTS);

    Groups with(Record group) {
      return new Groups(
          group instanceof SampleBatching changed ? changed : batching,
          group instanceof SampleWorkers changed ? changed : workers,
          group instanceof Sampling changed ? changed : sampling,
          group instanceof MemoryUse changed ? changed : memoryUse);
    }
  }

  final Groups groups;

  SampleOptions(Groups groups) {
    this.groups = groups;
  }

  /// Returns a copy with other groups.
  abstract S with(Groups changed);

  /// {@return a copy with a number of rows in a batch}
  ///
  /// @param rows at least 1
  public S batchSize(int rows) {
    return with(groups.with(batching().withSize(rows)));
  }

  /// {@return a copy with a number of threads that read and collate rows}
  ///
  /// @param count 0 does all work on the consumer's thread
  public S workers(int count) {
    return with(groups.with(workers().withReading(workers().reading().withWorkers(count))));
  }

  /// {@return a copy that leaves out a short last batch} Of an [dev.penstock.data.IterableDataset]
  /// each worker has its own last batch, as in torch.
  ///
  /// @param choice true to leave it out
  public S dropLast(boolean choice) {
    return with(groups.with(batching().withDropLast(choice)));
  }

  /// {@return a copy with the longest time that the consumer waits for a batch from a worker} After
  /// that time the iterator throws a [dev.penstock.WorkerException]. Without workers nothing is
  /// waited for.
  ///
  /// @param most zero waits for ever, as by default
  public S timeout(Duration most) {
    return with(groups.with(workers().withReading(workers().reading().withTimeout(most))));
  }

  /// {@return a copy with a function that every worker runs before its first row: in each epoch, or
  /// once with [#persistentWorkers]} It does not run without workers. The iterator throws what it
  /// throws. It may change the dataset only if that has a [copy for each
  /// worker][dev.penstock.data.IterableDataset#copyForWorker()].
  ///
  /// @param function the function
  public S workerInit(Consumer<WorkerInfo> function) {
    return with(groups.with(workers().withInit(function)));
  }

  /// {@return a copy with the number of batches that each worker prepares ahead of the consumer}
  /// Without workers nothing is prepared ahead.
  ///
  /// @param batches at least 1
  public S prefetchFactor(int batches) {
    return with(
        groups.with(workers().withReading(workers().reading().withPrefetchFactor(batches))));
  }

  /// {@return a copy that keeps the workers' seeds, random numbers and copies of the dataset from
  /// epoch to epoch, as torch's persistent workers do, and runs [#workerInit] once} Threads are
  /// always kept. It needs workers.
  ///
  /// @param choice true to keep them
  public S persistentWorkers(boolean choice) {
    return with(groups.with(workers().withPersistent(choice)));
  }

  /// {@return a copy with a seed for the shuffle and the workers: a [#generator] of its own}
  ///
  /// @param value the seed, as torch's `manual_seed` takes it
  public S seed(long value) {
    return generator(new Generator(value));
  }

  /// {@return a copy with a generator for the shuffle and for the seeds of the workers}
  ///
  /// @param numbers the generator; the default is [Generator#global()]
  public S generator(Generator numbers) {
    return with(groups.with(sampling().withGenerator(numbers)));
  }

  /// {@return a copy in which batches come in the order of their rows, as they do by default}
  ///
  /// @param choice false delivers each as soon as it is made, in an order that changes from run to
  ///   run
  public S inOrder(boolean choice) {
    return with(groups.with(sampling().withInOrder(choice)));
  }

  /// {@return a copy in which batches lie in pinned memory, see [LoaderOptions#pinMemory(boolean)]}
  /// Without a driver it logs a warning and batches are the same, as in torch without an
  /// accelerator.
  ///
  /// @param choice true to pin
  public S pinMemory(boolean choice) {
    return with(groups.with(memoryUse().withPin(choice)));
  }

  /// {@return a copy that keeps the memory of batches from being swapped out, see
  /// [LoaderOptions#lockMemory(boolean)]}
  ///
  /// @param choice true to lock
  public S lockMemory(boolean choice) {
    return with(groups.with(memoryUse().withLock(choice)));
  }

  /// {@return a copy that overwrites the memory of a batch when it is closed, see
  /// [LoaderOptions#poisonMemory(boolean)]}
  ///
  /// @param choice true to look for code that keeps a closed batch's memory
  public S poisonMemory(boolean choice) {
    return with(groups.with(memoryUse().withPoison(choice)));
  }

  /// {@return how rows become batches}
  public SampleBatching batching() {
    return groups.batching;
  }

  /// {@return which threads make the batches}
  public SampleWorkers workers() {
    return groups.workers;
  }

  /// {@return the order of rows and batches}
  public Sampling sampling() {
    return groups.sampling;
  }

  /// {@return how the memory of batches is treated; it has no limit}
  public MemoryUse memoryUse() {
    return groups.memoryUse;
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + " " + text();
  }

  /// {@return the batch size, the workers, and every option that is not the default: `[batchSize
  /// 64, workers 2, shuffle]`}
  public String text() {
    return OptionsText.of(this);
  }
}
