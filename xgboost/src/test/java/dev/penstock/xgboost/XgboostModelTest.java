package dev.penstock.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Lease;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.model.Model;
import dev.penstock.model.ModelInput;
import dev.penstock.spi.model.ModelFormat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class XgboostModelTest {
  private static final int ROWS = 1000;
  private static final int FEATURES = 5;

  @TempDir Path folder;

  private final Arena arena = Arena.ofShared();

  @AfterEach
  void free() {
    arena.close();
  }

  /// Rows of which some values are missing.
  private static float[] values(long seed) {
    Random random = new Random(seed);
    float[] values = new float[ROWS * FEATURES];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(20) == 0 ? Float.NaN : (float) random.nextGaussian() * (i % 7);
    }
    return values;
  }

  private static DMatrix matrix(long seed) throws XGBoostError {
    return new DMatrix(values(seed), ROWS, FEATURES, Float.NaN);
  }

  private static Booster trained(Map<String, Object> parameters) throws XGBoostError {
    float[] x = values(1);
    int classes = (int) parameters.getOrDefault("num_class", 2);
    float[] labels = new float[ROWS];
    for (int row = 0; row < ROWS; row++) {
      float first = x[row * FEATURES];
      labels[row] = Float.isNaN(first) ? 0 : (int) Math.min(classes - 1, Math.abs(first * 3));
    }
    DMatrix rows = matrix(1);
    rows.setLabel(labels);
    if (String.valueOf(parameters.get("objective")).startsWith("rank:")) {
      int[] groups = new int[ROWS / 10];
      Arrays.fill(groups, 10);
      rows.setGroup(groups);
    }
    Map<String, Object> all = new HashMap<>(parameters);
    all.put("max_depth", 4);
    all.put("nthread", 1);
    Booster booster = XGBoost.train(rows, all, 8, Map.of(), null, null);
    rows.dispose();
    return booster;
  }

  private static Booster regression() throws XGBoostError {
    return trained(Map.of("objective", "reg:squarederror"));
  }

  private Path saved(Booster booster, String name) throws XGBoostError {
    Path file = folder.resolve(name);
    booster.saveModel(file.toString());
    return file;
  }

  private Batch batch(long seed, int from, int rows) {
    MemorySegment memory = arena.allocate(4L * rows * FEATURES + 1, 64);
    MemorySegment part = memory.asSlice(0, 4L * rows * FEATURES);
    part.copyFrom(
        MemorySegment.ofArray(values(seed)).asSlice(4L * from * FEATURES, 4L * rows * FEATURES));
    Lease lease = new Lease(() -> memory.fill((byte) 7));
    Tensor features = Tensor.of(DType.FLOAT32, Shape.of(rows, FEATURES), part, lease);
    return Batch.of(rows, Map.of("features", features), lease);
  }

  private static Tensor prediction(Model model, Batch batch) throws Exception {
    Map<String, Object> outputs = model.run(batch);
    assertThat(outputs).containsOnlyKeys("prediction");
    return (Tensor) Objects.requireNonNull(outputs.get("prediction"));
  }

  private static float[] flat(float[][] rows) {
    float[] all = new float[rows.length * rows[0].length];
    for (int i = 0; i < all.length; i++) {
      all[i] = rows[i / rows[0].length][i % rows[0].length];
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource({
    "reg:squarederror, gbtree, 2, 1",
    "reg:absoluteerror, gbtree, 2, 1",
    "count:poisson, gbtree, 2, 1",
    "binary:logistic, gbtree, 2, 1",
    "binary:logitraw, gbtree, 2, 1",
    "binary:logistic, gblinear, 2, 1",
    "rank:ndcg, gbtree, 2, 1",
    "multi:softmax, gbtree, 3, 1",
    "multi:softprob, gbtree, 3, 3",
    "multi:softprob, gblinear, 3, 3",
  })
  void predictionsAreThoseOfXgboostsOwnMatrixBitForBit(
      String objective, String booster, int classes, int width) throws Exception {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("objective", objective);
    parameters.put("booster", booster);
    parameters.put("num_parallel_tree", objective.equals("multi:softprob") ? 2 : 1);
    if (classes > 2) {
      parameters.put("num_class", classes);
    }
    Booster trained = trained(parameters);
    DMatrix rows = matrix(2);
    float[] expected = flat(trained.predict(rows));
    rows.dispose();
    for (String name : List.of("m.json", "m.ubj")) {
      try (XgboostModel model = XgboostModel.open(saved(trained, name), 2);
          Batch batch = batch(2, 0, ROWS)) {
        Tensor prediction = prediction(model, batch);
        assertThat(prediction.shape())
            .isEqualTo(width == 1 ? Shape.of(ROWS) : Shape.of(ROWS, width));
        assertThat((float[]) prediction.toArray()).isEqualTo(expected);
      }
    }
    trained.dispose();
  }

  /// Their weighted trees are added up in another order, as in XGBoost's interface for
  /// scikit-learn.
  @Test
  void predictionsOfDartAreThoseOfXgboostsOwnMatrixButForRounding() throws Exception {
    Booster trained =
        trained(
            Map.of("objective", "binary:logistic", "booster", "dart", "rate_drop", 0.5, "seed", 3));
    DMatrix rows = matrix(2);
    try (XgboostModel model = XgboostModel.open(saved(trained, "m.ubj"));
        Batch batch = batch(2, 0, ROWS)) {
      assertThat((float[]) prediction(model, batch).toArray())
          .containsExactly(flat(trained.predict(rows)), Offset.offset(1e-6f));
    }
    rows.dispose();
    trained.dispose();
  }

  @Test
  void baseScoreIsAdded() throws Exception {
    Booster trained = trained(Map.of("objective", "reg:squarederror", "base_score", 1000));
    DMatrix rows = matrix(2);
    try (XgboostModel model = XgboostModel.open(saved(trained, "m.ubj"));
        Batch batch = batch(2, 0, ROWS)) {
      float[] predictions = (float[]) prediction(model, batch).toArray();
      assertThat(predictions).isEqualTo(flat(trained.predict(rows)));
      assertThat(predictions[0]).isGreaterThan(10);
    }
    rows.dispose();
    trained.dispose();
  }

  @Test
  void modelThatWasStoppedEarlyPredictsWithItsBestIteration() throws Exception {
    Booster trained = regression();
    trained.setAttr("best_iteration", "2");
    DMatrix rows = matrix(2);
    try (XgboostModel model = XgboostModel.open(saved(trained, "m.json"));
        Batch batch = batch(2, 0, ROWS)) {
      float[] predictions = (float[]) prediction(model, batch).toArray();
      assertThat(predictions).isEqualTo(flat(trained.predict(rows, false, 3)));
      assertThat(predictions).isNotEqualTo(flat(trained.predict(rows)));
    }
    rows.dispose();
    trained.dispose();
  }

  @Test
  void modelSaysItsFeatures() throws Exception {
    Booster trained = regression();
    try (XgboostModel model = XgboostModel.open(saved(trained, "m.json"))) {
      assertThat(model.inputs())
          .containsExactly(new ModelInput("features", DType.FLOAT32, List.of(-1L, 5L), List.of()));
    }
    trained.setFeatureNames(new String[] {"a", "b", "c", "d", "e"});
    try (XgboostModel model = XgboostModel.open(saved(trained, "m.ubj"))) {
      assertThat(model.inputs().getFirst().columns()).containsExactly("a", "b", "c", "d", "e");
    }
    Path json = saved(trained, "m.json");
    Files.writeString(json, Files.readString(json).replace("\"e\"", "\"é\""));
    try (XgboostModel model = XgboostModel.open(json)) {
      assertThat(model.inputs().getFirst().columns()).containsExactly("a", "b", "c", "d", "é");
    }
    trained.dispose();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gbtree", "gblinear"})
  void manyThreadsRunItAtOnce(String booster) throws Exception {
    Map<String, Object> parameters = new HashMap<>(Map.of("objective", "binary:logistic"));
    parameters.put("booster", booster);
    Booster trained = trained(parameters);
    DMatrix rows = matrix(2);
    float[] expected = flat(trained.predict(rows));
    rows.dispose();
    try (XgboostModel model = XgboostModel.open(saved(trained, "m.ubj"), 4);
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int first = thread;
        all.add(
            threads.submit(() -> {
              for (int from = first * 10; from < ROWS - 40; from += 40) {
                try (Batch batch = batch(2, from, 37)) {
                  assertThat((float[]) prediction(model, batch).toArray())
                      .isEqualTo(Arrays.copyOfRange(expected, from, from + 37));
                }
              }
              return null;
            }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
    trained.dispose();
  }

  @Test
  void predictionsStayWhenBatchAndModelAreClosed() throws Exception {
    Booster trained = regression();
    Tensor kept;
    float[] before;
    try (XgboostModel model = XgboostModel.open(saved(trained, "m.ubj"))) {
      try (Batch batch = batch(2, 0, 10)) {
        kept = prediction(model, batch);
        before = (float[]) kept.toArray();
      }
      try (Batch batch = batch(3, 0, 10)) {
        prediction(model, batch);
      }
    }
    assertThat((float[]) kept.toArray()).isEqualTo(before);
    trained.dispose();
  }

  @Test
  void batchWithoutRowsHasTheSameShape() throws Exception {
    Booster regression = regression();
    Booster classes = trained(Map.of("objective", "multi:softprob", "num_class", 3));
    try (XgboostModel one = XgboostModel.open(saved(regression, "one.ubj"));
        XgboostModel several = XgboostModel.open(saved(classes, "several.ubj"));
        Batch batch = batch(2, 0, 0)) {
      assertThat(prediction(one, batch).shape()).isEqualTo(Shape.of(0));
      assertThat(prediction(several, batch).shape()).isEqualTo(Shape.of(0, 3));
    }
    regression.dispose();
    classes.dispose();
  }

  @Test
  void otherFeaturesThanTheModelsAreRefused() throws Exception {
    Booster trained = regression();
    MemorySegment memory = arena.allocate(ValueLayout.JAVA_FLOAT, 8);
    Tensor narrow = Tensor.of(DType.FLOAT32, Shape.of(2, 4), memory);
    XgboostModel model = XgboostModel.open(saved(trained, "m.ubj"));
    trained.dispose();
    Batch batch = Batch.of(2, Map.of("features", narrow), new Lease(() -> {}));
    assertThatThrownBy(() -> model.run(batch))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot predict with column 'features': it has 4 features but the model was trained with"
                + " 5. Give it the columns of training, in the same order.");
    Batch whole = batch(2, 0, 1);
    model.close();
    model.close();
    assertThatThrownBy(() -> model.run(whole))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot predict: the model is closed.");
  }

  @Test
  void filesAreFoundByHowTheyBegin() throws Exception {
    ModelFormat format = ServiceLoader.load(ModelFormat.class).findFirst().orElseThrow();
    assertThat(format.name()).isEqualTo("XGBoost");
    Booster trained = regression();
    Path json = saved(trained, "m.json");
    Path ubj = saved(trained, "m.ubj");
    trained.dispose();
    Path renamed = Files.copy(ubj, folder.resolve("model"));
    assertThat(format.isOf(json)).isTrue();
    assertThat(format.isOf(ubj)).isTrue();
    assertThat(format.isOf(renamed)).isTrue();
    assertThat(format.isOf(Files.writeString(folder.resolve("bad.ubj"), "x"))).isTrue();
    assertThat(format.isOf(Files.writeString(folder.resolve("o.json"), "{\"a\": 1}"))).isFalse();
    assertThat(format.isOf(folder)).isFalse();
    try (Model model = format.open(renamed, 3)) {
      assertThat(model.version()).matches("[0-9a-f]{64}");
    }
  }

  @Test
  void otherFilesAreRefusedByWhatTheyAre() throws Exception {
    Path other = Files.writeString(folder.resolve("o.json"), "{\"a\": 1}");
    assertThatThrownBy(() -> XgboostModel.open(other))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Cannot open '"
                + other
                + "' as an XGBoost model: it is text that begins with '{\"a\": 1}' but expected a"
                + " model as XGBoost saves it, JSON or UBJ, such as by save_model(\"m.ubj\").");
    assertThatThrownBy(() -> XgboostModel.open(folder)).hasMessageContaining("it is a folder");
    assertThatThrownBy(() -> XgboostModel.open(folder.resolve("none")))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> XgboostModel.open(other, 0))
        .hasMessage("threads must be 1 or more, got 0.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"m.json", "m.ubj"})
  void truncatedModelsAreRefused(String name) throws Exception {
    Booster trained = regression();
    Path file = saved(trained, name);
    trained.dispose();
    byte[] whole = Files.readAllBytes(file);
    for (int length : new int[] {30, whole.length / 2, whole.length - 1}) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> XgboostModel.open(file))
          .isInstanceOf(IOException.class)
          .hasCauseInstanceOf(XGBoostError.class)
          .hasMessageContaining("but expected a model that XGBoost takes. It says: ");
    }
  }
}
