package dev.penstock.djl;

import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Dataset;
import ai.djl.util.Progress;
import dev.penstock.Loader;
import dev.penstock.batch.Batch;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// A loader as a DJL dataset, for `EasyTrain.fit` and anything else that takes one.
///
/// Each pass over it is the loader's next epoch, with its batches, its order and its workers.
///
/// **Ownership.** You close the loader, after training. DJL closes the batches; arrays that outlive
/// their batch stay valid, see [DjlBatches].
///
/// **Threads.** One pass at a time, as the loader.
public final class DjlDataset implements Dataset {
  private final Loader<Batch> loader;
  private final List<String> data;
  private final List<String> labels;

  private DjlDataset(Loader<Batch> loader, List<String> data, List<String> labels) {
    this.loader = loader;
    this.data = data;
    this.labels = labels;
  }

  /// Returns the batches of a loader as a dataset.
  ///
  /// @param loader the loader, of tensors
  /// @param data the columns that the model is given, in order
  /// @param labels the columns that the loss is given, in order
  /// @return the dataset
  public static DjlDataset of(Loader<Batch> loader, List<String> data, List<String> labels) {
    return new DjlDataset(loader, List.copyOf(data), List.copyOf(labels));
  }

  /// Returns the batches of the loader's next epoch.
  ///
  /// @param manager the parent of the batches' managers
  /// @return the batches, each to be closed; an epoch for every iterator
  @Override
  public Iterable<ai.djl.training.dataset.Batch> getData(NDManager manager) {
    return () -> new Batches(manager);
  }

  /// Does nothing: a loader is ready.
  @Override
  public void prepare(@Nullable Progress progress) {}

  private final class Batches implements Iterator<ai.djl.training.dataset.Batch> {
    private final NDManager manager;
    private final Iterator<Batch> batches;
    private final long expected;
    private long delivered;

    Batches(NDManager manager) {
      this.manager = manager;
      this.expected = expectedBatches();
      this.batches = loader.iterator();
    }

    /// The number of batches is not always known, for example with a filter; DJL uses it for its
    /// progress bar.
    private long expectedBatches() {
      try {
        return loader.batchesPerEpoch();
      } catch (IllegalStateException _) {
        return 0;
      }
    }

    @Override
    public boolean hasNext() {
      return batches.hasNext();
    }

    @Override
    public ai.djl.training.dataset.Batch next() {
      if (!hasNext()) {
        throw new NoSuchElementException("The epoch is over.");
      }
      try (Batch batch = batches.next()) {
        long progress = delivered++;
        long total = Math.max(delivered, expected);
        return DjlBatches.batch(manager, batch, data, labels, progress, total);
      }
    }
  }
}
