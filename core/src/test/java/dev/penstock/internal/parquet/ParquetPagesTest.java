package dev.penstock.internal.parquet;

import static dev.penstock.internal.parquet.HandMadeFile.ints;
import static org.apache.parquet.format.CompressionCodec.SNAPPY;
import static org.apache.parquet.format.CompressionCodec.UNCOMPRESSED;
import static org.apache.parquet.format.CompressionCodec.ZSTD;
import static org.apache.parquet.format.Encoding.BIT_PACKED;
import static org.apache.parquet.format.Encoding.PLAIN;
import static org.apache.parquet.format.Encoding.RLE_DICTIONARY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.format.TextDictionary;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Pages one at a time: what writers may do and few of them do, and what none should.
class ParquetPagesTest {
  private static final long MEMORY_BYTES = 1 << 20;

  private final ParquetFormat format = new ParquetFormat();

  private static HandMadeFile required(Type type) {
    return new HandMadeFile(type, false, UNCOMPRESSED);
  }

  private List<@Nullable Object> read(BytesFile file) throws IOException {
    FileMetadata metadata = format.readMetadata(file);
    TestMemory memory = new TestMemory(MEMORY_BYTES);
    long rows = metadata.rowCount();
    return TestRows.read(format, file, metadata, metadata.schema(), 0, rows, memory, () -> 3)
        .getFirst();
  }

  private void assertRefused(HandMadeFile made, String sentence) throws IOException {
    BytesFile file = made.file();
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith(sentence)
        .hasMessageContaining("[memory://file, row group 0, column 'c'");
  }

  @Test
  void bitPackedLevelsOfOldFilesAreRead() throws IOException {
    // 10110000 1: the first value in the highest bit.
    HandMadeFile made = new HandMadeFile(Type.INT32, true, UNCOMPRESSED);
    byte[] body =
        ByteBuffer.allocate(18).put((byte) 0xb0).put((byte) 0x80).put(ints(1, 2, 3, 4)).array();
    BytesFile file = made.data(9, PLAIN, BIT_PACKED, body).group(9).file();
    assertThat(read(file)).containsExactly(1L, null, 2L, 3L, null, null, null, null, 4L);
  }

  @Test
  void dictionaryWithoutItsOffsetIsFound() throws IOException {
    BytesFile file =
        required(Type.INT32)
            .dictionary(2, ints(7, 8))
            .data(3, RLE_DICTIONARY, new byte[] {1, 3, 0b101})
            .group(3)
            .file();
    assertThat(read(file)).containsExactly(8L, 7L, 8L);
  }

