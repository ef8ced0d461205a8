package dev.penstock.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.TensorInfo;
import dev.penstock.batch.Tensor;
import java.util.Arrays;

/// Compares a model's input with a column.
final class InputShape {
  private InputShape() {}

  /// Returns the shape in which a column is passed to a model.
  ///
  /// @throws IllegalArgumentException if it does not fit
  static long[] of(NodeInfo wanted, Tensor tensor) {
    long[] dims = tensor.shape().dims();
    if (!(wanted.getInfo() instanceof TensorInfo info)) {
      throw misfit(wanted, tensor, "a value that is no tensor");
    }
    if (info.type != OnnxTensors.type(wanted.getName(), tensor.dtype())) {
      throw misfit(wanted, tensor, info.type + " " + Arrays.toString(info.getShape()));
    }
    long[] extents = info.getShape(); // -1 for any size
    if (extents.length == 2 && dims.length == 1 && (extents[1] == 1 || extents[1] == -1)) {
      dims = new long[] {dims[0], 1};
    }
    boolean fits = extents.length == dims.length;
    for (int axis = 0; fits && axis < dims.length; axis++) {
      fits = extents[axis] == -1 || extents[axis] == dims[axis];
    }
    if (!fits) {
      throw misfit(wanted, tensor, info.type + " " + Arrays.toString(extents));
    }
    return dims;
  }

  private static IllegalArgumentException misfit(NodeInfo wanted, Tensor tensor, String what) {
    return new IllegalArgumentException(
        ("Cannot feed input '%s' of the model: the batch has %s but the model wants %s"
                + " (-1: any extent).")
            .formatted(wanted.getName(), named(tensor), what));
  }

  private static String named(Tensor tensor) {
    return "Tensor " + tensor.dtype() + " " + tensor.shape();
  }
}
