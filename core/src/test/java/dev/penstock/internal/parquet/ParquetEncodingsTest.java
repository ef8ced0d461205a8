package dev.penstock.internal.parquet;

import static org.apache.parquet.format.CompressionCodec.UNCOMPRESSED;
import static org.apache.parquet.format.Encoding.BYTE_STREAM_SPLIT;
import static org.apache.parquet.format.Encoding.DELTA_BINARY_PACKED;
import static org.apache.parquet.format.Encoding.DELTA_BYTE_ARRAY;
import static org.apache.parquet.format.Encoding.DELTA_LENGTH_BYTE_ARRAY;
import static org.apache.parquet.format.Encoding.RLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.memory.Raw;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForInteger;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Pages of differences and byte streams that no writer would write.
class ParquetEncodingsTest {
  private static final long MEMORY_BYTES = 1 << 20;

  private final ParquetFormat format = new ParquetFormat();

  private static HandMadeFile required(Type type) {
    return new HandMadeFile(type, false, UNCOMPRESSED);
  }

  private List<@Nullable Object> read(BytesFile file) throws IOException {
    return read(file, 3);
  }

  private List<@Nullable Object> read(BytesFile file, int most) throws IOException {
    FileMetadata metadata = format.readMetadata(file);
    TestMemory memory = new TestMemory(MEMORY_BYTES);
    long rows = metadata.rowCount();
    return TestRows.read(format, file, metadata, metadata.schema(), 0, rows, memory, () -> most)
        .getFirst();
  }

  private void assertRefused(HandMadeFile made, String sentence) throws IOException {
    BytesFile file = made.file();
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith(sentence)
        .hasMessageContaining("[memory://file, row group 0, column 'c'");
  }

  /// Returns differences as parquet-java writes them.
  private static byte[] deltas(int... values) throws IOException {
    var writer =
        new DeltaBinaryPackingValuesWriterForInteger(1000, 1000, new HeapByteBufferAllocator());
    for (int value : values) {
      writer.writeInteger(value);
    }
    return bytes(writer);
  }

  private static byte[] bytes(ValuesWriter writer) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writer.getBytes().writeAllTo(bytes);
    return bytes.toByteArray();
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void encodingsChangeInsideASlice() throws IOException {
    HandMadeFile made = required(Type.BYTE_ARRAY);
    made.column().setConverted_type(ConvertedType.UTF8);
    made.data(1, Encoding.PLAIN, join(new byte[] {1, 0, 0, 0}, text("a")));
    made.data(2, DELTA_LENGTH_BYTE_ARRAY, join(deltas(0, 2), text("bc")));
    made.data(3, DELTA_BYTE_ARRAY, join(deltas(0, 1, 3), deltas(1, 2, 1), text("cdef")));
    made.data(1, DELTA_LENGTH_BYTE_ARRAY, join(deltas(3), text("xyz")));
    assertThat(read(made.group(7).file()))
        .containsExactly("a", "", "bc", "c", "cde", "cdef", "xyz");
  }

  @Test
  void pageOfNullsNeedsNoValues() throws IOException {
    byte[] levels = {2, 0, 0, 0, 4, 0}; // 2 nulls
    for (Type type : List.of(Type.INT32, Type.BYTE_ARRAY)) {
      for (Encoding encoding : List.of(DELTA_BINARY_PACKED, BYTE_STREAM_SPLIT, DELTA_BYTE_ARRAY)) {
        if (Encodings.readable(type).contains(encoding)) {
          HandMadeFile made = new HandMadeFile(type, true, UNCOMPRESSED);
          assertThat(read(made.data(2, encoding, levels).group(2).file()))
              .containsExactly(null, null);
        }
      }
    }
  }

