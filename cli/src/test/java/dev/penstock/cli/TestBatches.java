package dev.penstock.cli;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Lease;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Shape;
import dev.penstock.batch.StringList;
import dev.penstock.batch.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Batches made by hand, column by column.
public final class TestBatches {
  private final int rows;
  private final Map<String, Object> columns = new LinkedHashMap<>();
  private final Lease lease = new Lease(() -> {});

  private TestBatches(int rows) {
    this.rows = rows;
  }

  public static TestBatches rows(int rows) {
    return new TestBatches(rows);
  }

  /// Adds a tensor of integers, each cut to the type's width, or of floating-point bits.
  public TestBatches tensor(String name, DType dtype, long... values) {
    columns.put(name, tensor(dtype, Arrays.copyOf(values, rows)));
    return this;
  }

  private Tensor tensor(DType dtype, long... values) {
    MemorySegment memory = Arena.ofAuto().allocate((long) values.length * dtype.bytes(), 64);
    for (int i = 0; i < values.length; i++) {
      switch (dtype.bytes()) {
        case 1 -> memory.set(ValueLayout.JAVA_BYTE, i, (byte) values[i]);
        case 2 -> memory.set(ValueLayout.JAVA_SHORT, 2L * i, (short) values[i]);
        case 4 -> memory.set(ValueLayout.JAVA_INT, 4L * i, (int) values[i]);
        default -> memory.set(ValueLayout.JAVA_LONG, 8L * i, values[i]);
      }
    }
    return Tensor.of(dtype, Shape.of(values.length), memory, lease);
  }

  /// Adds lists of such elements, one a row.
  public TestBatches ragged(String name, DType dtype, long[]... lists) {
    long[] offsets = new long[rows + 1];
    for (int row = 0; row < rows; row++) {
      offsets[row + 1] = offsets[row] + lists[row].length;
    }
    long[] elements = Arrays.stream(lists).flatMapToLong(Arrays::stream).toArray();
    columns.put(name, RaggedTensor.of(tensor(dtype, elements), tensor(DType.INT64, offsets)));
    return this;
  }

  public TestBatches strings(String name, @Nullable String... values) {
    columns.put(name, new StringList(Arrays.copyOf(values, rows)));
    return this;
  }

  public TestBatches list(String name, @Nullable Object... values) {
    columns.put(name, Arrays.asList(values));
    return this;
  }

  public Batch batch() {
    return Batch.of(rows, columns, lease);
  }

  /// Returns the rows `[from, to)` of columns of `int64` values as a batch.
  public static Batch slice(Map<String, long[]> columns, int from, int to) {
    TestBatches batch = rows(to - from);
    columns.forEach(
        (name, values) -> batch.tensor(name, DType.INT64, Arrays.copyOfRange(values, from, to)));
    return batch.batch();
  }
}
