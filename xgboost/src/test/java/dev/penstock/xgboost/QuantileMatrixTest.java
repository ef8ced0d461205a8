package dev.penstock.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.CollatedLoader;
import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.Loader;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.Tensor;
import dev.penstock.compose.Composition;
import dev.penstock.data.TensorDataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuantileMatrixTest {
  @TempDir Path folder;

  private static final String FLIGHTS =
      Path.of(
              Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."),
              "cli/src/main/resources/dev/penstock/cli/demo/flights/part-7.parquet")
          .toString();

  /// More bins than there are distances, so that bins lose nothing, however rows are cut.
  private static final int MAX_BIN = 4096;

  private static DataLoader loader(int batchSize, boolean shuffle) {
    return DataLoader.of(
        new StructuredDataset(FLIGHTS).columns("distance", "delay"),
        o -> o.batchSize(batchSize).workers(2).shuffle(shuffle).features("x", "distance"));
  }

  private static float[] trained(DMatrix matrix) throws XGBoostError {
    Map<String, Object> parameters =
        Map.of(
            "objective",
            "reg:squarederror",
            "tree_method",
            "hist",
            "max_depth",
            5,
            "max_bin",
            MAX_BIN,
            "nthread",
            1);
    Booster booster = XGBoost.train(matrix, parameters, 10, Map.of(), null, null);
    float[][] predictions = booster.predict(matrix);
    float[] first = new float[predictions.length];
    for (int row = 0; row < first.length; row++) {
      first[row] = predictions[row][0];
    }
    booster.dispose();
    return first;
  }

  /// All rows in Java arrays, as XGBoost's own interface wants them.
  private static DMatrix inMemory() throws XGBoostError {
    try (DataLoader loader = loader(1 << 20, false)) {
      for (Batch batch : loader) {
        try (batch) {
          float[] x = (float[]) batch.tensor("x").toArray();
          DMatrix matrix = new DMatrix(x, x.length, 1, Float.NaN);
          float[] delays = new float[x.length];
          for (int row = 0; row < delays.length; row++) {
            delays[row] = (float) batch.tensor("delay").getDouble(row);
          }
          matrix.setLabel(delays);
          return matrix;
        }
      }
    }
    throw new AssertionError("No flights");
  }

  /// Groups of 1, 2, 3 rows and so on, with texts and with numbers as keys.
  @Test
  void groupsAreTheQueriesToRank() throws IOException, XGBoostError {
    StringBuilder rows = new StringBuilder("query,number,x,y\n");
    int[] sizes = IntStream.rangeClosed(1, 20).toArray();
    for (int size : sizes) {
      for (int row = 0; row < size; row++) {
        rows.append(String.format(Locale.ROOT, "q%03d,%d,%d,%d%n", size, size, row, row % 3));
      }
    }
    Files.writeString(folder.resolve("rows.csv"), rows);
    for (String key : List.of("query", "number")) {
      try (Loader<Batch> loader =
          DataLoader.of(
                  new StructuredDataset(folder.resolve("rows.csv").toString()),
                  o -> o.batchSize(30).features("f", "x").compose(Composition.groups(key)))
              .collate(batch -> batch)) {
        QuantileMatrix matrix = QuantileMatrix.of(loader, "f", "y", 16);
        int[] ends = matrix.getGroup();
        int[] expected = new int[sizes.length + 1];
        for (int i = 0; i < sizes.length; i++) {
          expected[i + 1] = expected[i] + sizes[i];
        }
        assertThat(ends).isEqualTo(expected);
        Map<String, Object> parameters = Map.of("objective", "rank:ndcg", "max_bin", 16);
        XGBoost.train(matrix, parameters, 2, Map.of(), null, null).dispose();
        matrix.dispose();
      }
    }
  }

  @Test
  void modelIsThatOfTheSameRowsInMemory() throws XGBoostError {
    DMatrix expected = inMemory();
    QuantileMatrix streamed;
    try (DataLoader loader = loader(1000, false)) {
      streamed = QuantileMatrix.of(loader, "x", "delay", MAX_BIN);
    }
    assertThat(streamed.rowNum()).isEqualTo(37_500);
    assertThat(streamed.getLabel()).isEqualTo(expected.getLabel());
    Set<Float> distances = new TreeSet<>();
    float[] predictions = trained(streamed);
    for (float prediction : predictions) {
      distances.add(prediction);
    }
    assertThat(distances).as("different predictions").hasSizeGreaterThan(5);
    assertThat(predictions).isEqualTo(trained(expected));
    streamed.dispose();
    expected.dispose();
  }

  @Test
  void rowsAreInTheOrderOfOneEpoch() throws XGBoostError {
    List<Float> delays = new ArrayList<>();
    try (DataLoader loader = loader(1000, true)) {
      loader.setEpoch(3);
      for (Batch batch : loader) {
        try (batch) {
          for (int row = 0; row < batch.rowCount(); row++) {
            delays.add((float) batch.tensor("delay").getDouble(row));
          }
        }
      }
      loader.setEpoch(3);
      QuantileMatrix matrix = QuantileMatrix.of(loader, "x", "delay", MAX_BIN);
      List<Float> labels = new ArrayList<>();
      for (float label : matrix.getLabel()) {
        labels.add(label);
      }
      assertThat(labels.equals(delays)).isTrue();
      matrix.dispose();
      assertThat(loader.state().epoch()).isEqualTo(4);
    }
  }

  @Test
  void matrixIsOfWhatTheLoaderDeliversNext() throws XGBoostError {
    try (DataLoader loader = loader(1000, true)) {
      LoaderState within;
      try (EpochIterator<Batch> batches = loader.iterator()) {
        batches.next().close();
        within = loader.state();
      }
      QuantileMatrix next = QuantileMatrix.of(loader, "x", "delay", 16);
      assertThat(next.rowNum()).isEqualTo(37_500);
      assertThat(loader.state().epoch()).as("epoch 0 was left").isEqualTo(2);
      loader.resume(within);
      QuantileMatrix rest = QuantileMatrix.of(loader, "x", "delay", 16);
      assertThat(rest.rowNum()).isEqualTo(36_500);
      assertThat(loader.state().epoch()).isEqualTo(1);
      next.dispose();
      rest.dispose();
    }
  }

  @Test
  void aLoaderThatCannotRepeatAnEpochIsRefused() {
    StructuredDataset flights = new StructuredDataset(FLIGHTS);
    for (Loader<Batch> loader :
        List.of(
            DataLoader.of(flights, o -> o.inOrder(false)),
            DataLoader.of(flights, o -> o.splitPerWorker(true)),
            DataLoader.of(TensorDataset.of(Map.of("x", Tensor.of(new float[] {1})))))) {
      try (loader) {
        assertThatThrownBy(() -> QuantileMatrix.of(loader, "distance", "delay", 16))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("Take a loader of files, without inOrder(false)");
      }
    }
  }

  @Test
  void anyLoaderOfBatchesWithAStateWillDo() throws XGBoostError {
    AtomicInteger seen = new AtomicInteger();
    try (CollatedLoader<Batch> listening =
        loader(1000, false)
            .collate(batch -> {
              seen.addAndGet(batch.rowCount());
              return batch;
            })) {
      QuantileMatrix matrix = QuantileMatrix.of(listening, "x", "delay", 16);
      assertThat(matrix.rowNum()).isEqualTo(37_500);
      assertThat(seen.get()).isPositive();
      matrix.dispose();
    }
  }

  @Test
  void nullsThatAMaskMarksAreRefused() throws Exception {
    Path file = folder.resolve("rows.csv");
    Files.writeString(file, "id,x\n1,0.5\n2,\n3,1.5\n");
    StructuredDataset rows = new StructuredDataset(file.toString());
    try (DataLoader masked =
        DataLoader.of(rows, o -> o.nulls(NullPolicy.mask()).features("f", "x"))) {
      QuantileMatrix matrix = QuantileMatrix.of(masked, "f", "id", 16);
      assertThat(matrix.nonMissingNum()).isEqualTo(2);
      matrix.dispose();
    }
    try (DataLoader masked = DataLoader.of(rows, o -> o.nulls(NullPolicy.mask()))) {
      assertThatThrownBy(() -> QuantileMatrix.of(masked, "x", "id", 16))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'x'")
          .hasMessageContaining("'x.mask'");
      assertThatThrownBy(() -> QuantileMatrix.of(masked, "id", "x", 16))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'x.mask'");
    }
  }

  @Test
  void anEpochWithoutRowsIsRefusedInWords() {
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(FLIGHTS).columns("distance", "delay").where("distance < 0"),
            o -> o.workers(0).features("x", "distance"))) {
      assertThatThrownBy(() -> QuantileMatrix.of(loader, "x", "delay", 16))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Cannot make a quantile matrix: the loader's epoch has no rows, but XGBoost needs at"
                  + " least one. Check the files, the filter and where the loader resumes.");
    }
  }

  @Test
  void whatXgboostRefusesComesWithoutTheTraceOfItsFunctions() throws Exception {
    Path file = folder.resolve("rows.csv");
    Files.writeString(file, "id,x\n1,Infinity\n2,2\n");
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(file.toString()), o -> o.workers(0).features("f", "x"))) {
      assertThatThrownBy(() -> QuantileMatrix.of(loader, "f", "id", 16))
          .isInstanceOf(XGBoostError.class)
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain("Stack trace", "[bt]"));
    }
  }

  @Test
  void binsOfADisposedMatrixAreRefused() throws XGBoostError {
    try (DataLoader loader = loader(1000, false)) {
      QuantileMatrix training = QuantileMatrix.of(loader, "x", "delay", 16);
      training.dispose();
      assertThatThrownBy(() -> QuantileMatrix.of(loader, "x", "delay", 16, training))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("it is disposed");
    }
  }

  @Test
  void heldOutRowsHaveTheBinsOfTraining() throws XGBoostError {
    try (DataLoader loader = loader(1000, false)) {
      QuantileMatrix training = QuantileMatrix.of(loader, "x", "delay", MAX_BIN);
      QuantileMatrix other = QuantileMatrix.of(loader, "x", "delay", MAX_BIN, training);
      assertThat(other.rowNum()).isEqualTo(training.rowNum());
      other.dispose();
      training.dispose();
    }
  }

  @Test
  void failureOfTheLoaderIsThrownAsItIs() throws XGBoostError {
    AtomicInteger blocks = new AtomicInteger();
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(FLIGHTS).columns("distance", "delay"),
            o ->
                o.batchSize(1000)
                    .transform((block, context) -> {
                      if (blocks.incrementAndGet() > 2) {
                        throw new IllegalStateException("power cut");
                      }
                      return block;
                    }))) {
      assertThatThrownBy(() -> QuantileMatrix.of(loader, "distance", "delay", 16))
          .isInstanceOf(RuntimeException.class)
          .hasStackTraceContaining("power cut");
    }
  }

  @Test
  void requestsThatCannotBeAreRefused() throws XGBoostError {
    try (DataLoader loader = loader(1000, false)) {
      assertThatThrownBy(() -> QuantileMatrix.of(loader, "x", "nope", 16))
          .isInstanceOf(NoSuchElementException.class)
          .hasMessageContaining("nope");
      assertThatThrownBy(() -> QuantileMatrix.of(loader, "x", "delay", 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("maxBin must be 2 or more, got 1.");
    }
  }

  @Test
  void closedLoaderIsSaid() {
    DataLoader loader = loader(1000, false);
    loader.close();
    assertThatThrownBy(() -> QuantileMatrix.of(loader, "x", "delay", 16))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }
}
