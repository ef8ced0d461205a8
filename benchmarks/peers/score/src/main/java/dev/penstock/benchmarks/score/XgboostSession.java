package dev.penstock.benchmarks.score;

import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/// XGBoost over arrays that are filled before, by `inplace_predict`.
final class XgboostSession implements ScoreMemory.Session {
  private static final int FEATURES = 64;

  private final Booster booster;
  private final List<float[]> batches = new ArrayList<>();

  XgboostSession(Path model, List<FloatBuffer> batches, int threads) throws XGBoostError {
    booster = XGBoost.loadModel(model.toString());
    booster.setParam("nthread", threads);
    for (FloatBuffer batch : batches) {
      float[] rows = new float[batch.capacity()];
      batch.get(0, rows);
      this.batches.add(rows);
    }
  }

  @Override
  public float[] run(int batch) throws XGBoostError {
    float[] rows = batches.get(batch);
    float[][] scores = booster.inplace_predict(rows, rows.length / FEATURES, FEATURES, Float.NaN);
    float[] copied = new float[scores.length];
    for (int row = 0; row < copied.length; row++) {
      copied[row] = scores[row][0];
    }
    return copied;
  }
}
