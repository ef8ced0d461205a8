package dev.penstock.internal.parquet;

import static dev.penstock.internal.parquet.HandMadeFile.ints;
import static org.apache.parquet.format.CompressionCodec.BROTLI;
import static org.apache.parquet.format.CompressionCodec.GZIP;
import static org.apache.parquet.format.CompressionCodec.LZ4;
import static org.apache.parquet.format.CompressionCodec.LZ4_RAW;
import static org.apache.parquet.format.CompressionCodec.LZO;
import static org.apache.parquet.format.CompressionCodec.SNAPPY;
import static org.apache.parquet.format.CompressionCodec.ZSTD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import dev.penstock.format.MalformedFileException;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Pages that are compressed in unusual ways, and ones that claim what they are not.
class ParquetCodecsTest {
  private static final long MEMORY_BYTES = 1 << 20;

  private final ParquetFormat format = new ParquetFormat();

  /// Returns a file of one page of `rows` integers that claims `claimed` bytes.
  private static BytesFile file(CompressionCodec codec, int rows, int claimed, byte... body)
      throws IOException {
    PageHeader header = new PageHeader(PageType.DATA_PAGE, claimed, body.length);
    header.setData_page_header(
        new DataPageHeader(rows, Encoding.PLAIN, Encoding.RLE, Encoding.RLE));
    return new HandMadeFile(Type.INT32, false, codec).page(header, body).group(rows).file();
  }

  private List<@Nullable Object> read(BytesFile file) throws IOException {
    FileMetadata metadata = format.readMetadata(file);
    TestMemory memory = new TestMemory(MEMORY_BYTES);
    long rows = metadata.rowCount();
    return TestRows.read(format, file, metadata, metadata.schema(), 0, rows, memory, () -> 1000)
        .getFirst();
  }

