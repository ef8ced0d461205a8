package dev.penstock.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.parquet.bytes.ByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.column.values.bytestreamsplit.ByteStreamSplitValuesWriter;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForInteger;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForLong;
import org.apache.parquet.column.values.deltalengthbytearray.DeltaLengthByteArrayValuesWriter;
import org.apache.parquet.column.values.deltastrings.DeltaByteArrayWriter;
import org.apache.parquet.column.values.factory.DefaultV1ValuesWriterFactory;
import org.apache.parquet.column.values.factory.DefaultV2ValuesWriterFactory;
import org.apache.parquet.column.values.factory.ValuesWriterFactory;
import org.jspecify.annotations.Nullable;

/// Which encodings parquet-java writes, with or without dictionaries before them.
public enum TestEncodings {
  /// Plain values.
  PLAIN,
  /// Those of parquet-java's version 2: differences wherever there are any.
  DELTA,
  /// As PLAIN, but byte streams for numbers.
  SPLIT,
  /// For each column any encoding that its type can have, with blocks of any size; no dictionaries.
  ANY;

  private static final List<TestEncodings> ALL = List.of(values());

  /// Returns any of them.
  public static TestEncodings random(Random random) {
    return ALL.get(random.nextInt(ALL.size()));
  }

  /// Returns what makes the writers of the columns.
  ///
  /// @param seed decides what [#ANY] chooses
  ValuesWriterFactory factory(long seed) {
    return switch (this) {
      case PLAIN, SPLIT -> new DefaultV1ValuesWriterFactory();
      case DELTA -> new DefaultV2ValuesWriterFactory();
      case ANY -> new AnyEncoding(seed);
    };
  }

  private static final class AnyEncoding implements ValuesWriterFactory {
    private static final int SLAB_BYTES = 1 << 10;
    private static final int PAGE_BYTES = 1 << 20;

    private final ValuesWriterFactory plain = new DefaultV1ValuesWriterFactory();
    private final Random random;
    private @Nullable ParquetProperties properties;

    AnyEncoding(long seed) {
      random = new Random(seed);
    }

    @Override
    public void initialize(ParquetProperties properties) {
      this.properties = properties;
      plain.initialize(properties);
    }

    @Override
    public ValuesWriter newValuesWriter(ColumnDescriptor column) {
      ByteBufferAllocator memory = Objects.requireNonNull(properties).getAllocator();
      int miniblocks = 1 << random.nextInt(4);
      int block = miniblocks * 32 * 4 * (1 + random.nextInt(3));
      int length = column.getPrimitiveType().getTypeLength();
      List<ValuesWriter> writers = new ArrayList<>();
      writers.add(plain.newValuesWriter(column));
      switch (column.getPrimitiveType().getPrimitiveTypeName()) {
        case INT32 -> {
          writers.add(
              new DeltaBinaryPackingValuesWriterForInteger(
                  block, miniblocks, SLAB_BYTES, PAGE_BYTES, memory));
          writers.add(
              new ByteStreamSplitValuesWriter.IntegerByteStreamSplitValuesWriter(
                  SLAB_BYTES, PAGE_BYTES, memory));
        }
        case INT64 -> {
          writers.add(
              new DeltaBinaryPackingValuesWriterForLong(
                  block, miniblocks, SLAB_BYTES, PAGE_BYTES, memory));
          writers.add(
              new ByteStreamSplitValuesWriter.LongByteStreamSplitValuesWriter(
                  SLAB_BYTES, PAGE_BYTES, memory));
        }
        case FLOAT ->
            writers.add(
                new ByteStreamSplitValuesWriter.FloatByteStreamSplitValuesWriter(
                    SLAB_BYTES, PAGE_BYTES, memory));
        case DOUBLE ->
            writers.add(
                new ByteStreamSplitValuesWriter.DoubleByteStreamSplitValuesWriter(
                    SLAB_BYTES, PAGE_BYTES, memory));
        case FIXED_LEN_BYTE_ARRAY -> {
          writers.add(new DeltaByteArrayWriter(SLAB_BYTES, PAGE_BYTES, memory));
          writers.add(
              new ByteStreamSplitValuesWriter.FixedLenByteArrayByteStreamSplitValuesWriter(
                  length, SLAB_BYTES, PAGE_BYTES, memory));
        }
        case BINARY -> {
          writers.add(new DeltaLengthByteArrayValuesWriter(SLAB_BYTES, PAGE_BYTES, memory));
          writers.add(new DeltaByteArrayWriter(SLAB_BYTES, PAGE_BYTES, memory));
        }
        case BOOLEAN, INT96 -> {}
      }
      return writers.get(random.nextInt(writers.size()));
    }
  }
}
