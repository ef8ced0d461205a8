package dev.penstock.xgboost;

import dev.penstock.batch.DType;
import dev.penstock.batch.Tensor;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Describes a tensor to XGBoost: the JSON of numpy's array interface, version 3.
final class ArrayInterface {
  private static final String ORDER =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "<" : ">";

  private ArrayInterface() {}

  /// Returns the JSON, valid as long as the batch is open.
  ///
  /// @param asMatrix whether `[rows]` is passed as `[rows, 1]`
  static String of(String column, Tensor tensor, boolean asMatrix) {
    MemorySegment memory = tensor.memory();
    if (!memory.isNative()) {
      throw new IllegalArgumentException(
          "Cannot give column '"
              + column
              + "' to XGBoost: its memory is a Java array. Copy it off-heap first.");
    }
    long[] shape = tensor.shape().dims();
    if (asMatrix) {
      shape = new long[] {shape[0], 1};
    }
    return "{\"data\":[%s,true],\"shape\":%s,\"strides\":null,\"typestr\":\"%s\",\"version\":3}"
        .formatted(memory.address(), Arrays.toString(shape), type(column, tensor.dtype()));
  }

  private static String type(String column, DType dtype) {
    return switch (dtype) {
      case BOOL, UINT8 -> "|u1";
      case INT8 -> "|i1";
      case INT16 -> ORDER + "i2";
      case INT32 -> ORDER + "i4";
      case INT64 -> ORDER + "i8";
      case UINT16 -> ORDER + "u2";
      case UINT32 -> ORDER + "u4";
      case UINT64 -> ORDER + "u8";
      case FLOAT32 -> ORDER + "f4";
      case FLOAT64 -> ORDER + "f8";
      case FLOAT16 ->
          throw new IllegalArgumentException(
              ("Cannot give column '%s' to XGBoost: it has no FLOAT16. Use"
                      + " StructuredDataset.cast(column, DataType.float32()).")
                  .formatted(column));
    };
  }
}
