package dev.penstock.xgboost;

import dev.penstock.Loader;
import dev.penstock.batch.Batch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.jspecify.annotations.Nullable;

/// The rows of a loader as XGBoost's quantile matrix, to train and evaluate with.
///
/// XGBoost reads the batches in the loader's own memory, one after another, and keeps only the bin
/// number of each value. The original rows are never all in memory.
///
/// **Not for scoring.** A value counts as the edge of its bin. Only the bins of training have their
/// edges where the trees compare: over bins of other rows, as a program that only predicts would
/// make them, a model gives other scores, without an error. Score with [BatchMatrix].
///
/// **Ownership.** The matrix belongs to XGBoost; free it with [#dispose()]. You may close the
/// loader as soon as the matrix is made.
///
/// **Ranking.** If the loader delivers [whole groups][Loader#groupedBy()], they are the queries to
/// rank: XGBoost gets their sizes.
///
/// **Threads.** As any `DMatrix`. While it is being made, nothing else may iterate over the loader.
///
/// **Order.** XGBoost reads the rows several times, so the loader repeats one epoch: its next one,
/// or the rest of the one that it resumes. With the same seed the matrix is the same in every run.
public final class QuantileMatrix extends DMatrix {
  private QuantileMatrix(long handle) {
    super(handle);
  }

  /// Makes a matrix to train with, in bins of its own: predict with it only what was trained on it.
  ///
  /// @param loader the loader, of tensors; XGBoost gets its next epoch
  /// @param features the column or feature matrix; NaN counts as missing
  /// @param label the column to learn
  /// @param maxBin the most bins of a feature, as in the training parameter `max_bin`, which must
  ///   have the same value
  /// @return the matrix
  /// @throws XGBoostError if XGBoost refuses the data
  /// @throws java.util.NoSuchElementException if there is no such column, or it is not a tensor
  /// @throws IllegalArgumentException if `maxBin` is below 2, the loader has no state to repeat an
  ///   epoch from, the epoch has no rows, XGBoost has no such type, or a null is marked by a mask
  /// @throws java.io.UncheckedIOException if a file cannot be read
  public static QuantileMatrix of(Loader<Batch> loader, String features, String label, int maxBin)
      throws XGBoostError {
    return make(loader, features, label, maxBin, null);
  }

  /// Makes a matrix to evaluate with, using the bins of the training matrix.
  ///
  /// @param loader the loader, of tensors; XGBoost gets its next epoch
  /// @param features the column or feature matrix; NaN counts as missing
  /// @param label the column to learn
  /// @param maxBin the same as for the training matrix
  /// @param training the training matrix
  /// @return the matrix
  /// @throws XGBoostError if XGBoost refuses the data
  /// @throws java.util.NoSuchElementException if there is no such column, or it is not a tensor
  /// @throws IllegalArgumentException if `maxBin` is below 2, the loader has no state to repeat an
  ///   epoch from, the epoch has no rows, XGBoost has no such type, or a null is marked by a mask
  /// @throws IllegalStateException if the training matrix is disposed
  /// @throws java.io.UncheckedIOException if a file cannot be read
  public static QuantileMatrix of(
      Loader<Batch> loader, String features, String label, int maxBin, QuantileMatrix training)
      throws XGBoostError {
    return make(loader, features, label, maxBin, training);
  }

  private static QuantileMatrix make(
      Loader<Batch> loader,
      String features,
      String label,
      int maxBin,
      @Nullable QuantileMatrix training)
      throws XGBoostError {
    if (maxBin < 2) {
      throw new IllegalArgumentException("maxBin must be 2 or more, got " + maxBin + ".");
    }
    if (!loader.hasState()) {
      throw new IllegalArgumentException(
          "Cannot make a matrix of a loader without a state: XGBoost goes through the rows several"
              + " times, and would join the features of one row to the label of another. Take a"
              + " loader of files, without inOrder(false) and splitPerWorker(true).");
    }
    if (training != null && training.getHandle() == 0) {
      throw new IllegalStateException(
          "Cannot use the bins of the training matrix: it is disposed. Dispose of it last.");
    }
    MemorySegment reference =
        training == null ? MemorySegment.NULL : MemorySegment.ofAddress(training.getHandle());
    try (Arena arena = Arena.ofConfined();
        BatchFeed feed = new BatchFeed(loader, features, label, arena)) {
      return new QuantileMatrix(feed.matrix(reference, maxBin));
    }
  }
}
