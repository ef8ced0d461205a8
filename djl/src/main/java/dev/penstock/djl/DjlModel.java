package dev.penstock.djl;

import ai.djl.MalformedModelException;
import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.jni.JniUtils;
import ai.djl.training.ParameterStore;
import ai.djl.util.Utils;
import ai.djl.util.ZipUtils;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.model.Model;
import dev.penstock.model.ModelInput;
import dev.penstock.spi.model.ModelFiles;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A TorchScript model to score tables with, run by DJL's PyTorch engine.
///
/// Its inputs are the arguments of the model's `forward`, in order. The file says only their names:
/// they count as `FLOAT32` of any number of columns, unless you say it. PyTorch reads them in the
/// batch's memory where [DjlBatches] can do so. Its outputs are copied into Java arrays; they have
/// the names that DJL gives them, such as the keys of a dict, else `output0`, `output1` and so on.
///
/// **Ownership.** [#close()] frees the model. Outputs stay valid.
///
/// **Threads.** Any number may call [#run] at once.
public final class DjlModel implements Model {
  private static final String ENGINE = "PyTorch";

  private final ai.djl.Model model;
  private final List<ModelInput> inputs;
  private final String version;

  private DjlModel(ai.djl.Model model, List<ModelInput> inputs, String version) {
    this.model = model;
    this.inputs = inputs;
    this.version = version;
  }

  /// {@return a model that one thread calls at a time}
  ///
  /// @param file a file as `model.pt`, a folder that has one, or a zip archive of it
  /// @throws IOException if it cannot be read, or is not a TorchScript model
  public static DjlModel open(Path file) throws IOException {
    return open(file, 1);
  }

  /// {@return a model that several threads call at once}
  ///
  /// @param file a file as `model.pt`, a folder that has one, or a zip archive of it
  /// @param threads how many threads will call [#run] at once: PyTorch computes an operator by the
  ///   processors divided by this, at least one. This holds for all of the process
  /// @throws IOException if it cannot be read, or is not a TorchScript model
  /// @throws IllegalArgumentException if `threads` is below 1
  public static DjlModel open(Path file, int threads) throws IOException {
    return open(file, threads, List.of());
  }

