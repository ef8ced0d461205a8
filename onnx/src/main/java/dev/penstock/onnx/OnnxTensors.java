package dev.penstock.onnx;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.TensorInfo;
import dev.penstock.batch.DType;
import dev.penstock.batch.Tensor;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Optional;

/// Makes ONNX Runtime tensors over our memory.
final class OnnxTensors {
  private OnnxTensors() {}

  /// Returns a tensor directly over this memory.
  ///
  /// @param shape the extents, with the tensor's number of elements
  static OnnxTensor over(String name, Tensor tensor, MemorySegment memory, long[] shape) {
    OnnxJavaType type = type(name, tensor.dtype());
    if (!memory.isNative()) {
      throw new IllegalArgumentException(
          ("Cannot give column '%s' to ONNX Runtime without a copy: its memory is a Java"
                  + " array. Copy it off-heap first.")
              .formatted(name));
    }
    if (memory.byteSize() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          ("Cannot give column '%s' to ONNX Runtime: it has %s bytes in this batch but a"
                  + " buffer has less than 2 GiB. Choose a smaller batchSize.")
              .formatted(name, memory.byteSize()));
    }
    try {
      return OnnxTensor.createTensor(
          OrtEnvironment.getEnvironment(),
          memory.asByteBuffer().order(ByteOrder.nativeOrder()),
          shape,
          type);
    } catch (OrtException e) {
      throw new IllegalStateException(
          "Cannot give column '" + name + "' to ONNX Runtime: " + e.getMessage(), e);
    }
  }

  /// Returns our type for a tensor's, with which ONNX Runtime's type for Java would lose the sign;
  /// empty if there is none.
  static Optional<DType> dtype(TensorInfo info) {
    return Optional.ofNullable(
        switch (info.onnxType) {
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL -> DType.BOOL;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 -> DType.INT8;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16 -> DType.INT16;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 -> DType.INT32;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 -> DType.INT64;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 -> DType.UINT8;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16 -> DType.UINT16;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32 -> DType.UINT32;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64 -> DType.UINT64;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16 -> DType.FLOAT16;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT -> DType.FLOAT32;
          case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE -> DType.FLOAT64;
          default -> null; // texts, complex numbers, and floats of 8 and 16 bits of other kinds
        });
  }

  static OnnxJavaType type(String name, DType dtype) {
    return switch (dtype) {
      case BOOL -> OnnxJavaType.BOOL;
      case INT8 -> OnnxJavaType.INT8;
      case INT16 -> OnnxJavaType.INT16;
      case INT32 -> OnnxJavaType.INT32;
      case INT64 -> OnnxJavaType.INT64;
      case UINT8 -> OnnxJavaType.UINT8;
      case FLOAT16 -> OnnxJavaType.FLOAT16;
      case FLOAT32 -> OnnxJavaType.FLOAT;
      case FLOAT64 -> OnnxJavaType.DOUBLE;
      case UINT16, UINT32, UINT64 ->
          throw new IllegalArgumentException(
              ("Cannot give column '%s' to ONNX Runtime: it has type %s, which ONNX Runtime"
                      + " for Java does not have. Use StructuredDataset.cast(column, type).")
                  .formatted(name, dtype));
    };
  }
}
