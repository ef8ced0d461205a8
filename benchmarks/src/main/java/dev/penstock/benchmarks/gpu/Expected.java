package dev.penstock.benchmarks.gpu;

import dev.penstock.DataLoader;
import dev.penstock.Loader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.data.Datasets;
import dev.penstock.options.MapOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/// What the tensors of some rows are, computed without Penstock.
interface Expected {
  /// Returns the names of the tensors of a batch, in order.
  List<String> names();

  /// Returns a tensor's type.
  DType dtype(String name);

  /// Returns the bytes of a tensor whose batch has the given rows.
  MemorySegment bytes(String name, long firstRow, int rows);

  /// Returns 64 bits that depend on all of two numbers.
  static long mixed(long column, long row) {
    long z = row * 0x9E3779B97F4A7C15L + (column + 1) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 29)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 32);
  }

  /// The columns of `types.parquet`: one of each type, and lists of 0 to 4 numbers.
  final class Types implements Expected {
    static final int ROWS = 3001;

    private static final List<DType> TYPES =
        List.of(
            DType.BOOL,
            DType.INT8,
            DType.INT16,
            DType.INT32,
            DType.INT64,
            DType.UINT8,
            DType.UINT16,
            DType.UINT32,
            DType.UINT64,
            DType.FLOAT16,
            DType.FLOAT32,
            DType.FLOAT64);

    /// Returns a loader of the file.
    static DataLoader loader(Path data, int batchSize, boolean pin) {
      return DataLoader.of(
          new StructuredDataset(data.toString()),
          o -> o.batchSize(batchSize).workers(2).pinMemory(pin).poisonMemory(true));
    }

    @Override
    public List<String> names() {
      List<String> names = new ArrayList<>();
      TYPES.forEach(type -> names.add(type.name().toLowerCase(Locale.ROOT)));
      names.addAll(List.of("list.values", "list.offsets"));
      return names;
    }

    @Override
    public DType dtype(String name) {
      return switch (name) {
        case "list.values" -> DType.INT32;
        case "list.offsets" -> DType.INT64;
        default -> DType.valueOf(name.toUpperCase(Locale.ROOT));
      };
    }

    @Override
    public MemorySegment bytes(String name, long firstRow, int rows) {
      long lengths = 0;
      for (long row = firstRow; row < firstRow + rows; row++) {
        lengths += row % 5;
      }
      DType type = dtype(name);
      long elements =
          switch (name) {
            case "list.values" -> lengths;
            case "list.offsets" -> rows + 1L;
            default -> rows;
          };
      ByteBuffer bytes =
          ByteBuffer.allocate(Math.toIntExact(elements * type.bytes()))
              .order(ByteOrder.nativeOrder());
      long end = 0;
      for (long row = firstRow; row < firstRow + rows; row++) {
        switch (name) {
          case "list.values" -> {
            for (long i = 0; i < row % 5; i++) {
              bytes.putInt((int) (mixed(TYPES.size(), 5 * row + i) >>> 32));
            }
          }
          case "list.offsets" -> {
            bytes.putLong(end);
            end += row % 5;
          }
          default -> put(bytes, type, mixed(TYPES.indexOf(type), row));
        }
      }
      if (name.equals("list.offsets")) {
        bytes.putLong(end);
      }
      return MemorySegment.ofBuffer(bytes.flip());
    }

    private static void put(ByteBuffer bytes, DType type, long mixed) {
      int width = 8 * type.bytes();
      long bits = mixed >>> (64 - width);
      if (type.isFloating()) {
        bits &= ~(1L << (width - 2)); // finite
      }
      switch (width) {
        case 8 -> bytes.put((byte) (type == DType.BOOL ? bits >>> 7 : bits));
        case 16 -> bytes.putShort((short) bits);
        case 32 -> bytes.putInt((int) bits);
        default -> bytes.putLong(bits);
      }
    }
  }

  /// Rows that are one block of bytes each, made by a collator: batches as large as the bus needs.
  ///
  /// @param rows how many rows an epoch has
  /// @param rowBytes the size of a row
  /// @param batchSize rows of a batch
  record Blocks(int rows, int rowBytes, int batchSize) implements Expected {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    /// Returns a loader.
    ///
    /// @param isFilled whether all bytes are written; otherwise those of memory are taken as they
    ///   are, so that the host is as fast as it may be
    Loader<Batch> loader(boolean isFilled, UnaryOperator<MapOptions<Long, Batch>> more) {
      return DataLoader.of(
          Datasets.range(rows),
          o ->
              more.apply(
                  o.batchSize(batchSize)
                      .workers(2)
                      .collate((batch, builder) -> {
                        Tensor block =
                            builder.tensor("block", DType.UINT8, Shape.of(batch.size(), rowBytes));
                        if (isFilled) {
                          for (int i = 0; i < batch.size(); i++) {
                            fill(
                                block.memory().asSlice((long) i * rowBytes, rowBytes),
                                batch.get(i));
                          }
                        }
                        return builder.build(batch.size());
                      })));
    }

    private static void fill(MemorySegment row, long number) {
      long at = 0;
      for (; at + 8 <= row.byteSize(); at += 8) {
        row.set(LONG, at, mixed(at, number));
      }
      for (; at < row.byteSize(); at++) {
        row.set(ValueLayout.JAVA_BYTE, at, (byte) mixed(at, number));
      }
    }

    @Override
    public List<String> names() {
      return List.of("block");
    }

    @Override
    public DType dtype(String name) {
      return DType.UINT8;
    }

    @Override
    public MemorySegment bytes(String name, long firstRow, int count) {
      MemorySegment bytes = MemorySegment.ofArray(new byte[Math.multiplyExact(count, rowBytes)]);
      for (int i = 0; i < count; i++) {
        fill(bytes.asSlice((long) i * rowBytes, rowBytes), firstRow + i);
      }
      return bytes;
    }
  }
}
