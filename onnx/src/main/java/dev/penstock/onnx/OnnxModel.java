package dev.penstock.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Lease;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.model.Model;
import dev.penstock.model.ModelInput;
import dev.penstock.spi.model.ModelFiles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// An ONNX model to score tables with, run by ONNX Runtime.
///
/// Its inputs are tensors whose first axis, the rows, may have any extent. ONNX Runtime reads them
/// in the batch's memory. Its outputs are copied into Java arrays: tensors of the type and shape
/// that the model says, with `bfloat16` as `FLOAT32`; lists of strings; and for a sequence of maps,
/// as scikit-learn's classifiers have it, a tensor `[rows]` for each label, named `OUTPUT.LABEL`,
/// in the order of the labels.
///
/// **Ownership.** [#open] makes a session, which [#close()] closes. Outputs stay valid.
///
/// **Threads.** Any number may call [#run] at once. They share the session: its weights are in
/// memory once.
public final class OnnxModel implements Model {
  /// What ONNX Runtime for Java cannot be given.
  private static final Set<DType> UNSIGNED = EnumSet.of(DType.UINT16, DType.UINT32, DType.UINT64);

  private final OrtSession session;
  private final boolean ownsSession;
  private final List<ModelInput> inputs;
  private final String version;

  private OnnxModel(OrtSession session, boolean ownsSession, String version) {
    this.session = session;
    this.ownsSession = ownsSession;
    this.inputs = inputsOf(session);
    this.version = version;
  }

  /// {@return a model that one thread calls at a time}
  ///
  /// @param file the file, as `model.onnx`
  /// @throws IOException if it cannot be read, or ONNX Runtime refuses it
  /// @throws IllegalArgumentException if it has an input that is not a tensor of numbers or
  ///   booleans with rows as its first axis
  public static OnnxModel open(Path file) throws IOException {
    return open(file, 1);
  }

  /// {@return a model that several threads call at once}
  ///
  /// @param file the file, as `model.onnx`
  /// @param threads how many threads will call [#run] at once: ONNX Runtime computes one operator
  ///   by the processors divided by this, at least one. Its own threads do not spin if this is more
  ///   than 1
  /// @throws IOException if it cannot be read, or ONNX Runtime refuses it
  /// @throws IllegalArgumentException if it has an input that is not a tensor of numbers or
  ///   booleans with rows as its first axis, or `threads` is below 1
  public static OnnxModel open(Path file, int threads) throws IOException {
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be 1 or more, got " + threads + ".");
    }
    String version = ModelFiles.sha256(file);
    OrtSession session = session(file, threads);
    try {
      return new OnnxModel(session, true, version);
    } catch (Throwable e) {
      close(session);
      throw e;
    }
  }

  private static OrtSession session(Path file, int threads) throws IOException {
    int share = Math.max(1, Runtime.getRuntime().availableProcessors() / threads);
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(share);
      if (threads > 1) {
        options.addConfigEntry("session.intra_op.allow_spinning", "0");
      }
      return OrtEnvironment.getEnvironment().createSession(file.toString(), options);
    } catch (OrtException e) {
      throw new IOException(
          ("Cannot open '%s' as an ONNX model: it is %s but expected a model that ONNX Runtime"
                  + " takes. It says: %s")
              .formatted(file, ModelFiles.found(file), e.getMessage()),
          e);
    }
  }

  /// {@return a model of a session with options of your own; [#version()] is empty}
  ///
  /// @param session the session; you close it, after this model
  /// @throws IllegalArgumentException if it has an input that is not a tensor of numbers or
  ///   booleans with rows as its first axis
  public static OnnxModel of(OrtSession session) {
    return new OnnxModel(session, false, "");
  }

  private static List<ModelInput> inputsOf(OrtSession session) {
    try {
      List<ModelInput> inputs = new ArrayList<>();
      for (NodeInfo input : session.getInputInfo().values()) {
        inputs.add(input(input));
      }
      return List.copyOf(inputs);
    } catch (OrtException e) {
      throw new IllegalStateException("Cannot ask the model for its inputs: " + e.getMessage(), e);
    }
  }

  private static ModelInput input(NodeInfo input) {
    if (!(input.getInfo() instanceof TensorInfo info)) {
      throw refused(input, "it is a sequence or a map but expected a tensor. Export the model so");
    }
    long[] extents = info.getShape();
    if (extents.length == 0 || extents[0] != -1) {
      throw refused(
          input,
          "its shape is %s but the first extent must be any, -1, for the rows. Export the model with"
                  .formatted(Arrays.toString(extents))
              + " a dynamic first axis");
    }
    return new ModelInput(
        input.getName(),
        OnnxTensors.dtype(info)
            .filter(dtype -> !UNSIGNED.contains(dtype))
            .orElseThrow(() ->
                refused(
                    input,
                    "its type is "
                        + info.onnxType.toString().replaceFirst(".*_TYPE_", "")
                        + " but expected booleans or numbers, unsigned ones of 8 bits only. Export the"
                        + " model without the step that takes it")),
        Arrays.stream(extents).boxed().toList(),
        List.of());
  }

  private static IllegalArgumentException refused(NodeInfo input, String why) {
    return new IllegalArgumentException(
        "Cannot feed input '" + input.getName() + "' of the model: " + why + ".");
  }

  /// @throws OrtException if ONNX Runtime fails
  /// @throws java.util.NoSuchElementException if the batch lacks an input
  /// @throws IllegalArgumentException if a column does not fit the model, or an output is not a
  ///   value or `n` values for each row
  @Override
  public Map<String, Object> run(Batch batch) throws OrtException {
    if (batch.rowCount() > 0) {
      return outputs(batch);
    }
    try (Arena arena = Arena.ofConfined()) { // many models fail without rows
      Map<String, Object> none = new LinkedHashMap<>();
      outputs(oneRow(batch, arena)).forEach((name, one) -> none.put(name, OnnxOutputs.noRows(one)));
      return none;
    }
  }

  private Map<String, Object> outputs(Batch batch) throws OrtException {
    try (OnnxInputs given = OnnxInputs.of(batch, session);
        OrtSession.Result result = given.runHandingOn(session)) {
      return OnnxOutputs.copied(result, batch.rowCount());
    }
  }

  /// Returns a batch of one row of zeros with the columns of an empty one.
  private Batch oneRow(Batch empty, Arena arena) {
    Map<String, Object> columns = new LinkedHashMap<>();
    for (ModelInput input : inputs) {
      Tensor tensor = empty.tensor(input.name());
      long[] dims = tensor.shape().dims();
      dims[0] = 1;
      Shape shape = Shape.of(dims);
      long bytes = shape.elementCount() * tensor.dtype().bytes();
      columns.put(input.name(), Tensor.of(tensor.dtype(), shape, arena.allocate(bytes, 64)));
    }
    return Batch.of(1, columns, new Lease(() -> {}));
  }

  @Override
  public List<ModelInput> inputs() {
    return inputs;
  }

  @Override
  public String version() {
    return version;
  }

  /// Closes the session if it was opened here.
  @Override
  public void close() {
    if (ownsSession) {
      close(session);
    }
  }

  private static void close(OrtSession session) {
    try {
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException("Cannot close the model: " + e.getMessage(), e);
    }
  }
}
