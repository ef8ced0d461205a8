package dev.penstock;

import dev.penstock.batch.Batch;
import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.LoaderTotals;
import dev.penstock.steps.ExcludedRows;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A loader whose workers pass each batch to a user's function and deliver its result.
///
/// **Ownership.** The function owns the batch: it closes the batch after copying what it needs, or
/// returns a result that closes the batch. If the epoch stops before a result is received, the
/// loader closes the result if it is `AutoCloseable`, and its batch. Closing this closes the
/// loader.
///
/// **Memory.** The size of the results is unknown, so their number is limited: as in torch, at most
/// `prefetchFactor` results per worker are in progress or waiting to be received. More batches may
/// be ready for the function, within the loader's memory. If there are no workers, or all are busy,
/// the consumer calls the function itself.
///
/// **Threads.** As [DataLoader]. Several workers call the function at once; results come in batch
/// order.
///
/// **Errors.** If the function throws, the iterator delivers all earlier batches, then throws an
/// [IllegalStateException] that names the batch, with the function's exception as its direct cause;
/// an [java.io.UncheckedIOException] of an [java.io.IOException].
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
  public LoaderTotals totals() {
    return loader.totals();
  }

  @Override
  public List<EpochRecord> history() {
    return loader.history();
  }

  @Override
  public Optional<String> groupedBy() {
    return loader.groupedBy();
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

  @Override
  public Stream<StepRow> rowsOf(Steps steps) {
    return loader.rowsOf(steps);
  }

  @Override
  public void skip(Steps steps) {
    loader.skip(steps);
  }

  @Override
  public void exclude(ExcludedRows rows) {
    loader.exclude(rows);
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

  /// Shows the loader of the batches.
  @Override
  public String toString() {
    return "CollatedLoader of " + loader;
  }
}
