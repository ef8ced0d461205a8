package dev.penstock;

import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.LoaderTotals;
import dev.penstock.steps.ExcludedRows;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// Delivers batches, epoch after epoch: from files ([DataLoader]), from Java objects
/// ([SampleLoader]), or as a function's results ([CollatedLoader]).
///
/// **Ownership.** The caller closes the loader, and each batch it receives if batches are
/// closeable.
///
/// **Threads.** One thread iterates at a time; [#close()] may be called from any.
///
/// @param <T> what a batch is delivered as
public interface Loader<T> extends Iterable<T>, AutoCloseable {
  /// Starts the next epoch, ending the one before if it still runs.
  ///
  /// @return its batches, in order
  /// @throws IllegalStateException if the loader is closed
  @Override
  EpochIterator<T> iterator();

  /// Returns the batches of the next epoch as a stream, which starts the epoch with its terminal
  /// operation.
  ///
  /// **Ownership.** A batch that is closeable is closed when the operations are done with it, also
  /// if they throw. So map batches to what you keep: those that a collector, `findFirst()` or the
  /// stream's iterator gives are closed already. A stream that ends early or throws leaves the
  /// epoch open until the stream is closed, the next epoch starts, or the loader is closed.
  ///
  /// @return the batches, in order, one after another even in a parallel stream
  default Stream<T> stream() {
    StreamedBatches<T> batches = new StreamedBatches<>(this);
    return StreamSupport.stream(batches, false).onClose(batches::close);
  }

  /// Sets the number of the next epoch. Epochs advance by themselves; use this to start at another
  /// one.
  ///
  /// @param epoch the number of the epoch that [#iterator()] starts next, in `[0, 2^53]`
  /// @throws IllegalArgumentException if `epoch` is out of range
  void setEpoch(long epoch);

  /// Returns the number of batches in an epoch.
  ///
  /// @return how many
  /// @throws IllegalStateException if that is not known before the rows are read
  long batchesPerEpoch();

  /// Returns what the loader did and waited for in its last epoch.
  ///
  /// @return the numbers, so far
  LoaderStats stats();

  /// Returns what the loader did and waited for in all its epochs. The numbers never decrease.
  ///
  /// @return the sums over the epochs, up to now; any thread may ask, also after [#close()]
  LoaderTotals totals();

  /// Returns what each epoch came to: those that ended or were left, at most the last 100, and the
  /// one that runs.
  ///
  /// @return the epochs in the order in which they were started; with what happened when for the
  ///   last ten, if [dev.penstock.options.LoaderOptions#record(boolean)] is on
  List<EpochRecord> history();

  /// Writes a page that shows where the time of the epochs went: who read what, what the workers
  /// and the consumer did when, and what to change. With
  /// [dev.penstock.options.LoaderOptions#record(boolean)] it has a timeline; without, sums. It
  /// needs the module `penstock-report`.
  ///
  /// @param file the HTML file to write; one that exists is replaced
  /// @throws java.io.IOException if it cannot be written
  /// @throws IllegalStateException if the module is absent
  default void report(Path file) throws IOException {
    Reports.write(this, file);
  }

  /// Returns the column whose [groups][dev.penstock.compose.Composition#groups] come whole, in one
  /// batch each. A loader that wraps another returns that one's.
  ///
  /// @return its name; empty without groups
  Optional<String> groupedBy();

  /// Returns whether [#state()] may be called after any batch. Loaders of Java objects have no
  /// state. Loaders of files have one only between epochs if batches come out of order or each
  /// worker makes its own batches.
  ///
  /// @return true if so
  boolean hasState();

  /// Returns where the next batch starts, so that another run can continue there. Call it on the
  /// thread that receives the batches: only received batches count, not what was read ahead.
  ///
  /// @return the state
  /// @throws IllegalStateException if the loader has none now, see [#hasState()]
  LoaderState state();

  /// Makes the next epoch continue at a state.
  ///
  /// @param state the [#state()] of a loader of the same rows
  /// @throws IllegalArgumentException if the state belongs to other rows
  /// @throws IllegalStateException if the loader has no state, see [#hasState()]
  void resume(LoaderState state);

  /// Returns which rows steps had or will have in the epoch of [#state()], see [DataLoader#rowsOf].
  ///
  /// @param steps which
  /// @return by step, then rank, then place
  /// @throws IllegalStateException if only reading tells, or the loader has no state
  default Stream<StepRow> rowsOf(Steps steps) {
    throw noSteps();
  }

  /// Leaves out steps of the epoch of [#state()], see [DataLoader#skip].
  ///
  /// @param steps which; those that were received already stay so
  /// @throws IllegalStateException if the loader has no state, see [#hasState()]
  default void skip(Steps steps) {
    throw noSteps();
  }

  /// Leaves out rows from the next step on, see [DataLoader#exclude].
  ///
  /// @param rows which
  /// @throws IllegalArgumentException if no file has one of them
  /// @throws IllegalStateException if the loader has no state, see [#hasState()]
  default void exclude(ExcludedRows rows) {
    throw noSteps();
  }

  private static IllegalStateException noSteps() {
    return new IllegalStateException("A loader of Java objects has no state, and no steps in it.");
  }

  /// Ends the epoch and frees everything. Batches that were received stay valid until they are
  /// closed. Calling it again does nothing.
  @Override
  void close();
}
