package dev.penstock.batch;

import dev.penstock.internal.choice.Sentence;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Collects the columns of one batch.
///
/// **Ownership.** Memory comes from the loader and belongs to the batch that [#build] makes, until
/// that is closed. [#close()] returns memory that was not built into a batch.
///
/// **Threads.** One at a time.
///
/// **Errors.** A second column of one name is an [IllegalArgumentException], adding or building
/// after [#build] or [#close()] an [IllegalStateException].
public final class BatchBuilder implements AutoCloseable {
  /// Where the memory of batches comes from.
  @FunctionalInterface
  public interface Memory {
    /// {@return a piece of exactly `bytes` bytes, whose address is a multiple of 64} Its contents
    /// are undefined.
    ///
    /// @param bytes the size, at least 0
    Piece take(long bytes);
  }

  /// A piece of memory, and how to return it.
  ///
  /// @param segment the memory
  /// @param giveBack run once, after the last use of the memory
  public record Piece(MemorySegment segment, Runnable giveBack) {}

  private final Memory memory;
  private final Map<String, Object> columns = new LinkedHashMap<>();
  private final List<Piece> pieces = new ArrayList<>();
  private final Lease lease = new Lease(this::giveBack);
  private boolean open = true;

  /// Makes a builder without columns.
  ///
  /// @param memory where the memory of tensors comes from
  public BatchBuilder(Memory memory) {
    this.memory = Objects.requireNonNull(memory);
  }

  /// {@return the tensor of a new column, whose elements are undefined} The caller writes it
  /// through [Tensor#memory()].
  ///
  /// @param name the column
  /// @param dtype the type of the elements
  /// @param shape the extents, the row axis first
  public Tensor tensor(String name, DType dtype, Shape shape) {
    requireNew(name);
    Tensor tensor = take(dtype, shape);
    columns.put(name, tensor);
    return tensor;
  }

  /// {@return the lists of a new column of numbers, whose elements are undefined} The caller writes
  /// them through [RaggedTensor#values()].
  ///
  /// @param name the column
  /// @param dtype the type of the elements
  /// @param lengths the number of elements in each row, each at least 0
  public RaggedTensor ragged(String name, DType dtype, long[] lengths) {
    requireNew(name);
    for (int row = 0; row < lengths.length; row++) {
      if (lengths[row] < 0) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Cannot add column '%s' to the batch: row %s has length %s.",
                name, row, lengths[row]));
      }
    }
    Tensor offsets = take(DType.INT64, Shape.of(lengths.length + 1L));
    long end = 0;
    for (int row = 0; row < lengths.length; row++) {
      offsets.memory().setAtIndex(ValueLayout.JAVA_LONG, row, end);
      end = Math.addExact(end, lengths[row]);
    }
    offsets.memory().setAtIndex(ValueLayout.JAVA_LONG, lengths.length, end);
    RaggedTensor ragged = RaggedTensor.of(take(dtype, Shape.of(end)), offsets);
    columns.put(name, ragged);
    return ragged;
  }

  /// Adds a column of Java objects.
  ///
  /// @param name the column
  /// @param values one for each row; the list is kept, not copied
  public void list(String name, List<?> values) {
    requireNew(name);
    columns.put(name, values instanceof StringList ? values : Collections.unmodifiableList(values));
  }

  private void requireNew(String name) {
    if (!open) {
      throw new IllegalStateException(
          "Cannot add column '"
              + name
              + "' to the batch: it was made, or its builder is closed. Add columns before build().");
    }
    if (columns.containsKey(name)) {
      throw new IllegalArgumentException(
          "Cannot add column '" + name + "' to the batch: there is one of that name.");
    }
  }

  private Tensor take(DType dtype, Shape shape) {
    Piece piece = memory.take(Math.multiplyExact(shape.elementCount(), dtype.bytes()));
    pieces.add(piece);
    return Tensor.of(dtype, shape, piece.segment(), lease);
  }

  /// {@return the batch of all columns that were added, which owns their memory} Nothing can be
  /// added afterwards.
  ///
  /// @param rowCount the number of rows
  /// @throws IllegalArgumentException if a column has another number of rows
  public Batch build(int rowCount) {
    if (!open) {
      throw new IllegalStateException(
          "Cannot make the batch: it was made before, or its builder is closed.");
    }
    columns.forEach((name, column) -> requireRows(name, rowsOf(column), rowCount));
    open = false;
    return Batch.of(rowCount, columns, lease);
  }

  private static void requireRows(String name, long found, int expected) {
    if (found != expected) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot make a batch of %s rows: column '%s' has %s.",
              expected, name, found < 0 ? "no row axis" : found + " rows"));
    }
  }

  private static long rowsOf(Object column) {
    return switch (column) {
      case Tensor tensor -> tensor.shape().rank() == 0 ? -1 : tensor.shape().dim(0);
      case RaggedTensor ragged -> ragged.rowCount();
      default -> ((List<?>) column).size();
    };
  }

  private void giveBack() {
    pieces.forEach(piece -> piece.giveBack().run());
    pieces.clear();
  }

  /// Returns the memory, unless a batch was built. Calling it again does nothing.
  @Override
  public void close() {
    if (open) {
      open = false;
      lease.close();
    }
  }
}
