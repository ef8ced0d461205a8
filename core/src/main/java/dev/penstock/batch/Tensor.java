package dev.penstock.batch;

import dev.penstock.internal.choice.Sentence;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// A block of elements of one type: a type, a shape, and memory. It does no arithmetic. One file,
/// because each way to reach an element is a few lines.
///
/// Elements lie in row-major order without gaps, in the machine's byte order. An `index` is a
/// position in that order: element `(r, c)` of a `[rows, n]` matrix has index `r * n + c`. In a
/// batch they lie off-heap, from an address that is a multiple of 64; a row of a tensor or
/// [RaggedTensor] may start at any address. An element or row that does not exist is an
/// [IndexOutOfBoundsException], a row and column of what has not two axes an
/// [IllegalStateException].
///
/// You can make a tensor over a Java array, or over any memory: [#of(float[], long...)] and similar
/// methods copy nothing, and later writes to the array show in the tensor. Without a shape the
/// tensor has one axis. A shape with another number of elements than the array or memory is an
/// [IllegalArgumentException].
///
/// **Ownership.** In a batch the memory belongs to the [Batch]. Accesses through the tensor throw
/// [IllegalStateException] once the batch is closed. The results of [#memory()] and
/// [#asByteBuffer()] are not guarded: do not use them after the batch is closed, or take a
/// [#hold()]. A tensor that you made belongs to no batch and is never closed; a hold does not keep
/// your arena open.
///
/// **Threads.** As the batch; any threads may read a tensor that you made while nobody writes.
public final class Tensor {
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

  /// The lease of memory that is never returned; it is never closed.
  private static final Lease UNLIMITED = new Lease(() -> {});

  private final DType dtype;
  private final Shape shape;
  private final MemorySegment memory;
  private final Lease lease;
  private final @Nullable String column;

  private Tensor(
      DType dtype, Shape shape, MemorySegment memory, Lease lease, @Nullable String column) {
    this.dtype = dtype;
    this.shape = shape;
    this.memory = memory;
    this.lease = lease;
    this.column = column;
  }

