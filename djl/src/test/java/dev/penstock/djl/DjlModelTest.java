package dev.penstock.djl;

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
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Models that `models.py` made.
class DjlModelTest {
  @TempDir Path folder;

  private final Arena arena = Arena.ofShared();
  private final AtomicInteger givenBack = new AtomicInteger();

  @AfterEach
  void free() {
    arena.close();
  }

  private static Path file(String name) throws URISyntaxException {
    return Path.of(Objects.requireNonNull(DjlModelTest.class.getResource(name), name).toURI());
  }

  private static ModelInput input(String name) {
    return new ModelInput(name, DType.FLOAT32, List.of(-1L, -1L), List.of());
  }

  /// A batch of columns `[rows, n]`.
  private Batch batch(int rows, Map<String, float[]> columns) {
    List<MemorySegment> all = new ArrayList<>();
    Lease lease =
        new Lease(() -> {
          all.forEach(memory -> memory.fill((byte) 7)); // as a later batch does
          givenBack.incrementAndGet();
        });
    Map<String, Object> tensors = new LinkedHashMap<>();
    columns.forEach((name, values) -> {
      MemorySegment memory = arena.allocate(4L * values.length, 64);
      memory.copyFrom(MemorySegment.ofArray(values));
      all.add(memory);
      int width = rows == 0 ? 3 : values.length / rows;
      tensors.put(name, Tensor.of(DType.FLOAT32, Shape.of(rows, width), memory, lease));
    });
    return Batch.of(rows, tensors, lease);
  }

  private static Tensor tensor(Map<String, Object> outputs, String name) {
    return (Tensor) Objects.requireNonNull(outputs.get(name), name);
  }

  private void assertScores(DjlModel model) {
    Map<String, Object> outputs;
    try (Batch batch = batch(2, Map.of("x", new float[] {1, 0, 0, 1, 1, 1}))) {
      outputs = model.run(batch);
    }
    assertThat(outputs).containsOnlyKeys("output0");
    assertThat(tensor(outputs, "output0").shape()).isEqualTo(Shape.of(2, 2));
    assertThat((float[]) tensor(outputs, "output0").toArray())
        .containsExactly(1.5f, 1.5f, 9.5f, 11.5f);
  }

  @Test
  void outputsStayWhenTheBatchIsClosedWhichIsNotHeld() throws Exception {
    try (DjlModel model = DjlModel.open(file("linear.pt"))) {
      assertScores(model);
      assertThat(givenBack).hasValue(1);
    }
  }

  @Test
  void inputsAreTheArgumentsOfForward() throws Exception {
    try (DjlModel several = DjlModel.open(file("several.pt"));
        DjlModel pair = DjlModel.open(file("pair.pt"))) {
      assertThat(several.inputs()).containsExactly(input("a"), input("b"));
      assertThat(pair.inputs()).as("without those that have a default").containsExactly(input("x"));
    }
    ModelInput said = new ModelInput("pixels", DType.FLOAT32, List.of(-1L, 3L), List.of("r"));
    try (DjlModel model = DjlModel.open(file("linear.pt"), 1, List.of(said));
        Batch batch = batch(1, Map.of("pixels", new float[] {0, 0, 0}))) {
      assertThat(model.inputs()).containsExactly(said);
      assertThat(tensor(model.run(batch), "output0").getFloat(0)).isEqualTo(0.5f);
    }
  }

  @Test
  void outputsHaveTheNamesAndTypesOfTheModel() throws Exception {
    Map<String, Object> outputs;
    try (DjlModel model = DjlModel.open(file("several.pt"));
        Batch batch = batch(2, Map.of("a", new float[] {1, 2}, "b", new float[] {0.5f, 3}))) {
      outputs = model.run(batch);
    }
    assertThat(outputs.keySet())
        .containsExactlyInAnyOrder("sum", "long", "int", "byte", "double", "half", "bool", "same");
    assertThat(tensor(outputs, "long").dtype()).isEqualTo(DType.INT64);
    assertThat(tensor(outputs, "int").dtype()).isEqualTo(DType.INT32);
    assertThat(tensor(outputs, "byte").dtype()).isEqualTo(DType.UINT8);
    assertThat(tensor(outputs, "double").dtype()).isEqualTo(DType.FLOAT64);
    assertThat(tensor(outputs, "half").dtype()).isEqualTo(DType.FLOAT16);
    assertThat(tensor(outputs, "bool").dtype()).isEqualTo(DType.BOOL);
    assertThat((float[]) tensor(outputs, "sum").toArray()).containsExactly(1.5f, 5);
    assertThat((float[]) tensor(outputs, "same").toArray()).as("copied").containsExactly(1, 2);
    for (String name : List.of("int", "byte", "double", "half")) {
      assertThat(tensor(outputs, name).getDouble(1)).as(name).isEqualTo(2);
    }
    assertThat(tensor(outputs, "bool").getBoolean(0)).isTrue();
    assertThat(tensor(outputs, "bool").getBoolean(1)).isFalse();
  }

