package dev.penstock;

import dev.penstock.batch.Batch;

/// A loader whose batches a function of the user turns into something else, in the workers.
///
/// **Ownership.** The function is given the batch to keep: it closes the batch when it has copied
/// what it needs, or hands it on within its result, to be closed with that. Of results that nobody
/// received, because the epoch was stopped, those that are `AutoCloseable` are closed, and so is
/// their batch. Closing this closes the loader.
///
/// **Memory.** Nobody knows the size of what the function makes, so its results are bounded by
/// their number: at most `prefetchFactor` for each worker are made or being made and not yet
/// received, as in torch. The batches for the next ones may be ready, within the loader's memory.
/// Without workers, or when all of them are at other things, the consumer calls the function
/// itself.
///
/// **Threads.** As [DataLoader]. The function is called by several workers at once; results come in
/// the order of the batches.
///
/// **Errors.** What the function throws comes out of the iterator at its batch, as an
/// [IllegalStateException] that names the batch, after all batches before it.
///
/// @param <T> what the function makes
public final class CollatedLoader<T> implements Loader<T> {
  /// Turns a batch into something else.
  ///
  /// @param <T> what it makes
  @FunctionalInterface
  public interface Collate<T> {
    /// Turns a batch into something else.
    ///
    /// @param batch the batch; to be closed by the function, or with its result
    /// @return not null
    /// @throws Exception if it cannot
    T apply(Batch batch) throws Exception;
  }

  private final DataLoader loader;
  private final Collate<T> function;

  CollatedLoader(DataLoader loader, Collate<T> function) {
    this.loader = loader;
    this.function = function;
  }

  /// Starts the next epoch, ending the one before if it still runs.
  ///
  /// @return its batches as the function made them, in order
  @Override
  public EpochIterator<T> iterator() {
    return loader.start(function);
  }

  @Override
  public void setEpoch(long epoch) {
    loader.setEpoch(epoch);
  }

  @Override
  public long batchesPerEpoch() {
    return loader.batchesPerEpoch();
  }

  @Override
  public LoaderStats stats() {
    return loader.stats();
  }

  @Override
  public boolean hasState() {
    return loader.hasState();
  }

  @Override
  public LoaderState state() {
    return loader.state();
  }

  @Override
  public void resume(LoaderState state) {
    loader.resume(state);
  }

  /// Returns the loader of the batches.
  ///
  /// @return the loader
  public DataLoader loader() {
    return loader;
  }

  /// Closes the loader.
  @Override
  public void close() {
    loader.close();
  }
}
