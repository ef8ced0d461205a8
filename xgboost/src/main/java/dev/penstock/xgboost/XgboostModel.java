package dev.penstock.xgboost;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.model.Model;
import dev.penstock.model.ModelInput;
import dev.penstock.spi.model.ModelFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import ml.dmlc.xgboost4j.java.XGBoostError;

/// A model that XGBoost saved, to score tables with.
///
/// Its input is the matrix `features`, in the order of training, with NaN for what is missing.
/// XGBoost reads it in the batch's memory, except for a linear booster, which needs a copy. Its
/// output `prediction` is what XGBoost's `predict` returns: `FLOAT32` of shape `[rows]`, or `[rows,
/// n]` if there are several values a row, such as the probabilities of classes. A model that was
/// stopped early, which has the attribute `best_iteration`, predicts with the trees up to that one,
/// as XGBoost's interface for scikit-learn does.
///
/// **Ownership.** [#close()] frees the model. Outputs stay valid.
///
/// **Threads.** Any number may call [#run] at once; with a linear booster they wait for each other.
public final class XgboostModel implements Model {
  private static final String FEATURES = "features";
  private static final String PREDICTION = "prediction";

  private final LoadedBooster booster;
  private final ModelInput input;
  private final Shape oneRow;
  private final String version;

  private XgboostModel(LoadedBooster booster, String version) throws XGBoostError {
    this.booster = booster;
    this.input =
        new ModelInput(
            FEATURES, DType.FLOAT32, List.of(-1L, booster.featureCount()), booster.featureNames());
    this.oneRow = booster.prepare();
    this.version = version;
  }

  /// {@return a model that one thread calls at a time}
  ///
  /// @param file the file, as `model.json` or `model.ubj`
  /// @throws IOException if it cannot be read, or XGBoost refuses it
  public static XgboostModel open(Path file) throws IOException {
    return open(file, 1);
  }

  /// {@return a model that several threads call at once}
  ///
  /// @param file the file, as `model.json` or `model.ubj`
  /// @param threads how many threads will call [#run] at once: XGBoost predicts for each by the
  ///   processors divided by this, at least one
  /// @throws IOException if it cannot be read, or XGBoost refuses it
  /// @throws IllegalArgumentException if `threads` is below 1
  public static XgboostModel open(Path file, int threads) throws IOException {
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be 1 or more, got " + threads + ".");
    }
    if (!Files.isRegularFile(file) || !XgboostFormat.begins(file)) {
      throw new IOException(
          refused(
              file, "a model as XGBoost saves it, JSON or UBJ, such as by save_model(\"m.ubj\")."));
    }
    String version = ModelFiles.sha256(file);
    int share = Math.max(1, Runtime.getRuntime().availableProcessors() / threads);
    LoadedBooster booster = null;
    try {
      booster = LoadedBooster.of(Files.readAllBytes(file), share);
      return new XgboostModel(booster, version);
    } catch (XGBoostError e) {
      if (booster != null) {
        booster.close();
      }
      throw new IOException(
          refused(file, "a model that XGBoost takes. It says: " + e.getMessage()), e);
    }
  }

  private static String refused(Path file, String expected) throws IOException {
    return "Cannot open '%s' as an XGBoost model: it is %s but expected %s"
        .formatted(file, ModelFiles.found(file), expected);
  }

  /// @throws XGBoostError if XGBoost fails
  /// @throws java.util.NoSuchElementException if the batch has no column `features`
  /// @throws IllegalArgumentException if it has another number of features than the model, a type
  ///   that XGBoost has not, or a null that is marked by a mask
  /// @throws IllegalStateException if this model or the batch is closed
  @Override
  public Map<String, Object> run(Batch batch) throws XGBoostError {
    long[] shape = batch.tensor(FEATURES).shape().dims();
    long given = shape.length == 1 ? 1 : shape[1];
    if (given != input.extents().get(1)) { // XGBoost takes features that are not given as missing
      throw new IllegalArgumentException(
          ("Cannot predict with column '%s': it has %s features but the model was trained with %s."
                  + " Give it the columns of training, in the same order.")
              .formatted(FEATURES, given, input.extents().get(1)));
    }
    if (batch.rowCount() == 0) { // XGBoost refuses it
      long[] none = oneRow.dims();
      none[0] = 0;
      return Map.of(PREDICTION, Tensor.of(new float[0], none));
    }
    return Map.of(PREDICTION, booster.predict(ArrayInterface.ofFeatures(batch, FEATURES)));
  }

  @Override
  public List<ModelInput> inputs() {
    return List.of(input);
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public void close() {
    booster.close();
  }
}