  @Test
  void emptyPagesAndRowGroupsAreSteppedOver() throws IOException {
    BytesFile file =
        required(Type.INT32)
            .group(0)
            .data(0, PLAIN)
            .data(2, PLAIN, ints(1, 2))
            .data(0, PLAIN)
            .data(1, PLAIN, ints(3))
            .group(3)
            .group(0)
            .data(1, PLAIN, ints(4))
            .group(1)
            .file();
    assertThat(read(file)).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void indexPagesAreSteppedOver() throws IOException {
    PageHeader index = new PageHeader(PageType.INDEX_PAGE, 3, 3);
    BytesFile file =
        required(Type.INT32)
            .data(1, PLAIN, ints(1))
            .page(index, new byte[3])
            .data(1, PLAIN, ints(2))
            .group(2)
            .file();
    assertThat(read(file)).containsExactly(1L, 2L);
  }

  @Test
  void versionTwoPageMayBeUncompressedInACompressedColumn() throws IOException {
    HandMadeFile made = new HandMadeFile(Type.INT32, false, ZSTD);
    BytesFile file = made.dataV2(2, PLAIN, false, ints(5, 6)).group(2).file();
    assertThat(read(file)).containsExactly(5L, 6L);
  }

  @Test
  void dictionaryStaysTheSameThroughARowGroup() throws IOException {
    HandMadeFile made = required(Type.BYTE_ARRAY);
    made.dictionary(
        2,
        (byte) 1,
        (byte) 0,
        (byte) 0,
        (byte) 0,
        (byte) 'a',
        (byte) 0,
        (byte) 0,
        (byte) 0,
        (byte) 0);
    made.data(4, RLE_DICTIONARY, new byte[] {1, 3, 0b0110});
    made.data(2, PLAIN, new byte[] {0, 0, 0, 0, 1, 0, 0, 0, 'z'});
    BytesFile file = made.group(6).file();
    FileMetadata metadata = format.readMetadata(file);
    TestMemory memory = new TestMemory(MEMORY_BYTES);
    List<@Nullable TextDictionary> dictionaries = new ArrayList<>();
    try (SliceReader reader = format.openReader(file, metadata, metadata.schema(), 0, 6, memory)) {
      for (int rows = reader.next(3); rows > 0; rows = reader.next(3)) {
        ColumnSlice slice = reader.column(0);
        dictionaries.add(slice.dictionary());
      }
    }
    assertThat(dictionaries).hasSize(3);
    assertThat(dictionaries.getFirst()).isNotNull().isSameAs(dictionaries.get(1));
    assertThat(dictionaries.get(2)).isNull();
    assertThat(read(file)).containsExactly("61", "", "", "61", "", "7a");
  }

  @Test
  void pagesBeforeTheRangeAreNotLookedInto() throws IOException {
    PageHeader broken = new PageHeader(PageType.DATA_PAGE, 4, 4).setCrc(1);
    broken.setData_page_header(new DataPageHeader(1, PLAIN, Encoding.RLE, Encoding.RLE));
    BytesFile file =
        required(Type.INT32).page(broken, ints(1)).data(2, PLAIN, ints(2, 3)).group(3).file();
    FileMetadata metadata = format.readMetadata(file);
    TestMemory memory = new TestMemory(MEMORY_BYTES);
    assertThat(TestRows.read(format, file, metadata, metadata.schema(), 1, 2, memory, () -> 9))
        .containsExactly(List.of(2L, 3L));
    assertThatThrownBy(() -> read(file)).hasMessageContaining("checksum (CRC)");
  }

  @Test
  void largeValuesMakeSmallSlices() throws IOException {
    byte[] value = new byte[3 << 20];
    ByteBuffer page = ByteBuffer.allocate(20 * (value.length + 4)).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 20; i++) {
      Arrays.fill(value, (byte) i);
      page.putInt(value.length).put(value);
    }
    BytesFile file = required(Type.BYTE_ARRAY).data(20, PLAIN, page.array()).group(20).file();
    FileMetadata metadata = format.readMetadata(file);
    TestMemory memory = new TestMemory(96 << 20);
    int slices = 0;
    int rows = 0;
    try (SliceReader reader = format.openReader(file, metadata, metadata.schema(), 0, 20, memory)) {
      for (int count = reader.next(1000); count > 0; count = reader.next(1000)) {
        assertThat(count).isLessThanOrEqualTo(6);
        rows += count;
        slices++;
      }
    }
    assertThat(rows).isEqualTo(20);
    assertThat(slices).isEqualTo(4);
  }

  @Test
  void nullsOfWideValuesTakeLittleMemory() throws IOException {
    HandMadeFile made = new HandMadeFile(Type.FIXED_LEN_BYTE_ARRAY, true, UNCOMPRESSED);
    made.column().setType_length(1 << 20);
    byte[] levels = {3, 0, 0, 0, (byte) 0xe8, 7, 0}; // 500 nulls
    BytesFile file = made.data(500, PLAIN, levels).group(500).file();
    FileMetadata metadata = format.readMetadata(file);
    TestMemory memory = new TestMemory(20 << 20);
    List<@Nullable Object> values =
        TestRows.read(format, file, metadata, metadata.schema(), 0, 500, memory, () -> 1000)
            .getFirst();
    assertThat(values).hasSize(500).containsOnlyNulls();
  }

  @Test
  void absurdlyWideColumnIsUnsupported() throws IOException {
    HandMadeFile made = new HandMadeFile(Type.FIXED_LEN_BYTE_ARRAY, true, UNCOMPRESSED);
    made.column().setType_length(Integer.MAX_VALUE);
    FileMetadata metadata = format.readMetadata(made.file());
    assertThat(metadata.schema()).hasToString("[c: fixed_len_byte_array(2147483647)]");
  }

  @Nested
  class Int96Timestamps {
    private BytesFile file(long nanosOfDay, int julianDay) throws IOException {
      ByteBuffer value = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
      value.putLong(nanosOfDay).putInt(julianDay);
      return required(Type.INT96).data(1, PLAIN, value.array()).group(1).file();
    }

    @Test
    void firstAndLastRepresentableNanosecondAreRead() throws IOException {
      assertThat(read(file(763_145_224_192L, 2_333_836))).containsExactly(Long.MIN_VALUE);
      assertThat(read(file(85_636_854_775_807L, 2_547_339))).containsExactly(Long.MAX_VALUE);
    }

    @Test
    void oneNanosecondMoreIsRefused() throws IOException {
      for (BytesFile file :
          List.of(
              file(763_145_224_191L, 2_333_836),
              file(85_636_854_775_808L, 2_547_339),
              file(0, Integer.MAX_VALUE),
              file(0, 0))) {
        assertThatThrownBy(() -> read(file))
            .isInstanceOf(MalformedFileException.class)
            .hasMessageStartingWith("Unsupported Parquet value: an INT96 timestamp at Julian day");
      }
    }
  }

