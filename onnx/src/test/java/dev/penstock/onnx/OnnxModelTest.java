package dev.penstock.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxModelTest {
  @TempDir Path folder;

  private final Arena arena = Arena.ofShared();
  private final AtomicInteger givenBack = new AtomicInteger();

  @AfterEach
  void free() {
    arena.close();
  }

  private OnnxModel model(byte[] bytes) throws IOException {
    return OnnxModel.open(file(bytes), 2);
  }

  private Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("model.onnx"), bytes);
  }

  private Batch batch(Shape shape, float... values) {
    MemorySegment memory = arena.allocate(4L * values.length, 64);
    memory.copyFrom(MemorySegment.ofArray(values));
    Lease lease =
        new Lease(() -> {
          memory.fill((byte) 7); // as a later batch does
          givenBack.incrementAndGet();
        });
    Tensor x = Tensor.of(DType.FLOAT32, shape, memory, lease);
    return Batch.of((int) shape.dim(0), Map.of("x", x), lease);
  }

  private static Tensor tensor(Map<String, Object> outputs, String name) {
    return (Tensor) Objects.requireNonNull(outputs.get(name), name);
  }

  @Test
  void outputsStayWhenBatchAndModelAreClosed() throws Exception {
    Map<String, Object> outputs;
    try (OnnxModel model = model(TestModels.twice(false, TestModels.FLOAT, 0, 2));
        Batch batch = batch(Shape.of(2, 2), 1, 2, 3, 4)) {
      outputs = model.run(batch);
    }
    assertThat(givenBack).as("the batch is not held").hasValue(1);
    assertThat(outputs).containsOnlyKeys("y");
    assertThat(tensor(outputs, "y").shape()).isEqualTo(Shape.of(2, 2));
    assertThat((float[]) tensor(outputs, "y").toArray()).containsExactly(2, 4, 6, 8);
  }

  @Test
  void inputThatIsHandedOnIsCopied() throws Exception {
    Map<String, Object> outputs;
    try (OnnxModel model = model(TestModels.twice(true, TestModels.FLOAT, 0));
        Batch batch = batch(Shape.of(3), 1, 2, 3)) {
      outputs = model.run(batch);
    }
    assertThat((float[]) tensor(outputs, "x").toArray()).containsExactly(1, 2, 3);
    assertThat((float[]) tensor(outputs, "y").toArray()).containsExactly(2, 4, 6);
  }

  @Test
  void outputsHaveTheTypesOfTheModel() throws Exception {
    int[] types = {
      TestModels.FLOAT,
      TestModels.DOUBLE,
      TestModels.INT64,
      TestModels.INT32,
      TestModels.INT16,
      TestModels.INT8,
      TestModels.UINT8,
      TestModels.UINT16,
      TestModels.UINT32,
      TestModels.UINT64,
      TestModels.BOOL,
      TestModels.FLOAT16,
      TestModels.BFLOAT16
    };
    DType[] expected = {
      DType.FLOAT32,
      DType.FLOAT64,
      DType.INT64,
      DType.INT32,
      DType.INT16,
      DType.INT8,
      DType.UINT8,
      DType.UINT16,
      DType.UINT32,
      DType.UINT64,
      DType.BOOL,
      DType.FLOAT16,
      DType.FLOAT32
    };
    try (OnnxModel model = model(TestModels.casts(types, 0));
        Batch batch = batch(Shape.of(3), 0, 1, 1)) {
      Map<String, Object> outputs = model.run(batch);
      assertThat(outputs.keySet()).hasSize(types.length);
      for (int i = 0; i < types.length; i++) {
        Tensor output = tensor(outputs, "c" + types[i]);
        assertThat(output.dtype()).isEqualTo(expected[i]);
        for (int row = 0; row < 3; row++) {
          assertThat(output.getDouble(row)).as(output.toString()).isEqualTo(row == 0 ? 0 : 1);
        }
      }
    }
  }

  @Test
  void textsAreLists() throws Exception {
    for (int[] extents : new int[][] {{0}, {0, 1}}) {
      try (OnnxModel model = model(TestModels.casts(new int[] {TestModels.STRING}, extents));
          Batch batch = batch(extents.length == 1 ? Shape.of(2) : Shape.of(2, 1), 1, 2.5f)) {
        assertThat(model.run(batch)).isEqualTo(Map.of("c8", List.of("1", "2.5")));
      }
    }
    try (OnnxModel model = model(TestModels.casts(new int[] {TestModels.STRING}, 0, 2));
        Batch batch = batch(Shape.of(1, 2), 1, 2)) {
      assertThatThrownBy(() -> model.run(batch))
          .hasMessage(
              "Cannot use output 'c8' of the model: it has texts of shape [1, 2] but expected a text"
                  + " for each row. Export the model without it, or in that form.");
    }
  }

  @Test
  void probabilitiesByLabelAreAColumnOfEach() throws Exception {
    try (OnnxModel model = model(TestModels.zipMap("yes", "maybe", "no"));
        Batch batch = batch(Shape.of(2, 3), 1, 2, 3, 4, 5, 6)) {
      Map<String, Object> outputs = model.run(batch);
      assertThat(outputs.keySet()).containsExactly("p.maybe", "p.no", "p.yes");
      assertThat((float[]) tensor(outputs, "p.maybe").toArray()).containsExactly(2, 5);
      assertThat((float[]) tensor(outputs, "p.no").toArray()).containsExactly(3, 6);
      assertThat((float[]) tensor(outputs, "p.yes").toArray()).containsExactly(1, 4);
    }
  }

  @Test
  void batchWithoutRowsHasTheSameOutputs() throws Exception {
    try (OnnxModel model = model(TestModels.zipMap("yes", "no"));
        Batch batch = batch(Shape.of(0, 2))) {
      Map<String, Object> outputs = model.run(batch);
      assertThat(outputs.keySet()).containsExactly("p.no", "p.yes");
      assertThat(tensor(outputs, "p.no").shape()).isEqualTo(Shape.of(0));
    }
    try (OnnxModel model = model(TestModels.twice(true, TestModels.FLOAT, 0, 2));
        Batch batch = batch(Shape.of(0, 2))) {
      Map<String, Object> outputs = model.run(batch);
      assertThat(outputs.keySet()).containsExactly("y", "x");
      assertThat(tensor(outputs, "y").shape()).isEqualTo(Shape.of(0, 2));
      assertThat(tensor(outputs, "y").dtype()).isEqualTo(DType.FLOAT32);
    }
  }

  @Test
  void outputThatIsNotByRowIsRefused() throws Exception {
    try (OnnxModel model = model(TestModels.twice(false, TestModels.FLOAT, 0, 1, 2));
        Batch batch = batch(Shape.of(1, 1, 2), 1, 2)) {
      assertThatThrownBy(() -> model.run(batch))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Cannot use output 'y' of the model: it has shape [1, 1, 2] but expected [1] or [1, n],"
                  + " a value or n values for each of the batch's rows. Export the model without it,"
                  + " or in that form.");
    }
    try (OnnxModel model = model(TestModels.ofAll("ReduceSum", TestModels.FLOAT, 1));
        Batch batch = batch(Shape.of(2), 1, 2)) {
      assertThatThrownBy(() -> model.run(batch))
          .hasMessageContaining("output 'y' of the model: it has shape [1] but expected [2] or");
    }
    try (OnnxModel model = model(TestModels.ofAll("Size", TestModels.INT64));
        Batch batch = batch(Shape.of(2), 1, 2)) {
      assertThatThrownBy(() -> model.run(batch))
          .hasMessageContaining("output 'y' of the model: it has shape []");
    }
  }

  @Test
  void inputsAreThoseOfTheModel() throws Exception {
    try (OnnxModel model = model(TestModels.twice(false, TestModels.INT64, 0, 3))) {
      assertThat(model.inputs())
          .containsExactly(new ModelInput("x", DType.INT64, List.of(-1L, 3L), List.of()));
    }
    assertThatThrownBy(() -> model(TestModels.twice(false, TestModels.FLOAT, 4, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot feed input 'x' of the model: its shape is [4, 2] but the first extent must be"
                + " any, -1, for the rows. Export the model with a dynamic first axis.");
    assertThatThrownBy(() -> model(TestModels.identity(TestModels.STRING, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot feed input 'x' of the model: its type is STRING but expected booleans or"
                + " numbers, unsigned ones of 8 bits only. Export the model without the step that takes"
                + " it.");
  }

  /// ONNX Runtime shows Java an unsigned type as the signed one.
  @Test
  void unsignedInputsAreRefused() {
    for (int type : new int[] {TestModels.UINT16, TestModels.UINT32, TestModels.UINT64}) {
      assertThatThrownBy(() -> model(TestModels.identity(type, 0)))
          .hasMessageStartingWith("Cannot feed input 'x' of the model: its type is UINT");
    }
  }

  @Test
  void columnsThatDoNotFitAreRefused() throws Exception {
    try (OnnxModel model = model(TestModels.twice(false, TestModels.FLOAT, 0, 3));
        Batch narrow = batch(Shape.of(2, 2), 1, 2, 3, 4);
        Batch other = Batch.of(2, Map.of(), new Lease(() -> {}))) {
      assertThatThrownBy(() -> model.run(narrow))
          .hasMessageContaining("the model wants FLOAT [-1, 3]");
      assertThatThrownBy(() -> model.run(other)).isInstanceOf(NoSuchElementException.class);
    }
    assertThat(givenBack).as("nothing is held by what was refused").hasValue(1);
  }

  @Test
  void manyThreadsRunItAtOnce() throws Exception {
    try (OnnxModel model = model(TestModels.twice(true, TestModels.FLOAT, 0, 2));
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        float value = thread;
        all.add(
            threads.submit(() -> {
              for (int i = 0; i < 200; i++) {
                try (Batch batch = batch(Shape.of(1, 2), value, i)) {
                  Map<String, Object> outputs = model.run(batch);
                  assertThat((float[]) tensor(outputs, "y").toArray())
                      .containsExactly(2 * value, 2 * i);
                }
              }
              return null;
            }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
    assertThat(givenBack).hasValue(800);
  }

  @Test
  void versionIsTheDigestOfTheFile() throws Exception {
    byte[] bytes = TestModels.twice(false, TestModels.FLOAT, 0);
    String version;
    try (OnnxModel model = model(bytes)) {
      version = model.version();
      assertThat(version).matches("[0-9a-f]{64}");
    }
    try (OnnxModel again = model(bytes);
        OnnxModel other = model(TestModels.twice(true, TestModels.FLOAT, 0))) {
      assertThat(again.version()).isEqualTo(version);
      assertThat(other.version()).isNotEqualTo(version);
    }
  }

  @Test
  void sessionOfTheUserStaysOpen() throws Exception {
    try (OrtSession session =
            OrtEnvironment.getEnvironment()
                .createSession(TestModels.twice(false, TestModels.FLOAT, 0));
        Batch batch = batch(Shape.of(1), 21)) {
      OnnxModel.of(session).close();
      OnnxModel model = OnnxModel.of(session);
      assertThat(tensor(model.run(batch), "y").getFloat(0)).isEqualTo(42);
      assertThat(model.version()).isEmpty();
    }
  }

  @Test
  void filesAreFoundByTheirNames() throws Exception {
    ModelFormat format = ServiceLoader.load(ModelFormat.class).findFirst().orElseThrow();
    assertThat(format.name()).isEqualTo("ONNX");
    Path file = file(TestModels.twice(false, TestModels.FLOAT, 0));
    assertThat(format.isOf(file)).isTrue();
    assertThat(format.isOf(folder)).isFalse();
    assertThat(format.isOf(Files.writeString(folder.resolve("model.json"), "{}"))).isFalse();
    try (Model model = format.open(file, 1)) {
      assertThat(model.inputs()).hasSize(1);
    }
  }

  @Test
  void otherFilesAreRefusedByWhatTheyAre() throws Exception {
    assertThatThrownBy(() ->
            model("version https://git-lfs.github.com/spec/v1\n".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IOException.class)
        .hasCauseInstanceOf(OrtException.class)
        .hasMessageStartingWith(
            "Cannot open '"
                + folder.resolve("model.onnx")
                + "' as an ONNX model: it is a pointer of Git LFS ('git lfs pull' fetches the file)"
                + " but expected a model that ONNX Runtime takes. It says: ");
    assertThatThrownBy(() -> model(new byte[0])).hasMessageContaining("it is an empty file");
    assertThatThrownBy(() -> model("PK\3\4....".getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("it is a zip archive");
    assertThatThrownBy(() -> model("a,b\n1,2\n".getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("it is text that begins with 'a,b 1,2 '");
    assertThatThrownBy(() -> model(new byte[] {1, 2, -1}))
        .hasMessageContaining("it is 3 bytes that begin with 0x0102ff");
    assertThatThrownBy(() -> OnnxModel.open(folder.resolve("none.onnx")))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> OnnxModel.open(folder.resolve("model.onnx"), 0))
        .hasMessage("threads must be 1 or more, got 0.");
  }
}
