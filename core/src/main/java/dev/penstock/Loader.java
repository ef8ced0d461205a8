package dev.penstock;

/// What delivers batches, epoch after epoch: of files ([DataLoader]), of Java objects
/// ([SampleLoader]), or what a function makes of batches ([CollatedLoader]).
///
/// **Ownership.** The caller closes the loader, and each batch it receives where that can be
/// closed.
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

  /// Sets the number of the next epoch. Epochs advance by themselves; this is for starting
  /// elsewhere.
  ///
  /// @param epoch the number that the next call of [#iterator()] starts, in `[0, 2^53]`
  /// @throws IllegalArgumentException if `epoch` is not in there
  void setEpoch(long epoch);

  /// Returns the number of batches in an epoch.
  ///
  /// @return how many
  /// @throws IllegalStateException if that is not known before the rows are read
  long batchesPerEpoch();

  /// Returns what the loader has done and waited for in its last epoch.
  ///
  /// @return the numbers, so far
  LoaderStats stats();

  /// Returns whether [#state()] may be asked for after any batch. Loaders of Java objects have no
  /// state; loaders of files whose batches come in no order, or whose workers make batches of their
  /// own, have one only between epochs.
  ///
  /// @return true if so
  boolean hasState();

  /// Returns where the next batch starts, to go on from there in another run. To be called by the
  /// thread that receives the batches: what it has received counts, what was read ahead does not.
  ///
  /// @return the state
  /// @throws IllegalStateException if the loader has none now, see [#hasState()]
  LoaderState state();

  /// Makes the next epoch go on where a state says.
  ///
  /// @param state what [#state()] of a loader of the same rows gave
  /// @throws IllegalArgumentException if the state is of other rows
  /// @throws IllegalStateException if the loader has no state, see [#hasState()]
  void resume(LoaderState state);

  /// Ends the epoch and frees everything. Batches that were received stay valid until they are
  /// closed. Calling it again does nothing.
  @Override
  void close();
}