  /// {@return a tensor over existing memory}
  ///
  /// @param dtype the type of the elements
  /// @param shape the extents
  /// @param memory the elements; exactly `shape.elementCount() * dtype.bytes()` bytes
  /// @param lease how long the memory may be used
  public static Tensor of(DType dtype, Shape shape, MemorySegment memory, Lease lease) {
    long bytes = Math.multiplyExact(shape.elementCount(), dtype.bytes());
    if (memory.byteSize() != bytes) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot make a tensor of shape %s and type %s: its memory has %s bytes but %s are"
                  + " needed.",
              shape, dtype, memory.byteSize(), bytes));
    }
    return new Tensor(dtype, shape, memory, lease, null);
  }

  /// {@return a tensor over your own memory, which belongs to no batch}
  ///
  /// @param dtype the type of the elements
  /// @param shape the extents
  /// @param memory the elements; exactly `shape.elementCount() * dtype.bytes()` bytes
  public static Tensor of(DType dtype, Shape shape, MemorySegment memory) {
    return of(dtype, shape, memory, UNLIMITED);
  }

  /// {@return a tensor of `FLOAT32` over an array, without a copy}
  ///
  /// @param values the elements in row-major order
  /// @param shape the extents; none for one axis
  public static Tensor of(float[] values, long... shape) {
    return of(DType.FLOAT32, shapeOf(values.length, shape), MemorySegment.ofArray(values));
  }

  /// {@return a tensor of `FLOAT64` over an array, without a copy}
  ///
  /// @param values the elements in row-major order
  /// @param shape the extents; none for one axis
  public static Tensor of(double[] values, long... shape) {
    return of(DType.FLOAT64, shapeOf(values.length, shape), MemorySegment.ofArray(values));
  }

  /// {@return a tensor of `INT64` over an array, without a copy}
  ///
  /// @param values the elements in row-major order
  /// @param shape the extents; none for one axis
  public static Tensor of(long[] values, long... shape) {
    return of(DType.INT64, shapeOf(values.length, shape), MemorySegment.ofArray(values));
  }

  /// {@return a tensor of `INT32` over an array, without a copy}
  ///
  /// @param values the elements in row-major order
  /// @param shape the extents; none for one axis
  public static Tensor of(int[] values, long... shape) {
    return of(DType.INT32, shapeOf(values.length, shape), MemorySegment.ofArray(values));
  }

  /// {@return a tensor of `INT16` over an array, without a copy}
  ///
  /// @param values the elements in row-major order
  /// @param shape the extents; none for one axis
  public static Tensor of(short[] values, long... shape) {
    return of(DType.INT16, shapeOf(values.length, shape), MemorySegment.ofArray(values));
  }

  /// {@return a tensor of `INT8` over an array, without a copy}
  ///
  /// @param values the elements in row-major order
  /// @param shape the extents; none for one axis
  public static Tensor of(byte[] values, long... shape) {
    return of(DType.INT8, shapeOf(values.length, shape), MemorySegment.ofArray(values));
  }

  /// {@return a tensor of `BOOL` with a copy of an array, because Java does not say how it stores
  /// booleans}
  ///
  /// @param values the elements in row-major order
  /// @param shape the extents; none for one axis
  public static Tensor of(boolean[] values, long... shape) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (values[i] ? 1 : 0);
    }
    return of(DType.BOOL, shapeOf(values.length, shape), MemorySegment.ofArray(bytes));
  }

  private static Shape shapeOf(int length, long[] dims) {
    Shape shape = dims.length == 0 ? Shape.of(length) : Shape.of(dims);
    if (shape.elementCount() != length) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot make a tensor of shape %s: the array has %s elements but %s are needed.",
              shape, length, shape.elementCount()));
    }
    return shape;
  }

  /// {@return the type of the elements}
  public DType dtype() {
    return dtype;
  }

  /// {@return the extents, the row axis first}
  public Shape shape() {
    return shape;
  }

  /// {@return the memory itself, without a copy, writable and valid until the batch is closed}
  public MemorySegment memory() {
    lease.check();
    return memory;
  }

  /// {@return the memory as a buffer, without a copy, in native byte order, valid until the batch
  /// is closed}
  ///
  /// @throws UnsupportedOperationException if the tensor has 2 GiB or more, or lies over a Java
  ///   array other than `byte[]`
  public ByteBuffer asByteBuffer() {
    return memory().asByteBuffer().order(ByteOrder.nativeOrder());
  }

  /// {@return a hold, which keeps the memory after the batch is closed, for a library that works on
  /// it by its address} Close the hold when the library is done.
  public Hold hold() {
    lease.retain();
    return new Hold(lease, memory);
  }

  /// {@return an element as a `float`, exactly}
  ///
  /// @param index the place in row-major order
  /// @throws IllegalStateException if the type is not `FLOAT32` or `FLOAT16`
  public float getFloat(long index) {
    lease.check();
    try {
      return switch (dtype) {
        case FLOAT32 -> memory.get(FLOAT, index * 4);
        case FLOAT16 -> Float.float16ToFloat(memory.get(SHORT, index * 2));
        default -> throw wrongType("a float");
      };
    } catch (IndexOutOfBoundsException _) { // its message would show an address
      throw outOfBounds("element", index, shape.elementCount());
    }
  }

  /// {@return the element of a matrix as [#getFloat(long)] gives it}
  ///
  /// @param row the place along the first axis
  /// @param column the place along the second axis
  public float getFloat(long row, long column) {
    return getFloat(index(row, column));
  }

  /// {@return an element of any type as a `double`; rounded for 64-bit integers beyond `2^53`, 0 or
  /// 1 for booleans}
  ///
  /// @param index the place in row-major order
  public double getDouble(long index) {
    return switch (dtype) {
      case FLOAT64 -> {
        lease.check();
        try {
          yield memory.get(DOUBLE, index * 8);
        } catch (IndexOutOfBoundsException _) { // its message would show an address
          throw outOfBounds("element", index, shape.elementCount());
        }
      }
      case FLOAT32, FLOAT16 -> getFloat(index);
      case UINT64 -> {
        long bits = getLong(index);
        // Halve, keeping the lowest bit for correct rounding, where the sign bit is set.
        yield bits >= 0 ? (double) bits : (double) ((bits >>> 1) | (bits & 1)) * 2.0;
      }
      default -> getLong(index);
    };
  }

  /// {@return the element of a matrix as [#getDouble(long)] gives it}
  ///
  /// @param row the place along the first axis
  /// @param column the place along the second axis
  public double getDouble(long row, long column) {
    return getDouble(index(row, column));
  }

  /// {@return an element of an integer or boolean type as a `long`; for `UINT64` its 64 bits, to be
  /// read with `Long.toUnsignedString` or similar}
  ///
  /// @param index the place in row-major order
  /// @throws IllegalStateException if the type is floating-point
  public long getLong(long index) {
    lease.check();
    try {
      return switch (dtype) {
        case BOOL, INT8 -> memory.get(ValueLayout.JAVA_BYTE, index);
        case UINT8 -> memory.get(ValueLayout.JAVA_BYTE, index) & 0xFFL;
        case INT16 -> memory.get(SHORT, index * 2);
        case UINT16 -> memory.get(SHORT, index * 2) & 0xFFFFL;
        case INT32 -> memory.get(INT, index * 4);
        case UINT32 -> memory.get(INT, index * 4) & 0xFFFF_FFFFL;
        case INT64, UINT64 -> memory.get(LONG, index * 8);
        case FLOAT16, FLOAT32, FLOAT64 -> throw wrongType("a long");
      };
    } catch (IndexOutOfBoundsException _) { // its message would show an address
      throw outOfBounds("element", index, shape.elementCount());
    }
  }

  /// {@return the element of a matrix as [#getLong(long)] gives it}
  ///
  /// @param row the place along the first axis
  /// @param column the place along the second axis
  public long getLong(long row, long column) {
    return getLong(index(row, column));
  }

  /// {@return an element of an integer or boolean type as an `int`, exactly}
  ///
  /// @param index the place in row-major order
  /// @throws IllegalStateException if the type is floating-point, or an `int` cannot hold the value
  public int getInt(long index) {
    long value = getLong(index);
    if ((int) value != value || (dtype == DType.UINT64 && value < 0)) {
      throw new IllegalStateException(
          Sentence.of(
              "Cannot read element %s%s as an int: it is %s. Use getLong().",
              index,
              ofColumn(),
              dtype == DType.UINT64 ? Long.toUnsignedString(value) : String.valueOf(value)));
    }
    return (int) value;
  }

  /// {@return the element of a matrix as [#getInt(long)] gives it}
  ///
  /// @param row the place along the first axis
  /// @param column the place along the second axis
  public int getInt(long row, long column) {
    return getInt(index(row, column));
  }

  /// {@return an element of a boolean tensor}
  ///
  /// @param index the place in row-major order
  /// @throws IllegalStateException if the type is not `BOOL`
  public boolean getBoolean(long index) {
    if (dtype != DType.BOOL) {
      throw wrongType("a boolean");
    }
    return getLong(index) != 0;
  }

  /// {@return the element of a matrix as [#getBoolean(long)] gives it}
  ///
  /// @param row the place along the first axis
  /// @param column the place along the second axis
  public boolean getBoolean(long row, long column) {
    return getBoolean(index(row, column));
  }

  private long index(long row, long column) {
    requireMatrix();
    if (row < 0 || row >= shape.dim(0) || column < 0 || column >= shape.dim(1)) {
      throw new IndexOutOfBoundsException(
          Sentence.of(
              "Cannot read element (%s, %s)%s: its shape is %s, so expected a row in [0, %s) and a"
                  + " column in [0, %s).",
              row, column, ofColumn(), shape, shape.dim(0), shape.dim(1)));
    }
    return row * shape.dim(1) + column;
  }

  /// {@return a copy of all elements in a Java array whose type holds them exactly: `boolean[]`,
  /// `byte[]`, `short[]`, `int[]`, `long[]`, `float[]` or `double[]`; unsigned types take the next
  /// wider one (`UINT8`: `short[]`, `UINT16`: `int[]`, `UINT32`: `long[]`), `UINT64` its bits as
  /// `long[]`, `FLOAT16` as `float[]`}
  public Object toArray() {
    lease.check();
    return switch (dtype) {
      case BOOL -> booleans();
      case INT8 -> memory.toArray(ValueLayout.JAVA_BYTE);
      case INT16 -> memory.toArray(SHORT);
      case INT32 -> memory.toArray(INT);
      case INT64, UINT64 -> memory.toArray(LONG);
      case UINT8 -> widenedToShort();
      case UINT16 -> widenedToInt();
      case UINT32 -> widenedToLong();
      case FLOAT16 -> widenedToFloat();
      case FLOAT32 -> memory.toArray(FLOAT);
      case FLOAT64 -> memory.toArray(DOUBLE);
    };
  }

  /// {@return a copy of a matrix with a Java array for each row: `toArrays(float[].class)` is a
  /// `float[][]`}
  ///
  /// @param <A> the type of a row
  /// @param type the type of a row as [#toArray()] chooses it
  /// @throws IllegalStateException if the tensor is not a matrix, or its rows are of another type
  public <A> A[] toArrays(Class<A> type) {
    requireMatrix();
    Class<?> own = part(0, 0).toArray().getClass();
    if (own != type) {
      throw new IllegalStateException(
          Sentence.of(
              "Cannot copy rows of type %s%s as %s: expected %s.",
              dtype, ofColumn(), type.getSimpleName(), own.getSimpleName()));
    }
    @SuppressWarnings("unchecked") // the class is that of its rows
    A[] rows = (A[]) Array.newInstance(type, Math.toIntExact(shape.dim(0)));
    for (int i = 0; i < rows.length; i++) {
      rows[i] = type.cast(row(i).toArray());
    }
    return rows;
  }

  private void requireMatrix() {
    if (shape.rank() != 2) {
      throw new IllegalStateException(
          Sentence.of(
              "Cannot read rows and columns%s: its shape is %s but expected two axes. Use an index in"
                  + " row-major order, or row(i).",
              ofColumn(), shape));
    }
  }

  private boolean[] booleans() {
    boolean[] array = new boolean[elementCount()];
    for (int i = 0; i < array.length; i++) {
      array[i] = memory.get(ValueLayout.JAVA_BYTE, i) != 0;
    }
    return array;
  }

  private short[] widenedToShort() {
    short[] array = new short[elementCount()];
    for (int i = 0; i < array.length; i++) {
      array[i] = (short) (memory.get(ValueLayout.JAVA_BYTE, i) & 0xFF);
    }
    return array;
  }

  private int[] widenedToInt() {
    int[] array = new int[elementCount()];
    for (int i = 0; i < array.length; i++) {
      array[i] = memory.get(SHORT, 2L * i) & 0xFFFF;
    }
    return array;
  }

  private long[] widenedToLong() {
    long[] array = new long[elementCount()];
    for (int i = 0; i < array.length; i++) {
      array[i] = memory.get(INT, 4L * i) & 0xFFFF_FFFFL;
    }
    return array;
  }

  private float[] widenedToFloat() {
    float[] array = new float[elementCount()];
    for (int i = 0; i < array.length; i++) {
      array[i] = Float.float16ToFloat(memory.get(SHORT, 2L * i));
    }
    return array;
  }

  /// {@return the part at an index of the first axis, without a copy: a tensor of the other axes,
  /// whose memory starts where the row does}
  ///
  /// @param index the place, in `[0, shape().dim(0))`
  /// @throws IllegalStateException if the tensor is a scalar
  public Tensor row(long index) {
    if (shape.rank() == 0) {
      throw new IllegalStateException("Cannot take a row of a scalar: it has no axes.");
    }
    if (index < 0 || index >= shape.dim(0)) {
      throw outOfBounds("row", index, shape.dim(0));
    }
    Shape rest = shape.rest();
    long bytes = rest.elementCount() * dtype.bytes();
    return new Tensor(dtype, rest, memory.asSlice(index * bytes, bytes), lease, column);
  }

  /// Returns elements `[from, from + count)` in row-major order, in the same memory.
  Tensor part(long from, long count) {
    long width = dtype.bytes();
    return new Tensor(
        dtype, Shape.of(count), memory.asSlice(from * width, count * width), lease, column);
  }

  /// Returns the same elements under another shape.
  Tensor shaped(Shape other) {
    return of(dtype, other, memory, lease).named(column);
  }

  /// Returns this tensor under a column's name, for errors.
  Tensor named(@Nullable String name) {
    return new Tensor(dtype, shape, memory, lease, name);
  }

  private int elementCount() {
    return Math.toIntExact(shape.elementCount());
  }

  /// Returns the error for a row that does not exist in lists of these elements.
  IndexOutOfBoundsException noRow(long row, long rowCount) {
    return new IndexOutOfBoundsException(
        Sentence.of(
            "Cannot read row %s%s: it has %s lists, so expected one in [0, %s).",
            row, ofColumn(), rowCount, rowCount));
  }

  private String ofColumn() {
    return column == null ? "" : " of column '" + column + "'";
  }

  private IndexOutOfBoundsException outOfBounds(String what, long index, long count) {
    return new IndexOutOfBoundsException(
        Sentence.of(
            "Cannot read %s %s%s: its shape is %s, so expected one in [0, %s).",
            what, index, ofColumn(), shape, count));
  }

  private IllegalStateException wrongType(String wanted) {
    return new IllegalStateException(
        Sentence.of(
            "Cannot read an element of type %s as %s. Use %s.",
            dtype, wanted, dtype.isFloating() ? "getDouble()" : "getLong() or getDouble()"));
  }

  /// Returns how long the memory may be used.
  Lease lease() {
    return lease;
  }

  /// Returns type and shape, for errors.
  String form() {
    return "Tensor " + dtype + " " + shape;
  }

  /// Shows type, shape and the first and last values of each axis. Of a closed batch it says so.
  @Override
  public String toString() {
    return form() + TensorText.of(this, lease);
  }
}