  /// A page of 100 kB with 300 values that have 15 MB together.
  @Test
  void longValuesFromFewBytesMakeSmallSlices() throws IOException {
    int length = 100_000;
    int[] prefixes = new int[300];
    int[] suffixes = new int[300];
    Arrays.fill(prefixes, 1, 300, length);
    suffixes[0] = length;
    byte[] page = join(deltas(prefixes), deltas(suffixes), new byte[length]);
    BytesFile file = required(Type.BYTE_ARRAY).data(300, DELTA_BYTE_ARRAY, page).group(300).file();
    FileMetadata metadata = format.readMetadata(file);
    TestMemory memory = new TestMemory(24 << 20);
    int rows = 0;
    int slices = 0;
    try (SliceReader reader =
        format.openReader(file, metadata, metadata.schema(), 0, 300, memory)) {
      for (int count = reader.next(300); count > 0; count = reader.next(300)) {
        ColumnSlice slice = reader.column(0);
        int end = Objects.requireNonNull(slice.offsets()).get(Raw.INT, count * 4L);
        assertThat(end).isEqualTo(count * length).isLessThanOrEqualTo(16 << 20);
        rows += count;
        slices++;
      }
    }
    assertThat(rows).isEqualTo(300);
    assertThat(slices).isEqualTo(2);
  }

  /// The same for decimals, whose leading bytes are all sign.
  @Test
  void longDecimalsFromFewBytesTakeLittleMemory() throws IOException {
    int length = 100_000;
    int[] prefixes = new int[300];
    int[] suffixes = new int[300];
    Arrays.fill(prefixes, 1, 300, length);
    suffixes[0] = length;
    HandMadeFile made = required(Type.BYTE_ARRAY);
    made.column().setConverted_type(ConvertedType.DECIMAL).setPrecision(9).setScale(0);
    byte[] page = join(deltas(prefixes), deltas(suffixes), new byte[length]);
    page[page.length - 1] = 7;
    assertThat(read(made.data(300, DELTA_BYTE_ARRAY, page).group(300).file(), 300))
        .hasSize(300)
        .containsOnly(BigInteger.valueOf(7));
  }

  @Nested
  class WhatDoesNotFit {
    @Test
    void encodingOfAnotherTypeIsNamedWithThoseThatCanBeRead() throws IOException {
      assertRefused(
          required(Type.DOUBLE).data(1, DELTA_BINARY_PACKED, deltas(1)).group(1),
          "Unsupported Parquet encoding: the column's data is encoded as DELTA_BINARY_PACKED but"
              + " DOUBLE can be read as [PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY,"
              + " BYTE_STREAM_SPLIT]. Write it with one of these.");
      assertRefused(
          required(Type.INT64).data(1, DELTA_BYTE_ARRAY, deltas(1)).group(1),
          "Unsupported Parquet encoding: the column's data is encoded as DELTA_BYTE_ARRAY but"
              + " INT64 can be read as");
      assertRefused(
          required(Type.BYTE_ARRAY).data(1, RLE, deltas(1)).group(1),
          "Unsupported Parquet encoding: the column's data is encoded as RLE but BYTE_ARRAY");
      assertRefused(
          required(Type.INT96).data(1, BYTE_STREAM_SPLIT, new byte[12]).group(1),
          "Unsupported Parquet encoding: the column's data is encoded as BYTE_STREAM_SPLIT but"
              + " INT96");
      assertRefused(
          required(Type.BOOLEAN).data(1, DELTA_BINARY_PACKED, deltas(1)).group(1),
          "Unsupported Parquet encoding: the column's data is encoded as DELTA_BINARY_PACKED but"
              + " BOOLEAN can be read as [PLAIN, RLE].");
    }

    @Test
    void fewerDifferencesThanRowsAreRefused() throws IOException {
      assertRefused(
          required(Type.INT32).data(3, DELTA_BINARY_PACKED, deltas(1, 2)).group(3),
          "Truncated Parquet page: 3 more values are expected but 2 are left, stored as"
              + " differences.");
      assertRefused(
          required(Type.BYTE_ARRAY).data(2, DELTA_LENGTH_BYTE_ARRAY, deltas(0)).group(2),
          "Truncated Parquet page: 2 more values are expected but it has the lengths of 1.");
    }