  private void assertRefused(BytesFile file, String sentence) {
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith(sentence)
        .hasMessageContaining("[memory://file, row group 0, column 'c'");
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /// Returns a frame that does not say how long it is.
  private static byte[] streamed(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream zstd = new ZstdOutputStream(out)) {
      zstd.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] skippable(int bytes) {
    ByteBuffer frame = ByteBuffer.allocate(8 + bytes).order(ByteOrder.LITTLE_ENDIAN);
    return frame.putInt(0x184d2a53).putInt(bytes).array();
  }

  @Test
  void framesOfZstandardAreJoined() throws IOException {
    byte[] one = Zstd.compress(ints(1, 2));
    for (byte[] second : List.of(Zstd.compress(ints(3)), streamed(ints(3)))) {
      assertThat(read(file(ZSTD, 3, 12, join(one, skippable(5), second))))
          .containsExactly(1L, 2L, 3L);
      assertThat(read(file(ZSTD, 3, 12, join(skippable(0), second, one))))
          .containsExactly(3L, 1L, 2L);
    }
  }

  /// Where a page claims much for little, it is decompressed in parts.
  @Test
  void pagesOfZerosAreRead() throws IOException {
    int rows = 10 << 20;
    byte[] zeros = new byte[rows * 4];
    byte[] half = streamed(new byte[zeros.length / 2]);
    for (byte[] body : List.of(Zstd.compress(zeros), streamed(zeros), join(half, half))) {
      PageHeader header = new PageHeader(PageType.DATA_PAGE, zeros.length, body.length);
      header.setData_page_header(
          new DataPageHeader(rows, Encoding.PLAIN, Encoding.RLE, Encoding.RLE));
      HandMadeFile made = new HandMadeFile(Type.INT32, false, ZSTD).page(header, body);
      BytesFile file = made.group(rows, zeros.length).file();
      FileMetadata metadata = format.readMetadata(file);
      TestMemory memory = new TestMemory(100 << 20);
      for (long first : new long[] {0, rows - 5}) {
        assertThat(
                TestRows.read(format, file, metadata, metadata.schema(), first, 5, memory, () -> 5))
            .containsExactly(List.of(0L, 0L, 0L, 0L, 0L));
      }
    }
  }

  @Test
  void membersOfGzipAreJoined() throws IOException {
    assertThat(read(file(GZIP, 4, 16, join(gzip(ints(1, 2)), gzip(ints()), gzip(ints(3, 4))))))
        .containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void storedBrotliIsRead() throws IOException {
    // A window of 2^16, not the last block, 4 nibbles for the length less 1, stored; then an empty
    // last block.
    byte[] body = join(HexFormat.of().parseHex("700010"), ints(5, 6), new byte[] {3});
    assertThat(read(file(BROTLI, 2, 8, body))).containsExactly(5L, 6L);
  }

  /// The loader then gives back memory and tries again; the page is not at fault.
  @Test
  void refusedMemoryIsNotTakenForACorruptPage() throws IOException {
    byte[] stored = join(HexFormat.of().parseHex("700010"), ints(5, 6), new byte[] {3});
    for (BytesFile file :
        List.of(
            file(BROTLI, 2, 8, stored),
            file(ZSTD, 2, 8, Zstd.compress(ints(5, 6))),
            file(GZIP, 2, 8, gzip(ints(5, 6))),
            file(SNAPPY, 2, 8, join(new byte[] {8, 28}, ints(5, 6))), // 8 literals
            file(LZ4, 2, 8, join(new byte[] {(byte) 0x80}, ints(5, 6))),
            file(LZ4_RAW, 2, 8, join(new byte[] {(byte) 0x80}, ints(5, 6))))) {
      FileMetadata metadata = format.readMetadata(file);
      assertThat(read(file)).containsExactly(5L, 6L);
      TestMemory enough = new TestMemory(MEMORY_BYTES);
      TestRows.requireRefusals(format, file, metadata, metadata.schema(), 2, enough, 10);
    }
  }

  @Test
  void blocksOfLz4InHadoopsFramingAreJoined() throws IOException {
    byte[] block = join(new byte[] {0x40}, ints(7)); // 4 literals
    byte[] sizes = ByteBuffer.allocate(8).putInt(4).putInt(5).array();
    byte[] two = ByteBuffer.allocate(8).putInt(8).putInt(5).array();
    byte[] size = ByteBuffer.allocate(4).putInt(5).array();
    byte[] framed = join(sizes, block, two, block, size, block);
    assertThat(read(file(LZ4, 3, 12, framed))).containsExactly(7L, 7L, 7L);
    assertThat(read(file(LZ4, 1, 4, block))).containsExactly(7L);
    assertThat(read(file(LZ4_RAW, 1, 4, block))).containsExactly(7L);
  }

  @Nested
  class WhatDoesNotFit {
    @Test
    void lzoIsRefusedWithWhatCanBeRead() throws IOException {
      assertRefused(
          file(LZO, 1, 4, ints(1)),
          "Unsupported Parquet codec: the column is compressed with LZO but only UNCOMPRESSED,"
              + " SNAPPY, GZIP, ZSTD, BROTLI, LZ4_RAW and LZ4 can be read.");
    }

    @Test
    void zstandardFrameOfAnotherLengthIsRefusedBeforeMemoryIsTaken() throws IOException {
      byte[] frame = Zstd.compress(new byte[4000]);
      assertRefused(
          file(ZSTD, 1, 3999, frame),
          "Corrupt Parquet page: its Zstandard frame has 4000 bytes but its header says 3999.");
      assertRefused(
          file(ZSTD, 1, 600_000, join(frame, frame)),
          "Corrupt Parquet page: its Zstandard frames have 8000 bytes but its header says 600000.");
      assertRefused(
          file(ZSTD, 1, 600_000, join(streamed(ints(1)), frame)),
          "Corrupt Parquet page: its Zstandard frames have at most ");
      assertRefused(
          file(ZSTD, 1, 4, new byte[64]),
          "Corrupt Parquet page: it cannot be decompressed as ZSTD.");
    }

    /// 16 MiB at most are taken before it turns out that there are 8 bytes.
    private void assertClaimTakesLittleMemory(CompressionCodec codec, byte[] body)
        throws IOException {
      int claimed = 20 << 20;
      PageHeader header = new PageHeader(PageType.DATA_PAGE, claimed, body.length);
      header.setData_page_header(new DataPageHeader(2, Encoding.PLAIN, Encoding.RLE, Encoding.RLE));
      HandMadeFile made = new HandMadeFile(Type.INT32, false, codec).page(header, body);
      BytesFile file = made.group(2, claimed).file();
      FileMetadata metadata = format.readMetadata(file);
      TestMemory memory = new TestMemory(18 << 20);
      assertThatThrownBy(() ->
              TestRows.read(format, file, metadata, metadata.schema(), 0, 2, memory, () -> 1000))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageStartingWith(
              "Corrupt Parquet page: it decompressed to 8 bytes but its header");
    }

    @Test
    void claimOfBrotliTakesNoMoreMemoryThanThereIs() throws IOException {
      assertClaimTakesLittleMemory(
          BROTLI, join(HexFormat.of().parseHex("700010"), ints(5, 6), new byte[] {3}));
    }

    @Test
    void claimOfALyingZstandardFrameTakesNoMoreMemoryThanThereIs() throws IOException {
      // A window of 1 KiB, the length that the page claims, a stored block of 8 bytes.
      byte[] frame = join(HexFormat.of().parseHex("28b52ffd800000004001410000"), ints(5, 6));
      assertThat(Zstd.getFrameContentSize(frame)).isEqualTo(20 << 20);
      byte[] body = join(frame, skippable(1000));
      assertThatThrownBy(() -> assertClaimTakesLittleMemory(ZSTD, body))
          .hasMessageContaining("cannot be decompressed as ZSTD");
    }

    @Test
    void streamsThatAreNotOfTheirCodecAreRefused() throws IOException {
      for (CompressionCodec codec : List.of(GZIP, ZSTD, BROTLI, LZ4, LZ4_RAW)) {
        assertRefused(
            file(codec, 1, 4, HexFormat.of().parseHex("fe010203fffffffffe")),
            "Corrupt Parquet page: it cannot be decompressed as " + codec + ".");
      }
    }

    @Test
    void streamsOfAnotherLengthAreRefused() throws IOException {
      byte[] lz4 = join(new byte[] {0x40}, ints(7));
      byte[] stored = join(HexFormat.of().parseHex("700010"), ints(5, 6), new byte[] {3});
      assertRefused(
          file(LZ4_RAW, 1, 8, lz4),
          "Corrupt Parquet page: it decompressed to 4 bytes but its header says 8.");
      assertRefused(
          file(LZ4, 1, 8, lz4),
          "Corrupt Parquet page: it decompressed to 4 bytes but its header says 8.");
      assertRefused(
          file(BROTLI, 1, 4, stored),
          "Corrupt Parquet page: it decompressed to 5 bytes but its header says 4.");
      assertRefused(
          file(BROTLI, 1, 12, stored),
          "Corrupt Parquet page: it decompressed to 8 bytes but its header says 12.");
      assertRefused(
          file(LZ4_RAW, 1, 4096, lz4),
          "Corrupt Parquet page: it claims 4096 bytes but its 5 bytes of LZ4_RAW cannot become");
    }
  }
}
