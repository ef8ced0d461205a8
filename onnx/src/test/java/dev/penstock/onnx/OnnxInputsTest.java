package dev.penstock.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Lease;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.options.LoaderOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OnnxInputsTest {
  private static final String FLIGHTS =
      Path.of(
              Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."),
              "cli/src/main/resources/dev/penstock/cli/demo/flights/part-7.parquet")
          .toString();
  private static final OrtEnvironment ONNX = OrtEnvironment.getEnvironment();

  private final Arena arena = Arena.ofShared();
  private final AtomicInteger givenBack = new AtomicInteger();
  private final Lease lease = new Lease(givenBack::incrementAndGet);
  private final MemorySegment memory = arena.allocate(64, 64);

  @AfterEach
  void free() {
    arena.close();
  }

  private Batch batch(DType dtype, long... shape) {
    Shape extents = Shape.of(shape);
    MemorySegment part = memory.asSlice(0, extents.elementCount() * dtype.bytes());
    Tensor x = Tensor.of(dtype, extents, part, lease);
    return Batch.of((int) shape[0], Map.of("x", x), lease);
  }

  private static OrtSession session(byte[] model) throws OrtException {
    return ONNX.createSession(model);
  }

  private static float[] floats(OnnxValue value) throws OrtException {
    return (float[]) value.getValue();
  }

  @Test
  void everyFlightIsScoredFromTheLoadersMemory() throws OrtException {
    double sum = 0;
    double scored = 0;
    try (OrtSession session = session(TestModels.twice(false, TestModels.INT64, 0));
        DataLoader loader =
            DataLoader.of(
                new StructuredDataset(FLIGHTS).columns("distance"),
                o -> o.batchSize(1000).workers(2))) {
      for (Batch batch : loader) {
        OnnxInputs inputs;
        try (batch) {
          Tensor distance = batch.tensor("distance");
          for (long distanceOfRow : (long[]) distance.toArray()) {
            sum += distanceOfRow;
          }
          inputs = OnnxInputs.of(batch, "distance");
        }
        // The batch is closed, and the loader fills others meanwhile.
        try (inputs;
            OrtSession.Result result = session.run(Map.of("x", onlyOne(inputs.tensors())))) {
          for (long twice : (long[]) result.get(0).getValue()) {
            scored += twice;
          }
        }
      }
    }
    assertThat(scored).isEqualTo(2 * sum).isPositive();
  }

  private static OnnxTensor onlyOne(Map<String, OnnxTensor> tensors) {
    return tensors.values().iterator().next();
  }

  @Test
  void tensorsAreTheBatchsOwnMemory() throws OrtException {
    try (OnnxInputs inputs = OnnxInputs.of(batch(DType.FLOAT32, 4), "x")) {
      memory.setAtIndex(ValueLayout.JAVA_FLOAT, 2, 99);
      OnnxTensor tensor = onlyOne(inputs.tensors());
      assertThat(tensor.ownsBuffer()).as("copied").isFalse();
      assertThat(floats(tensor)).containsExactly(0, 0, 99, 0);
    }
  }

  @Test
  void memoryIsGivenBackWhenBatchAndInputsAreClosed() throws OrtException {
    Batch batch = batch(DType.FLOAT32, 4);
    OnnxInputs inputs = OnnxInputs.of(batch, "x");
    OnnxInputs others = OnnxInputs.of(batch, "x", "x");
    batch.close();
    inputs.close();
    inputs.close();
    assertThat(givenBack).hasValue(0);
    assertThat(floats(onlyOne(others.tensors()))).hasSize(4);
    others.close();
    assertThat(givenBack).hasValue(1);
  }

  @Test
  void inputsOutliveTheirLoader() throws OrtException {
    OnnxInputs inputs;
    float first;
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(FLIGHTS),
            LoaderOptions.defaults().batchSize(100).features("x", "distance"))) {
      try (EpochIterator<Batch> batches = loader.iterator();
          Batch batch = batches.next()) {
        first = batch.tensor("x").getFloat(0);
        inputs = OnnxInputs.of(batch, "x");
      }
    }
    try (inputs) {
      float[][] x = (float[][]) onlyOne(inputs.tensors()).getValue();
      assertThat(x).hasNumberOfRows(100);
      assertThat(x[0][0]).isEqualTo(first);
    }
  }

  @Test
  void closedInputsThrowWhereverTheyAreUsed() throws OrtException {
    try (OrtSession session = session(TestModels.twice(false, TestModels.FLOAT, 4))) {
      OnnxInputs inputs = OnnxInputs.of(batch(DType.FLOAT32, 4), "x");
      Map<String, OnnxTensor> tensors = inputs.tensors();
      OnnxTensor tensor = onlyOne(tensors);
      inputs.close();
      assertThatThrownBy(() -> inputs.run(session)).isInstanceOf(IllegalStateException.class);
      // ONNX Runtime alone ends the JVM here.
      assertThatThrownBy(() -> session.run(tensors))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("they are closed");
      assertThatThrownBy(tensor::getValue).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void outputsOutliveTheInputs() throws OrtException {
    Batch batch = batch(DType.FLOAT32, 4);
    memory.setAtIndex(ValueLayout.JAVA_FLOAT, 1, 21);
    try (OrtSession session = session(TestModels.twice(false, TestModels.FLOAT, 4))) {
      OnnxInputs inputs = OnnxInputs.of(batch, session);
      try (OrtSession.Result result = inputs.run(session)) {
        inputs.close();
        batch.close();
        memory.fill((byte) 7); // as a later batch does
        assertThat(floats(result.get(0))).containsExactly(0, 42, 0, 0);
      }
    }
  }

  @Test
  void inputThatIsAnOutputIsRefused() throws OrtException {
    try (OrtSession session = session(TestModels.twice(true, TestModels.FLOAT, 4));
        OnnxInputs inputs = OnnxInputs.of(batch(DType.FLOAT32, 4), session)) {
      assertThatThrownBy(() -> inputs.run(session))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Cannot run the model for output 'x': it is an input that the model hands on, and"
                  + " would be gone with the batch. Name other outputs in run(session, outputs),"
                  + " of [y, x].");
      try (OrtSession.Result result = inputs.run(session, Set.of("y"))) {
        assertThat(result.size()).isEqualTo(1);
      }
    }
  }

  @Test
  void columnIsGivenAsMatrixOfOneColumnWhereTheModelWantsThat() throws OrtException {
    try (OrtSession session = session(TestModels.twice(false, TestModels.FLOAT, 0, 1));
        OnnxInputs inputs = OnnxInputs.of(batch(DType.FLOAT32, 4), session);
        OrtSession.Result result = inputs.run(session)) {
      assertThat((float[][]) result.get(0).getValue()).hasDimensions(4, 1);
    }
  }

  @Test
  void columnThatDoesNotFitTheModelIsNamed() throws OrtException {
    Batch batch = batch(DType.FLOAT32, 2, 3);
    try (OrtSession wider = session(TestModels.twice(false, TestModels.FLOAT, 0, 4));
        OrtSession integers = session(TestModels.twice(false, TestModels.INT64, 0, 3))) {
      assertThatThrownBy(() -> OnnxInputs.of(batch, wider))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Cannot feed input 'x' of the model: the batch has Tensor FLOAT32 [2, 3] but the"
                  + " model wants FLOAT [-1, 4] (-1: any extent).");
      assertThatThrownBy(() -> OnnxInputs.of(batch, integers))
          .hasMessageContaining("the model wants INT64 [-1, 3]");
      assertThatThrownBy(() -> OnnxInputs.of(batch, "x", "y"))
          .isInstanceOf(NoSuchElementException.class);
      Batch other = Batch.of(2, Map.of("delay", Tensor.of(new float[] {1, 2})), lease);
      assertThatThrownBy(() -> OnnxInputs.of(other, wider))
          .isInstanceOf(NoSuchElementException.class)
          .hasMessage(
              "Cannot feed input 'x' of the model: the batch has no column of that name but"
                  + " [delay]. Make a feature matrix of that name, with features(\"x\", ...), or"
                  + " read that column.");
    }
    batch.close();
    assertThat(givenBack).as("nothing is held by what was refused").hasValue(1);
  }

  @ParameterizedTest
  @EnumSource(DType.class)
  void everyTypeIsGivenOrRefusedByName(DType dtype) {
    Batch batch = batch(dtype, 4);
    switch (dtype) {
      case UINT16, UINT32, UINT64 ->
          assertThatThrownBy(() -> OnnxInputs.of(batch, "x"))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("it has type " + dtype);
      default -> {
        try (OnnxInputs inputs = OnnxInputs.of(batch, "x")) {
          assertThat(onlyOne(inputs.tensors()).getInfo().type.size).isEqualTo(dtype.bytes());
        }
      }
    }
  }

  @Test
  void javaArraysAreRefused() {
    Batch batch = Batch.of(1, Map.of("x", Tensor.of(new float[] {1})), lease);
    assertThatThrownBy(() -> OnnxInputs.of(batch, "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("its memory is a Java array");
  }
}