  /// {@return a model that several threads call at once}
  ///
  /// @param file a file as `model.pt`, a folder that has one, or a zip archive of it
  /// @param threads how many threads will call [#run] at once: PyTorch computes an operator by the
  ///   processors divided by this, at least one. This holds for all of the process
  /// @param inputs the arguments of `forward`, in order, under any names; empty for those that the
  ///   file says
  /// @throws IOException if it cannot be read, or is not a TorchScript model
  /// @throws IllegalArgumentException if `threads` is below 1
  public static DjlModel open(Path file, int threads, List<ModelInput> inputs) throws IOException {
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be 1 or more, got " + threads + ".");
    }
    if (Files.isDirectory(file) || !ModelFiles.isNamed(file, ".zip")) {
      return load(file, script(file), threads, inputs);
    }
    Path unpacked = Files.createTempDirectory("penstock-model");
    try (InputStream in = Files.newInputStream(file)) {
      ZipUtils.unzip(in, unpacked);
      return load(file, script(unpacked), threads, inputs);
    } finally {
      Utils.deleteQuietly(unpacked);
    }
  }

  private static Path script(Path file) throws IOException {
    if (!Files.isDirectory(file)) {
      return file;
    }
    List<Path> scripts = DjlFormat.scripts(file);
    if (scripts.size() != 1) {
      throw new IOException(
          "Cannot open '%s' as a TorchScript model: it has %s files that end with '.pt' but expected"
                  .formatted(file, scripts.size())
              + " one. Name the file instead.");
    }
    return scripts.getFirst();
  }

  private static DjlModel load(Path file, Path script, int threads, List<ModelInput> inputs)
      throws IOException {
    List<ModelInput> own = inputs.isEmpty() ? ScriptInputs.of(script) : List.copyOf(inputs);
    String version = ModelFiles.sha256(file);
    if (!Engine.hasEngine(ENGINE)) {
      throw new IOException(
          "Cannot open '%s': DJL's engine PyTorch is absent. Add 'ai.djl.pytorch:pytorch-engine' and"
                  .formatted(file)
              + " its native library.");
    }
    String name = script.getFileName().toString().replaceFirst("\\.pt$", "");
    ai.djl.Model model = ai.djl.Model.newInstance(name, ENGINE);
    try {
      model.load(script.toAbsolutePath().getParent(), name);
      JniUtils.setNumThreads(Math.max(1, Runtime.getRuntime().availableProcessors() / threads));
      return new DjlModel(model, own, version);
    } catch (MalformedModelException | EngineException e) {
      model.close();
      throw new IOException(
          "Cannot open '%s' as a TorchScript model: it is %s but expected a model that PyTorch takes."
                  .formatted(file, ModelFiles.found(file))
              + " It says: "
              + e.getMessage(),
          e);
    } catch (Throwable e) {
      model.close();
      throw e;
    }
  }

  /// @throws java.util.NoSuchElementException if the batch lacks an input, or it is not a tensor
  /// @throws IllegalArgumentException if DJL has no such type, or an output is not a value or `n`
  ///   values for each row
  /// @throws IllegalStateException if this model or the batch is closed
  /// @throws EngineException if the model fails
  @Override
  public Map<String, Object> run(Batch batch) {
    try (NDManager step = model.getNDManager().newSubManager()) {
      NDList given = new NDList(inputs.size());
      for (ModelInput input : inputs) {
        NDArray array = DjlBatches.array(step, batch.tensor(input.name()));
        boolean line = array.getShape().dimension() == 1 && input.extents().size() == 2;
        given.add(line ? array.expandDims(1) : array);
      }
      NDList results = model.getBlock().forward(new ParameterStore(step, false), given, false);
      Map<String, Object> outputs = new LinkedHashMap<>();
      for (NDArray result : results) {
        result.attach(step);
        String name = result.getName() == null ? "output" + outputs.size() : result.getName();
        outputs.put(name, copied(name, result, batch.rowCount()));
      }
      return outputs;
    }
  }

  private static Tensor copied(String name, NDArray array, int rows) {
    long[] shape = array.getShape().getShape();
    if (shape.length < 1 || shape.length > 2 || shape[0] != rows) {
      throw refused(
          name,
          "has shape " + Arrays.toString(shape),
          "[%s] or [%s, n], a value or n values for each of the batch's rows"
              .formatted(rows, rows));
    }
    DType dtype =
        switch (array.getDataType()) {
          case FLOAT16 -> DType.FLOAT16;
          case FLOAT32 -> DType.FLOAT32;
          case FLOAT64 -> DType.FLOAT64;
          case BOOLEAN -> DType.BOOL;
          case INT8 -> DType.INT8;
          case INT16 -> DType.INT16;
          case INT32 -> DType.INT32;
          case INT64 -> DType.INT64;
          case UINT8 -> DType.UINT8;
          default ->
              throw refused(name, "has elements of " + array.getDataType(), "numbers or booleans");
        };
    Shape extents = Shape.of(shape);
    int count = Math.toIntExact(extents.elementCount());
    MemorySegment elements = switch (dtype.bytes()) { // an array as aligned as its elements
          case 1 -> MemorySegment.ofArray(new byte[count]);
          case 2 -> MemorySegment.ofArray(new short[count]);
          case 4 -> MemorySegment.ofArray(new int[count]);
          default -> MemorySegment.ofArray(new long[count]);
        };
    if (count > 0) {
      elements.copyFrom(MemorySegment.ofBuffer(array.toByteBuffer()));
    }
    return Tensor.of(dtype, extents, elements);
  }

  private static IllegalArgumentException refused(String name, String found, String expected) {
    return new IllegalArgumentException(
        ("Cannot use output '%s' of the model: it %s but expected %s. Export the model without it, or"
                + " in that form.")
            .formatted(name, found, expected));
  }

  @Override
  public List<ModelInput> inputs() {
    return inputs;
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public void close() {
    model.close();
  }
}