  @Test
  void columnIsGivenAsAMatrixOfOneColumn() throws Exception {
    Tensor column = Tensor.of(new float[] {3, 4});
    Batch batch = Batch.of(2, Map.of("x", column), new Lease(() -> {}));
    try (DjlModel model = DjlModel.open(file("pair.pt"))) {
      assertThat(tensor(model.run(batch), "output0").shape()).isEqualTo(Shape.of(2, 1));
    }
    ModelInput line = new ModelInput("x", DType.FLOAT32, List.of(-1L), List.of());
    try (DjlModel model = DjlModel.open(file("several.pt"), 1, List.of(line, line))) {
      assertThat(tensor(model.run(batch), "sum").shape()).isEqualTo(Shape.of(2));
    }
  }

  @Test
  void outputsOfATupleAreNumbered() throws Exception {
    try (DjlModel model = DjlModel.open(file("pair.pt"));
        Batch batch = batch(1, Map.of("x", new float[] {3, 4}))) {
      Map<String, Object> outputs = model.run(batch);
      assertThat(outputs.keySet()).containsExactly("output0", "output1");
      assertThat((float[]) tensor(outputs, "output0").toArray()).containsExactly(6, 8);
      assertThat(tensor(outputs, "output1").shape()).isEqualTo(Shape.of(1));
    }
  }

  @Test
  void batchWithoutRowsHasTheSameOutputs() throws Exception {
    try (DjlModel model = DjlModel.open(file("linear.pt"));
        Batch batch = batch(0, Map.of("x", new float[0]))) {
      assertThat(tensor(model.run(batch), "output0").shape()).isEqualTo(Shape.of(0, 2));
    }
  }

  @Test
  void outputThatIsNotByRowIsRefused() throws Exception {
    try (DjlModel model = DjlModel.open(file("mean.pt"));
        Batch batch = batch(2, Map.of("x", new float[6]))) {
      assertThatThrownBy(() -> model.run(batch))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Cannot use output 'output0' of the model: it has shape [3] but expected [2] or [2, n],"
                  + " a value or n values for each of the batch's rows. Export the model without it,"
                  + " or in that form.");
    }
    assertThat(givenBack).as("nothing is held by what was refused").hasValue(1);
  }

  @Test
  void modelsAreOpenedFromFoldersAndArchives() throws Exception {
    Path inside = Files.createDirectories(folder.resolve("model/sub"));
    Files.copy(file("linear.pt"), inside.resolve("any.pt"));
    Path zip = folder.resolve("model.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      out.putNextEntry(new ZipEntry("sub/any.pt"));
      Files.copy(file("linear.pt"), out);
    }
    for (Path path : List.of(folder.resolve("model"), zip)) {
      try (DjlModel model = DjlModel.open(path, 2)) {
        assertScores(model);
        assertThat(model.version()).matches("[0-9a-f]{64}");
      }
    }
    Files.copy(file("linear.pt"), inside.resolve("other.pt"));
    assertThatThrownBy(() -> DjlModel.open(folder.resolve("model")))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Cannot open '"
                + folder.resolve("model")
                + "' as a TorchScript model: it has 2 files that end with '.pt' but expected one."
                + " Name the file instead.");
  }

  @Test
  void manyThreadsRunItAtOnce() throws Exception {
    try (DjlModel model = DjlModel.open(file("linear.pt"), 4);
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        float value = thread;
        all.add(
            threads.submit(() -> {
              for (int i = 0; i < 200; i++) {
                try (Batch batch = batch(1, Map.of("x", new float[] {value, i, 0}))) {
                  assertThat((float[]) tensor(model.run(batch), "output0").toArray())
                      .containsExactly(value + 3 * i + 0.5f, 2 * value + 4 * i - 0.5f);
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
  void filesAreFoundByTheirNames() throws Exception {
    ModelFormat format = ServiceLoader.load(ModelFormat.class).findFirst().orElseThrow();
    assertThat(format.name()).isEqualTo("DJL");
    assertThat(format.isOf(file("linear.pt"))).isTrue();
    assertThat(format.isOf(file("linear.pt").resolveSibling(""))).isTrue();
    assertThat(format.isOf(folder)).isFalse();
    Path zip = folder.resolve("data.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      out.putNextEntry(new ZipEntry("data.csv"));
    }
    assertThat(format.isOf(zip)).isFalse();
    try (Model model = format.open(file("linear.pt"), 1)) {
      assertThat(model.inputs()).hasSize(1);
    }
  }

  @Test
  void otherFilesAreRefusedByWhatTheyAre() throws Exception {
    assertThatThrownBy(() -> DjlModel.open(file("state.pt")))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Cannot open '"
                + file("state.pt")
                + "' as a TorchScript model: it is what torch.save writes, values without code but"
                + " expected a model of tensors, as"
                + " torch.jit.script(module).save(\"model.pt\") writes it.");
    Path text = Files.writeString(folder.resolve("m.pt"), "version https://git-lfs");
    assertThatThrownBy(() -> DjlModel.open(text))
        .hasMessageContaining("it is a pointer of Git LFS");
    byte[] whole = Files.readAllBytes(file("linear.pt"));
    Path cut = Files.write(folder.resolve("cut.pt"), Arrays.copyOf(whole, whole.length / 2));
    assertThatThrownBy(() -> DjlModel.open(cut)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> DjlModel.open(cut, 1, List.of(input("x"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("but expected a model that PyTorch takes. It says: ");
    assertThatThrownBy(() -> DjlModel.open(folder.resolve("none.pt")))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> DjlModel.open(cut, 0)).hasMessage("threads must be 1 or more, got 0.");
  }
}