    @Test
    void lengthsBeyondThePageAreRefused() throws IOException {
      for (int[] lengths : new int[][] {{4}, {1, 3}, {Integer.MAX_VALUE, Integer.MAX_VALUE}}) {
        assertRefused(
            required(Type.BYTE_ARRAY)
                .data(lengths.length, DELTA_LENGTH_BYTE_ARRAY, join(deltas(lengths), text("abc")))
                .group(lengths.length),
            "Corrupt Parquet page: its values need ");
      }
    }

    @Test
    void negativeLengthsAreRefused() throws IOException {
      assertRefused(
          required(Type.BYTE_ARRAY)
              .data(2, DELTA_LENGTH_BYTE_ARRAY, join(deltas(3, -3), text("abc")))
              .group(2),
          "Corrupt Parquet page: the length of a value is negative.");
      assertRefused(
          required(Type.BYTE_ARRAY)
              .data(2, DELTA_BYTE_ARRAY, join(deltas(0, 1), deltas(3, -1), text("abc")))
              .group(2),
          "Corrupt Parquet page: the length of a value is negative.");
    }

    @Test
    void prefixLongerThanTheValueBeforeIsRefused() throws IOException {
      assertRefused(
          required(Type.BYTE_ARRAY)
              .data(2, DELTA_BYTE_ARRAY, join(deltas(0, 4), deltas(3, 0), text("abc")))
              .group(2),
          "Corrupt Parquet page: a value shares 4 bytes with the one before, which has 3.");
      assertRefused(
          required(Type.BYTE_ARRAY)
              .data(2, DELTA_BYTE_ARRAY, join(deltas(0, -1), deltas(3, 0), text("abc")))
              .group(2),
          "Corrupt Parquet page: a value shares 4294967295 bytes with the one before");
    }

    @Test
    void pageThatContinuesTheOneBeforeIsRefused() throws IOException {
      byte[] first = join(deltas(0), deltas(3), text("abc"));
      byte[] second = join(deltas(2), deltas(1), text("d"));
      assertRefused(
          required(Type.BYTE_ARRAY)
              .data(1, DELTA_BYTE_ARRAY, first)
              .data(1, DELTA_BYTE_ARRAY, second)
              .group(2),
          "Corrupt Parquet page: a value shares 2 bytes with the one before, which has 0. Files of"
              + " parquet-mr before 1.8.0 can be so (PARQUET-246): write the file again.");
    }

    @Test
    void prefixesAndSuffixesOfDifferentNumberAreRefused() throws IOException {
      assertRefused(
          required(Type.BYTE_ARRAY)
              .data(2, DELTA_BYTE_ARRAY, join(deltas(0, 0), deltas(3), text("abc")))
              .group(2),
          "Corrupt Parquet page: it has 2 prefixes but 1 suffixes.");
    }

    @Test
    void valueOfAnotherLengthThanItsColumnIsRefused() throws IOException {
      HandMadeFile made = required(Type.FIXED_LEN_BYTE_ARRAY);
      made.column().setType_length(3);
      assertRefused(
          made.data(2, DELTA_BYTE_ARRAY, join(deltas(0, 2), deltas(3, 2), text("abcde"))).group(2),
          "Corrupt Parquet page: a value has 4 bytes but all of the column have 3.");
    }

    @Test
    void decimalWiderThanItsPrecisionIsRefused() throws IOException {
      HandMadeFile made = required(Type.BYTE_ARRAY);
      made.column().setConverted_type(ConvertedType.DECIMAL).setPrecision(9).setScale(0);
      assertRefused(
          made.data(1, DELTA_LENGTH_BYTE_ARRAY, join(deltas(9), text("123456789"))).group(1),
          "Corrupt Parquet page: a decimal does not fit the 8 bytes that its precision needs.");
    }

    @Test
    void differencesThatLeaveTheirTypeAreRefused() throws IOException {
      HandMadeFile made = required(Type.INT32);
      made.column().setConverted_type(ConvertedType.INT_8);
      assertRefused(
          made.data(2, DELTA_BINARY_PACKED, deltas(127, 128)).group(2),
          "Corrupt Parquet page: a value does not fit its type of 8 signed bits.");
    }
  }
}
