package dev.penstock.djl;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.translate.Batchifier;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/// Columns of a batch as DJL arrays, for your own training loop.
///
/// ```java
/// for (Batch batch : loader) {
///   try (batch;
///       NDManager step = manager.newSubManager()) {
///     NDArray x = DjlBatches.array(step, batch.tensor("x"));
///   }
/// }
/// ```
///
/// With the PyTorch engine on the CPU an array lies in the batch's own memory; with other engines
/// and devices it is a copy.
///
/// **Ownership.** An array belongs to its manager. PyTorch counts references to the memory: it
/// returns to the loader when the batch and the last array over it are closed, including views and
/// arrays that a gradient still needs, in any order, even after the loader was closed. An array
/// that is never closed keeps the memory. Writing to an array in place writes to the batch.
///
/// **Threads.** As DJL's arrays.
public final class DjlBatches {
  private DjlBatches() {}

  /// Returns a tensor as an array.
  ///
  /// @param manager the manager of the array
  /// @param tensor a column, feature matrix or mask
  /// @return the array, of the tensor's type and shape
  /// @throws IllegalArgumentException if DJL has no such type, or the tensor must be copied and has
  ///   2 GiB or more
  /// @throws IllegalStateException if the batch or the manager is closed
  public static NDArray array(NDManager manager, Tensor tensor) {
    if (!manager.isOpen()) {
      throw new IllegalStateException(
          "Cannot make an array of " + named(tensor) + ": its manager is closed.");
    }
    DataType type = type(tensor);
    if (isPyTorchOnCpu(manager) && tensor.memory().isNative() && TorchArrays.AVAILABLE) {
      return TorchArrays.over(manager, tensor);
    }
    return copy(manager, tensor, type);
  }

  /// Returns columns of a batch as a DJL batch, in its own sub-manager.
  ///
  /// @param manager the parent of the batch's manager
  /// @param batch the batch; you still close it, immediately if you like
  /// @param data the columns for the model, in order
  /// @param labels the columns for the loss, in order
  /// @return the batch; closing it closes its arrays
  /// @throws java.util.NoSuchElementException if there is no such column, or it is not a tensor
  /// @throws IllegalArgumentException if DJL has no such type
  /// @throws IllegalStateException if the batch or the manager is closed
  public static ai.djl.training.dataset.Batch batch(
      NDManager manager, Batch batch, List<String> data, List<String> labels) {
    return batch(manager, batch, data, labels, 0, 1);
  }

  static ai.djl.training.dataset.Batch batch(
      NDManager manager,
      Batch batch,
      List<String> data,
      List<String> labels,
      long progress,
      long progressTotal) {
    NDManager own = manager.newSubManager();
    try {
      return new ai.djl.training.dataset.Batch(
          own,
          arrays(own, batch, data),
          arrays(own, batch, labels),
          batch.rowCount(),
          Batchifier.STACK,
          Batchifier.STACK,
          progress,
          progressTotal);
    } catch (Throwable e) {
      own.close();
      throw e;
    }
  }

  private static NDList arrays(NDManager manager, Batch batch, List<String> columns) {
    NDList arrays = new NDList(columns.size());
    for (String column : columns) {
      NDArray array = array(manager, batch.tensor(column));
      array.setName(column);
      arrays.add(array);
    }
    return arrays;
  }

  private static boolean isPyTorchOnCpu(NDManager manager) {
    return manager.getEngine().getEngineName().equals("PyTorch")
        && manager.getDevice().equals(Device.cpu());
  }

  /// Copies the buffer first, because some engines keep the buffer that they receive.
  private static NDArray copy(NDManager manager, Tensor tensor, DataType type) {
    if (tensor.memory().byteSize() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          ("Cannot copy %s to an array: it has %s bytes but a buffer has less than 2 GiB."
                  + " Choose a smaller batchSize.")
              .formatted(named(tensor), tensor.memory().byteSize()));
    }
    byte[] bytes = tensor.memory().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    ByteBuffer buffer = manager.allocateDirect(bytes.length).order(ByteOrder.nativeOrder());
    buffer.put(bytes).rewind();
    return manager.create(buffer, new Shape(tensor.shape().dims()), type);
  }

  private static DataType type(Tensor tensor) {
    DType dtype = tensor.dtype();
    return switch (dtype) {
      case BOOL -> DataType.BOOLEAN;
      case INT8 -> DataType.INT8;
      case INT32 -> DataType.INT32;
      case INT64 -> DataType.INT64;
      case UINT8 -> DataType.UINT8;
      case FLOAT16 -> DataType.FLOAT16;
      case FLOAT32 -> DataType.FLOAT32;
      case FLOAT64 -> DataType.FLOAT64;
      case INT16, UINT16, UINT32, UINT64 ->
          throw new IllegalArgumentException(
              ("Cannot make an array of %s: DJL has no such type for PyTorch. Use"
                      + " StructuredDataset.cast(column, type).")
                  .formatted(named(tensor)));
    };
  }

  private static String named(Tensor tensor) {
    return "Tensor " + tensor.dtype() + " " + tensor.shape();
  }
}
