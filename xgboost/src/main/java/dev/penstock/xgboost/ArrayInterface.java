package dev.penstock.xgboost;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/// Describes a tensor to XGBoost: the JSON of numpy's array interface, version 3.
final class ArrayInterface {
  private static final String ORDER =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "<" : ">";

  private ArrayInterface() {}

  /// Returns the JSON of a column as a matrix: `[rows]` is passed as `[rows, 1]`.
  static String ofFeatures(Batch batch, String column) {
    Tensor tensor = present(batch, column);
    Shape shape = tensor.shape();
    return of(column, tensor, shape.rank() == 1 ? Shape.of(shape.dim(0), 1) : shape);
  }

  /// Returns the JSON of a column as it is.
  static String ofValues(Batch batch, String column) {
    Tensor tensor = present(batch, column);
    return of(column, tensor, tensor.shape());
  }

  /// Returns the JSON, valid as long as the tensor's memory is.
  static String of(String name, Tensor tensor, Shape shape) {
    MemorySegment memory = tensor.memory();
    if (!memory.isNative()) {
      throw new IllegalArgumentException(
          "Cannot give column '"
              + name
              + "' to XGBoost: its memory is a Java array. Copy it off-heap first.");
    }
    return "{\"data\":[%s,true],\"shape\":%s,\"strides\":null,\"typestr\":\"%s\",\"version\":3}"
        .formatted(memory.address(), Arrays.toString(shape.dims()), type(name, tensor.dtype()));
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

  /// Refuses zeros that stand for nulls: XGBoost takes no mask and would treat them as values.
  private static Tensor present(Batch batch, String column) {
    for (String mask : List.of(column + ".mask", column + ".element.mask")) {
      if (!batch.names().contains(mask)) {
        continue;
      }
      Tensor present = batch.tensor(mask);
      for (long i = 0; i < present.shape().elementCount(); i++) {
        if (!present.getBoolean(i)) {
          throw new IllegalArgumentException(
              ("Cannot give column '%s' to XGBoost: it has a null, for which '%s' is needed,"
                      + " and XGBoost takes no masks. Use NullPolicy.nan(), for floating-point"
                      + " features, or fill(number).")
                  .formatted(column, mask));
        }
      }
    }
    return batch.tensor(column);
  }
}
