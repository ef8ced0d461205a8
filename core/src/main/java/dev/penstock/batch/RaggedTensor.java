package dev.penstock.batch;

import dev.penstock.internal.choice.Sentence;
import java.lang.foreign.MemorySegment;

/// Lists of numbers, one per row and each of its own length: the elements of all rows one after
/// another, and where each row starts.
///
/// Row `i` has elements `[offsets[i], offsets[i + 1])` of the values; `offsets[0]` is 0. Where all
/// rows have one length `n`, [Batch#tensor] gives the same elements as a tensor of shape `[rows,
/// n]`.
///
/// **Ownership.** The memory belongs to the [Batch], as a [Tensor]'s does; accesses after its
/// `close()` throw [IllegalStateException].
///
/// **Threads.** As the batch.
public final class RaggedTensor {
  private final Tensor values;
  private final Tensor offsets;
  private final int rowCount;

  private RaggedTensor(Tensor values, Tensor offsets) {
    this.values = values;
    this.offsets = offsets;
    this.rowCount = Math.toIntExact(offsets.shape().elementCount() - 1);
  }

  /// {@return a ragged tensor over existing tensors}
  ///
  /// @param values the elements, of shape `[elements]`
  /// @param offsets where each row's elements start, and the end: `INT64`, of shape `[rows + 1]`,
  ///   rising from 0 to `elements`
  /// @throws IllegalArgumentException if types, shapes or the first and last offset do not fit
  public static RaggedTensor of(Tensor values, Tensor offsets) {
    boolean fits =
        values.shape().rank() == 1
            && offsets.shape().rank() == 1
            && offsets.dtype() == DType.INT64
            && offsets.shape().elementCount() > 0
            && offsets.getLong(0) == 0
            && offsets.getLong(offsets.shape().dim(0) - 1) == values.shape().dim(0);
    if (!fits) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot make a ragged tensor of values %s and offsets %s: offsets must be INT64 of"
                  + " shape [rows + 1] and rise from 0 to the number of values.",
              values.form(), offsets.form()));
    }
    return new RaggedTensor(values, offsets);
  }

  /// {@return the elements of all rows, of shape `[elements]`}
  public Tensor values() {
    return values;
  }

  /// {@return where the elements of each row start: an `INT64` tensor of shape `[rowCount() + 1]`,
  /// rising from 0 to the number of elements}
  public Tensor offsets() {
    return offsets;
  }

  /// {@return the number of rows of the batch}
  public int rowCount() {
    return rowCount;
  }

  /// {@return how many elements a row has}
  ///
  /// @param row the row, in `[0, rowCount())`
  public long length(int row) {
    if (row < 0 || row >= rowCount) {
      throw values.noRow(row, rowCount);
    }
    return offsets.getLong(row + 1L) - offsets.getLong(row);
  }

  /// {@return the elements of a row, without a copy: a tensor of shape `[length(row)]`, whose
  /// memory starts where the row does}
  ///
  /// @param row the row, in `[0, rowCount())`
  public Tensor row(int row) {
    long length = length(row);
    return values.part(offsets.getLong(row), length);
  }

  /// {@return a copy in which all rows are as long as the longest: a tensor of shape `[rowCount(),
  /// longest]` on the heap, valid after the batch is closed}
  ///
  /// @param value what shorter rows end with
  /// @throws IllegalArgumentException if the type of the elements cannot hold `value`
  public Tensor padded(Number value) {
    int bytes = values.dtype().bytes();
    MemorySegment filler = MemorySegment.ofArray(new byte[bytes]);
    Tensor one = Tensor.of(values.dtype(), Shape.of(1), filler);
    if (!new Elements(one, true).put(0, value)) {
      throw new IllegalArgumentException(
          "Cannot pad lists of " + values.dtype() + " with " + value + ": it does not fit.");
    }
    long longest = 0;
    for (int row = 0; row < rowCount; row++) {
      longest = Math.max(longest, length(row));
    }
    long size = Math.multiplyExact(rowCount * longest, (long) bytes);
    MemorySegment block =
        MemorySegment.ofArray(new long[Math.toIntExact(Math.ceilDiv(size, Long.BYTES))]);
    MemorySegment source = values.memory();
    for (int row = 0; row < rowCount; row++) {
      long at = row * longest * bytes;
      long length = length(row);
      MemorySegment.copy(source, offsets.getLong(row) * bytes, block, at, length * bytes);
      for (long place = length; place < longest; place++) {
        MemorySegment.copy(filler, 0, block, at + place * bytes, bytes);
      }
    }
    return Tensor.of(values.dtype(), Shape.of(rowCount, longest), block.asSlice(0, size));
  }

  /// {@return the lengths of all rows: an `INT64` tensor of shape `[rowCount()]` on the heap}
  public Tensor lengths() {
    long[] lengths = new long[rowCount];
    for (int row = 0; row < rowCount; row++) {
      lengths[row] = length(row);
    }
    return Tensor.of(lengths);
  }

  /// {@return whether all rows have one length, so that [Batch#tensor] can give the elements as one
  /// block}
  public boolean isUniform() {
    return firstOfAnotherLength() < 0;
  }

  /// Returns the first row that is not as long as row 0, or -1.
  int firstOfAnotherLength() {
    long length = rowCount == 0 ? 0 : length(0);
    for (int row = 1; row < rowCount; row++) {
      if (offsets.getLong(row + 1L) != (row + 1L) * length) {
        return row;
      }
    }
    return -1;
  }

  /// Returns the elements as a block of rows of one length.
  Tensor block() {
    return values.shaped(Shape.of(rowCount, rowCount == 0 ? 0 : length(0)));
  }

  /// Returns these lists under a column's name, for errors.
  RaggedTensor named(String name) {
    return new RaggedTensor(values.named(name), offsets.named(name));
  }

  /// Shows the first and last lists. Of a closed batch it says so.
  @Override
  public String toString() {
    return Sentence.of(
        "Ragged tensor %s of %s rows and %s elements%s",
        values.dtype(),
        rowCount,
        values.shape().elementCount(),
        TensorText.of(this, offsets.lease()));
  }
}
