package dev.penstock.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.split.Rank;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A model is trained on some rows, saved, and scores other rows as a process of its own would.
class BatchMatrixTest {
  @TempDir static Path folder;

  private static final int ROWS = 20_000;
  private static final int MAX_BIN = 64;
  private static final String[] NAMES = {"a", "b", "c"};

  private static byte[] model = {};

  @BeforeAll
  static void train() throws IOException, XGBoostError {
    write("training.csv", 1);
    write("other.csv", 2);
    try (DataLoader loader = loader("training.csv", 4096)) {
      QuantileMatrix rows = QuantileMatrix.of(loader, "x", "y", MAX_BIN);
      Map<String, Object> parameters = Map.of("tree_method", "hist", "max_bin", MAX_BIN);
      Booster booster = XGBoost.train(rows, parameters, 20, Map.of(), null, null);
      booster.setFeatureNames(NAMES);
      model = booster.toByteArray();
      booster.dispose();
      rows.dispose();
    }
  }

  /// Three numbers of any size a row, some missing, and `y` which depends on them.
  private static void write(String file, long seed) throws IOException {
    Random random = new Random(seed);
    StringBuilder rows = new StringBuilder("a,b,c,y\n");
    for (int row = 0; row < ROWS; row++) {
      double a = random.nextGaussian();
      double b = random.nextDouble() * 100;
      double c = Math.exp(random.nextGaussian());
      String first = row % 50 == 0 ? "" : String.valueOf(a);
      rows.append(first + "," + b + "," + c + "," + (a * c + Math.sin(b)) + "\n");
    }
    Files.writeString(folder.resolve(file), rows);
  }

  private static DataLoader loader(String file, int batchSize, String... features) {
    return DataLoader.of(
        new StructuredDataset(folder.resolve(file).toString()),
        o -> o.batchSize(batchSize).features("x", features.length == 0 ? NAMES : features));
  }

  private static Booster loaded() throws IOException, XGBoostError {
    return XGBoost.loadModel(new ByteArrayInputStream(model));
  }

  private static float[][] scores(int batchSize) throws Exception {
    float[][] scores = new float[ROWS][];
    int row = 0;
    Booster booster = loaded();
    try (DataLoader loader = loader("other.csv", batchSize, booster.getFeatureNames())) {
      for (Batch batch : loader) {
        try (batch;
            BatchMatrix rows = BatchMatrix.of(batch, "x", booster)) {
          for (float[] score : booster.predict(rows)) {
            scores[row++] = score;
          }
        }
      }
    }
    booster.dispose();
    assertThat(row).isEqualTo(ROWS);
    return scores;
  }

  /// The rows in a Java array, as XGBoost's own interface wants them.
  private static float[][] expected() throws Exception {
    Booster booster = loaded();
    try (DataLoader loader = loader("other.csv", ROWS)) {
      for (Batch batch : loader) {
        try (batch) {
          float[] x = (float[]) batch.tensor("x").toArray();
          DMatrix rows = new DMatrix(x, ROWS, NAMES.length, Float.NaN);
          float[][] scores = booster.predict(rows);
          rows.dispose();
          booster.dispose();
          return scores;
        }
      }
    }
    throw new AssertionError("No rows");
  }

  @Test
  void scoresAreThoseOfAPlainMatrixBitForBit() throws Exception {
    float[][] expected = expected();
    assertThat(scores(512)).isDeepEqualTo(expected);
    assertThat(scores(7777)).isDeepEqualTo(expected);
  }

  /// Why there is a matrix to score with: bins of other rows round values to the other side of what
  /// the trees compare with.
  @Test
  void binsOfOtherRowsGiveOtherScores() throws Exception {
    float[][] expected = expected();
    Booster booster = loaded();
    try (DataLoader loader = loader("other.csv", 512)) {
      QuantileMatrix rows = QuantileMatrix.of(loader, "x", "y", MAX_BIN);
      float[][] scores = booster.predict(rows);
      int others = 0;
      for (int row = 0; row < ROWS; row++) {
        others += scores[row][0] == expected[row][0] ? 0 : 1;
      }
      assertThat(others).isGreaterThan(ROWS / 100);
      rows.dispose();
    }
    booster.dispose();
  }

  @Test
  void otherFeaturesThanTheModelsAreRefused() throws Exception {
    Booster booster = loaded();
    try (DataLoader loader = loader("other.csv", 512, "a", "b");
        Batch batch = loader.iterator().next()) {
      assertThatThrownBy(() -> BatchMatrix.of(batch, "x", booster))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Cannot predict with column 'x': it has 2 features but the model was trained with 3."
                  + " Give features(...) the columns of training, in the same order.");
      assertThatThrownBy(() -> BatchMatrix.of(batch, "nope", booster))
          .isInstanceOf(NoSuchElementException.class)
          .hasMessageContaining("nope");
    }
    booster.dispose();
  }

  @Test
  void aColumnIsAMatrixOfOneFeature() throws Exception {
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(folder.resolve("training.csv").toString()),
            o -> o.batchSize(ROWS))) {
      QuantileMatrix rows = QuantileMatrix.of(loader, "b", "y", MAX_BIN);
      Booster booster = XGBoost.train(rows, Map.of("max_bin", MAX_BIN), 2, Map.of(), null, null);
      try (Batch batch = loader.iterator().next();
          BatchMatrix plain = BatchMatrix.of(batch, "b", booster)) {
        assertThat(booster.predict(plain)).isDeepEqualTo(booster.predict(rows));
      }
      booster.dispose();
      rows.dispose();
    }
  }

  /// The last batch of a rank that has fewer rows than the others.
  @Test
  void aBatchOfNoRowsIsRefusedInWords() throws Exception {
    Files.writeString(folder.resolve("three.csv"), "a,b,c\n1,2,3\n4,5,6\n7,8,9\n");
    Booster booster = loaded();
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(folder.resolve("three.csv").toString()),
            o -> o.batchSize(1).features("x", NAMES).rank(new Rank(1, 2)))) {
      Iterator<Batch> batches = loader.iterator();
      batches.next().close();
      try (Batch batch = batches.next()) {
        assertThatThrownBy(() -> BatchMatrix.of(batch, "x", booster))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("Cannot predict with a batch of no rows. Skip batches");
      }
    }
    booster.dispose();
  }

  @Test
  void nullsThatAMaskMarksAreRefused() throws Exception {
    try (DataLoader loader =
            DataLoader.of(
                new StructuredDataset(folder.resolve("other.csv").toString()),
                o -> o.nulls(NullPolicy.mask()));
        Batch batch = loader.iterator().next()) {
      DMatrix one = new DMatrix(new float[] {1, 2}, 2, 1, Float.NaN);
      one.setLabel(new float[] {1, 2});
      Booster booster = XGBoost.train(one, Map.of(), 1, Map.of(), null, null);
      assertThatThrownBy(() -> BatchMatrix.of(batch, "a", booster))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'a.mask'");
      booster.dispose();
      one.dispose();
    }
  }
}
