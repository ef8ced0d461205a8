package dev.penstock.onnx;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxMap;
import ai.onnxruntime.OnnxSequence;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.penstock.batch.DType;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/// Copies the outputs of a model into Java arrays.
///
/// A copy is a small part of what a model takes to compute it, and memory that ONNX Runtime lends
/// would have to be closed by whoever reads it last.
final class OnnxOutputs {
  private OnnxOutputs() {}

  /// Returns the outputs, in the model's order.
  static Map<String, Object> copied(OrtSession.Result result, int rows) throws OrtException {
    Map<String, Object> outputs = new LinkedHashMap<>();
    for (Map.Entry<String, OnnxValue> output : result) {
      String name = output.getKey();
      switch (output.getValue()) {
        case OnnxTensor tensor -> outputs.put(name, copied(name, tensor, rows));
        case OnnxSequence maps -> byLabel(name, maps, rows, outputs);
        case OnnxValue other ->
            throw refused(name, "is of type " + other.getType(), "a tensor or a sequence of maps");
      }
    }
    return outputs;
  }

  /// Returns an output without its rows.
  static Object noRows(Object output) {
    if (!(output instanceof Tensor tensor)) {
      return List.of();
    }
    long[] dims = tensor.shape().dims();
    dims[0] = 0;
    return Tensor.of(tensor.dtype(), Shape.of(dims), tensor.memory().asSlice(0, 0));
  }

  private static Object copied(String name, OnnxTensor tensor, int rows) throws OrtException {
    long[] shape = tensor.getInfo().getShape();
    if (shape.length < 1 || shape.length > 2 || shape[0] != rows) {
      throw refused(
          name,
          "has shape " + Arrays.toString(shape),
          "[%s] or [%s, n], a value or n values for each of the batch's rows"
              .formatted(rows, rows));
    }
    OnnxJavaType type = tensor.getInfo().type;
    if (type == OnnxJavaType.STRING) {
      return texts(name, tensor, shape);
    }
    DType dtype =
        type == OnnxJavaType.BFLOAT16
            ? DType.FLOAT32
            : OnnxTensors.dtype(tensor.getInfo())
                .orElseThrow(
                    () -> refused(name, "has elements of " + tensor.getInfo().onnxType, "numbers"));
    return Tensor.of(dtype, Shape.of(shape), elements(type, tensor));
  }

  /// The accessors copy; what they return lies over an array of the elements' type.
  private static MemorySegment elements(OnnxJavaType type, OnnxTensor tensor) {
    return MemorySegment.ofBuffer(
        switch (type) {
          case FLOAT, BFLOAT16 -> tensor.getFloatBuffer();
          case DOUBLE -> tensor.getDoubleBuffer();
          case INT64 -> tensor.getLongBuffer();
          case INT32 -> tensor.getIntBuffer();
          case INT16, FLOAT16 -> tensor.getShortBuffer();
          case INT8, UINT8, BOOL -> tensor.getByteBuffer();
          case STRING, UNKNOWN -> throw new IllegalArgumentException(type.toString());
        });
  }

  private static List<String> texts(String name, OnnxTensor tensor, long[] shape)
      throws OrtException {
    if (shape.length == 1) {
      return List.of((String[]) tensor.getValue());
    }
    if (shape[1] != 1) {
      throw refused(name, "has texts of shape " + Arrays.toString(shape), "a text for each row");
    }
    return Arrays.stream((String[][]) tensor.getValue()).map(row -> row[0]).toList();
  }

  /// Adds a column of each label of scikit-learn's probabilities, which are a map for each row.
  private static void byLabel(
      String name, OnnxSequence sequence, int rows, Map<String, Object> outputs)
      throws OrtException {
    if (!sequence.getInfo().sequenceOfMaps
        || sequence.getInfo().mapInfo.valueType != OnnxJavaType.FLOAT) {
      throw refused(name, "is " + sequence.getInfo(), "a tensor or a sequence of maps to floats");
    }
    List<? extends OnnxValue> maps = sequence.getValue();
    try {
      if (maps.size() != rows) {
        throw refused(name, "has " + maps.size() + " maps", "one for each of " + rows + " rows");
      }
      SortedMap<Object, float[]> labels = new TreeMap<>(); // all are numbers, or all are texts
      for (int row = 0; row < rows; row++) {
        Map<?, ?> values = ((OnnxMap) maps.get(row)).getValue();
        if (row == 0) {
          values.keySet().forEach(label -> labels.put(label, new float[rows]));
        }
        if (!values.keySet().equals(labels.keySet())) {
          throw refused(
              name,
              "has labels " + new ArrayList<>(values.keySet()) + " in row " + row,
              "those of the first row, " + labels.keySet());
        }
        for (Map.Entry<?, ?> value : values.entrySet()) {
          Objects.requireNonNull(labels.get(value.getKey()))[row] = (float) value.getValue();
        }
      }
      labels.forEach((label, values) -> outputs.put(name + "." + label, Tensor.of(values)));
    } finally {
      maps.forEach(OnnxValue::close);
    }
  }

  private static IllegalArgumentException refused(String name, String found, String expected) {
    return new IllegalArgumentException(
        ("Cannot use output '%s' of the model: it %s but expected %s. Export the model without it, or"
                + " in that form.")
            .formatted(name, found, expected));
  }
}
