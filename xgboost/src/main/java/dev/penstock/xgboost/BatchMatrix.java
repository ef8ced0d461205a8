package dev.penstock.xgboost;

import static java.lang.foreign.ValueLayout.ADDRESS;

import dev.penstock.batch.Batch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoostError;

/// The rows of a batch as XGBoost's plain matrix, to predict with.
///
/// ```java
/// try (batch;
///     BatchMatrix rows = BatchMatrix.of(batch, "x", booster)) {
///   float[][] scores = booster.predict(rows);
/// }
/// ```
///
/// It holds the values themselves, so predictions are the same in every process and for every batch
/// size. No label is needed.
///
/// **Ownership.** XGBoost copies the features: you may close the batch as soon as the matrix is
/// made. Closing the matrix frees its memory, as [#dispose()] does.
///
/// **Threads.** As any `DMatrix`.
public final class BatchMatrix extends DMatrix implements AutoCloseable {
  private BatchMatrix(long handle) {
    super(handle);
  }

  /// Makes the matrix of a batch for a model.
  ///
  /// XGBoost knows features by their place alone. So give `features(...)` the columns in the order
  /// of training: keep them with the model by [Booster#setFeatureNames], and take them from there.
  ///
  /// @param batch a batch of tensors; you still close it
  /// @param features the column or feature matrix; NaN counts as missing
  /// @param booster the model
  /// @return the matrix, to be closed
  /// @throws XGBoostError if XGBoost refuses the data
  /// @throws java.util.NoSuchElementException if there is no such column, or it is not a tensor
  /// @throws IllegalArgumentException if the batch has no rows, the model was trained with another
  ///   number of features, XGBoost has no such type, or a null is marked by a mask
  /// @throws IllegalStateException if the batch is closed
  public static BatchMatrix of(Batch batch, String features, Booster booster) throws XGBoostError {
    if (batch.rowCount() == 0) { // XGBoost4J's predict would throw a NullPointerException
      throw new IllegalArgumentException(
          "Cannot predict with a batch of no rows. Skip batches whose rowCount() is 0: a rank may end"
              + " with one.");
    }
    long[] shape = batch.tensor(features).shape().dims();
    long given = shape.length == 1 ? 1 : shape[1];
    if (given != booster.getNumFeature()) { // XGBoost takes features that are not given as missing
      throw new IllegalArgumentException(
          ("Cannot predict with column '%s': it has %s features but the model was trained with %s."
                  + " Give features(...) the columns of training, in the same order.")
              .formatted(features, given, booster.getNumFeature()));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result = arena.allocate(ADDRESS);
      NativeXgboost.CREATE_DENSE.call(
          arena.allocateFrom(ArrayInterface.ofFeatures(batch, features)),
          arena.allocateFrom("{\"missing\":NaN,\"nthread\":0}"),
          result);
      return new BatchMatrix(result.get(ADDRESS, 0).address());
    }
  }

  /// Frees the matrix; further calls do nothing.
  @Override
  public void close() {
    dispose();
  }
}
