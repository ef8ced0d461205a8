package dev.penstock.batch;

import java.util.function.LongConsumer;

/// Some values of a tensor, in the style of numpy: the first and last of each axis.
///
/// The memory is kept while values are read, so another thread may close the batch meanwhile.
final class TensorText {
  /// The values shown at each end of the innermost axis.
  private static final int VALUES = 3;

  /// The most axes for which values are shown.
  private static final int AXES_MAX = 4;

  private final StringBuilder text = new StringBuilder();

  private TensorText() {}

  /// Returns the values of a tensor, or why there are none.
  static String of(Tensor tensor, Lease lease) {
    return tensor.shape().rank() > AXES_MAX
        ? lease.isClosed() ? ", closed" : ""
        : new TensorText().read(lease, text -> text.addTensor(tensor, 0, 0));
  }

  /// Returns the lists of a ragged tensor, or why there are none.
  static String of(RaggedTensor lists, Lease lease) {
    return new TensorText()
        .read(
            lease,
            text ->
                text.addSome(
                    lists.rowCount(), 2, row -> text.addTensor(lists.row((int) row), 0, 0)));
  }

  private interface Reading {
    void addTo(TensorText text);
  }

  private String read(Lease lease, Reading reading) {
    if (!lease.tryRetain()) {
      return ", closed";
    }
    try {
      reading.addTo(this);
      return ": " + text;
    } catch (RuntimeException _) {
      // The batch was closed meanwhile, the user's own arena is closed or another thread's, or the
      // user's own offsets do not rise.
      return lease.isClosed() ? ", closed" : ", its memory cannot be read here";
    } finally {
      lease.drop();
    }
  }

  /// Adds a part of a tensor.
  ///
  /// @param axis the first axis of the part
  /// @param start its first element
  private void addTensor(Tensor tensor, int axis, long start) {
    Shape shape = tensor.shape();
    if (axis == shape.rank()) {
      text.append(element(tensor, start));
      return;
    }
    long step = 1;
    for (int inner = axis + 1; inner < shape.rank(); inner++) {
      step *= shape.dim(inner);
    }
    long width = step;
    boolean innermost = axis == shape.rank() - 1;
    int ends = innermost ? VALUES : shape.rank() == 2 ? 2 : 1;
    addSome(shape.dim(axis), ends, index -> addTensor(tensor, axis + 1, start + index * width));
  }

  private void addSome(long count, int ends, LongConsumer add) {
    text.append('[');
    for (long index = 0; index < count; index++) {
      text.append(index == 0 ? "" : ", ");
      if (index == ends && count > 2L * ends) {
        text.append("..., ");
        index = count - ends;
      }
      add.accept(index);
    }
    text.append(']');
  }

  private static String element(Tensor tensor, long index) {
    return switch (tensor.dtype()) {
      case BOOL -> Boolean.toString(tensor.getBoolean(index));
      case FLOAT16, FLOAT32 -> Float.toString(tensor.getFloat(index));
      case FLOAT64 -> Double.toString(tensor.getDouble(index));
      case UINT64 -> Long.toUnsignedString(tensor.getLong(index));
      case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32 -> Long.toString(tensor.getLong(index));
    };
  }
}
