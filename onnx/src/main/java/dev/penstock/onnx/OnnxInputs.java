package dev.penstock.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Hold;
import dev.penstock.batch.Tensor;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;

/// Columns of a batch as ONNX Runtime tensors over the batch's own memory.
///
/// ```java
/// try (batch;
///     OnnxInputs inputs = OnnxInputs.of(batch, session);
///     OrtSession.Result result = inputs.run(session)) {
///   float[][] scores = (float[][]) result.get(0).getValue();
/// }
/// ```
///
/// **Ownership.** The inputs keep the batch's memory until they are closed, even if the batch is
/// closed earlier; closing them closes the tensors. Results belong to ONNX Runtime and stay valid.
///
/// **Threads.** Hand them to any thread; [#run] and [#close()] wait for each other.
///
/// **Errors.** After [#close()] everything throws [IllegalStateException]. ONNX Runtime itself does
/// not check whether a tensor is closed, and running a session on a closed one crashes the JVM. So
/// use [#run], or pass [#tensors()] to sessions, and do not keep a single tensor longer than these
/// inputs.
public final class OnnxInputs implements AutoCloseable {
  private final Map<String, OnnxTensor> tensors = new LinkedHashMap<>();
  private final List<Hold> holds = new ArrayList<>();
  private boolean closed;

  private OnnxInputs() {}

  /// Returns columns of a batch, each with its own name and shape.
  ///
  /// @param batch a batch of tensors; you still close it
  /// @param columns the columns, feature matrices or masks
  /// @return the inputs, to be closed
  /// @throws java.util.NoSuchElementException if there is no such column, or it is not a tensor
  /// @throws IllegalArgumentException if ONNX Runtime has no such type, or the column has 2 GiB or
  ///   more
  /// @throws IllegalStateException if the batch is closed, or ONNX Runtime refuses the memory
  public static OnnxInputs of(Batch batch, String... columns) {
    OnnxInputs inputs = new OnnxInputs();
    try {
      for (String column : columns) {
        Tensor tensor = batch.tensor(column);
        inputs.add(column, tensor, tensor.shape().dims());
      }
      return inputs;
    } catch (Throwable e) {
      inputs.close();
      throw e;
    }
  }

  /// Returns the inputs of a model: the columns of the same names, which must have the types and
  /// shapes that it expects. A column of shape `[rows]` is passed as `[rows, 1]` if the model
  /// expects that.
  ///
  /// @param batch a batch of tensors; you still close it
  /// @param session the model
  /// @return the inputs, to be closed
  /// @throws java.util.NoSuchElementException if there is no such column, or it is not a tensor
  /// @throws IllegalArgumentException if a column does not fit the model, ONNX Runtime has no such
  ///   type, or a column has 2 GiB or more
  /// @throws IllegalStateException if the batch is closed, or ONNX Runtime refuses the memory
  public static OnnxInputs of(Batch batch, OrtSession session) {
    OnnxInputs inputs = new OnnxInputs();
    try {
      for (NodeInfo wanted : session.getInputInfo().values()) {
        requireThere(batch, wanted.getName());
        Tensor tensor = batch.tensor(wanted.getName());
        inputs.add(wanted.getName(), tensor, InputShape.of(wanted, tensor));
      }
      return inputs;
    } catch (OrtException e) {
      inputs.close();
      throw new IllegalStateException("Cannot ask the model for its inputs: " + e.getMessage(), e);
    } catch (Throwable e) {
      inputs.close();
      throw e;
    }
  }

  private static void requireThere(Batch batch, String name) {
    if (!batch.names().contains(name)) {
      throw new NoSuchElementException(
          ("Cannot feed input '%s' of the model: the batch has no column of that name but %s. Make a"
                  + " feature matrix of that name, with features(\"%s\", ...), or read that column.")
              .formatted(name, batch.names(), name));
    }
  }

  private void add(String name, Tensor tensor, long[] shape) {
    if (tensors.containsKey(name)) {
      return;
    }
    Hold hold = tensor.hold();
    holds.add(hold);
    tensors.put(name, OnnxTensors.over(name, tensor, hold.memory(), shape));
  }

  /// Returns the tensors, for sessions that you run without [#run].
  ///
  /// @return a view, by name; accessing it after [#close()] throws [IllegalStateException], so a
  ///   late session does not touch returned memory
  public Map<String, OnnxTensor> tensors() {
    return new AbstractMap<>() {
      @Override
      public Set<Entry<String, OnnxTensor>> entrySet() {
        return open().entrySet();
      }
    };
  }

  private synchronized Map<String, OnnxTensor> open() {
    if (closed) {
      throw new IllegalStateException(
          "Cannot use these inputs: they are closed and their memory belongs to a later batch. Run"
              + " the model before close().");
    }
    return Map.copyOf(tensors);
  }

  /// Runs a model for all its outputs.
  ///
  /// @param session the model
  /// @return the outputs, to be closed; still valid after these inputs are closed
  /// @throws OrtException if the model fails
  /// @throws IllegalArgumentException if the model passes an input through as an output
  /// @throws IllegalStateException if these inputs are closed
  public OrtSession.Result run(OrtSession session) throws OrtException {
    return run(session, session.getOutputNames());
  }

  /// Runs a model for some of its outputs.
  ///
  /// @param session the model
  /// @param outputs their names
  /// @return the outputs, to be closed; still valid after these inputs are closed
  /// @throws OrtException if the model fails
  /// @throws IllegalArgumentException if the model passes an input through as one of the outputs
  /// @throws IllegalStateException if these inputs are closed
  public synchronized OrtSession.Result run(OrtSession session, Set<String> outputs)
      throws OrtException {
    Map<String, OnnxTensor> inputs = open();
    for (String output : outputs) {
      if (session.getInputNames().contains(output)) { // the output would lie in the batch's memory
        throw new IllegalArgumentException(
            ("Cannot run the model for output '%s': it is an input that the model hands on,"
                    + " and would be gone with the batch. Name other outputs in run(session,"
                    + " outputs), of %s.")
                .formatted(output, session.getOutputNames()));
      }
    }
    return session.run(inputs, outputs);
  }

  /// Runs a model for all its outputs. Those that are inputs, which it hands on, are gone with
  /// these inputs.
  synchronized OrtSession.Result runHandingOn(OrtSession session) throws OrtException {
    return session.run(open());
  }

  /// Closes the tensors and releases the batch's memory; further calls do nothing.
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (OnnxTensor tensor : tensors.values()) {
      if (!tensor.isClosed()) {
        tensor.close();
      }
    }
    holds.forEach(Hold::close);
  }
}