  @Nested
  class WhatDoesNotFit {
    @Test
    void integerWiderThanItsTypeIsRefused() throws IOException {
      HandMadeFile made = required(Type.INT32);
      made.column().setConverted_type(ConvertedType.UINT_8);
      assertRefused(
          made.data(2, PLAIN, ints(255, 256)).group(2),
          "Corrupt Parquet page: a value does not fit its type of 8 unsigned bits.");
    }

    @Test
    void decimalWiderThanItsPrecisionIsRefused() throws IOException {
      HandMadeFile made = required(Type.BYTE_ARRAY);
      made.column().setConverted_type(ConvertedType.DECIMAL).setPrecision(9).setScale(0);
      byte[] body = new byte[13];
      body[0] = 9;
      body[4] = 1;
      assertRefused(
          made.data(1, PLAIN, body).group(1),
          "Corrupt Parquet page: a decimal does not fit the 8 bytes that its precision needs.");
    }

    @Test
    void indexOutsideTheDictionaryIsRefused() throws IOException {
      for (int width = 2; width <= 32; width++) {
        byte[] body = new byte[2 + width];
        body[0] = (byte) width;
        body[1] = 3;
        Arrays.fill(body, 2, body.length, (byte) -1);
        for (Type type : List.of(Type.INT32, Type.INT64, Type.BYTE_ARRAY)) {
          assertRefused(
              required(type).dictionary(2, new byte[16]).data(8, RLE_DICTIONARY, body).group(8),
              "Corrupt Parquet page: a dictionary index is not below the dictionary's size, 2.");
        }
      }
    }

    @Test
    void indicesWithoutADictionaryAreRefused() throws IOException {
      assertRefused(
          required(Type.INT32).data(1, RLE_DICTIONARY, new byte[] {1, 3, 0}).group(1),
          "Corrupt Parquet column: a page has dictionary indices but there is no dictionary page.");
    }

    @Test
    void pageWithMoreValuesThanTheColumnHasIsRefused() throws IOException {
      assertRefused(
          required(Type.INT32).data(3, PLAIN, ints(1, 2, 3)).group(2),
          "Corrupt Parquet page: it claims 3 values but the column has 2 left.");
    }

    @Test
    void columnThatEndsEarlyIsTruncated() throws IOException {
      assertRefused(
          required(Type.INT32).data(3, PLAIN, ints(1, 2, 3)).group(4),
          "Truncated Parquet column: its pages end but 1 values are still to come.");
    }

    @Test
    void dictionaryThatClaimsMoreThanItsBytesIsRefused() throws IOException {
      for (Type type : List.of(Type.INT32, Type.BYTE_ARRAY)) {
        assertRefused(
            required(type)
                .dictionary(Integer.MAX_VALUE, ints(1, 2))
                .data(1, RLE_DICTIONARY, new byte[] {1, 3, 0})
                .group(1),
            "Truncated Parquet page: its");
      }
    }

    @Test
    void pageThatClaimsMoreThanItsCodecCanGiveIsRefused() throws IOException {
      byte[] tiny = {(byte) 0x80, (byte) 0x80, (byte) 0x80, 4, 0, 1}; // Snappy: 8 MiB follow
      PageHeader header = new PageHeader(PageType.DATA_PAGE, 8 << 20, tiny.length);
      header.setData_page_header(new DataPageHeader(1, PLAIN, Encoding.RLE, Encoding.RLE));
      assertRefused(
          new HandMadeFile(Type.INT32, false, SNAPPY).page(header, tiny).group(1),
          "Corrupt Parquet page: it claims 8388608 bytes but its 6 bytes of SNAPPY cannot");
    }

    @Test
    void snappyStreamOfAnotherLengthIsRefused() throws IOException {
      byte[] stream = {8, 28, 1, 0, 0, 0, 2, 0, 0, 0}; // 8 bytes
      PageHeader header = new PageHeader(PageType.DATA_PAGE, 4, stream.length);
      header.setData_page_header(new DataPageHeader(1, PLAIN, Encoding.RLE, Encoding.RLE));
      assertRefused(
          new HandMadeFile(Type.INT32, false, SNAPPY).page(header, stream).group(1),
          "Corrupt Parquet page: its Snappy stream has 8 bytes but its header says 4.");
    }

    @Test
    void pageLargerThanItsColumnIsTruncated() throws IOException {
      PageHeader header = new PageHeader(PageType.DATA_PAGE, 1 << 30, 1 << 30);
      header.setData_page_header(new DataPageHeader(1, PLAIN, Encoding.RLE, Encoding.RLE));
      assertRefused(
          required(Type.INT32).page(header, ints(1)).group(1),
          "Truncated Parquet column: a page needs 1073741824 bytes but the column has 4 left.");
    }
  }
}
