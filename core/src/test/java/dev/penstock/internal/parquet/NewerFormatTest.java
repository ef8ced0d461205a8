package dev.penstock.internal.parquet;

import static org.apache.parquet.format.CompressionCodec.LZ4_RAW;
import static org.apache.parquet.format.CompressionCodec.UNCOMPRESSED;
import static org.apache.parquet.format.CompressionCodec.ZSTD;
import static org.apache.parquet.format.Encoding.DELTA_BYTE_ARRAY;
import static org.apache.parquet.format.Encoding.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Numbers that the format may give a meaning later.
class NewerFormatTest {
  private final ParquetFormat format = new ParquetFormat();

  private static byte[] bytes(BytesFile file) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = arena.allocate(file.size());
      file.read(0, all);
      return all.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /// Returns the first file with another number in the one byte in which the second one differs.
  private static BytesFile change(BytesFile first, BytesFile second, int number)
      throws IOException {
    byte[] bytes = bytes(first);
    byte[] other = bytes(second);
    int changes = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != other[i]) {
        bytes[i] = (byte) (2 * number); // zigzag
        changes++;
      }
    }
    assertThat(changes).isEqualTo(1);
    return new BytesFile(bytes);
  }

  private static BytesFile dataPage(Encoding encoding, boolean v2) throws IOException {
    HandMadeFile made = new HandMadeFile(Type.INT32, false, UNCOMPRESSED);
    PageHeader header = new PageHeader(PageType.DATA_PAGE_V2, 4, 4);
    header.setData_page_header_v2(new DataPageHeaderV2(1, 0, 1, encoding, 0, 0));
    return (v2 ? made.page(header, new byte[4]) : made.data(1, encoding, new byte[4]))
        .group(1)
        .file();
  }

  private static BytesFile coded(CompressionCodec codec) throws IOException {
    return new HandMadeFile(Type.INT32, false, codec).data(1, PLAIN, new byte[4]).group(1).file();
  }

  private void assertRefused(BytesFile file, String sentence) {
    assertThatThrownBy(
            () -> {
              FileMetadata metadata = format.readMetadata(file);
              TestMemory memory = new TestMemory(1 << 20);
              TestRows.read(format, file, metadata, metadata.schema(), 0, 1, memory, () -> 1);
            })
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith(sentence)
        .hasMessageContaining("memory://file");
  }

  @Test
  void encodingOfAPageIsNamedByItsNumber() throws IOException {
    String sentence =
        "Unsupported Parquet encoding: the file has number 10, which is newer than this reader or"
            + " corrupt. Write it with an older encoding.";
    for (boolean v2 : new boolean[] {false, true}) {
      assertRefused(change(dataPage(PLAIN, v2), dataPage(DELTA_BYTE_ARRAY, v2), 10), sentence);
    }
  }

  @Test
  void typeOfAPageIsNamedByItsNumber() throws IOException {
    BytesFile file = dataPage(PLAIN, false);
    byte[] bytes = bytes(file);
    assertThat(bytes[4]).isEqualTo((byte) 0x15); // field 1, a 32-bit integer
    bytes[5] = 4 * 2;
    assertRefused(
        new BytesFile(bytes),
        "Unsupported Parquet page type: the file has number 4, which is newer than this reader");
  }

  @Test
  void codecIsNamedByItsNumber() throws IOException {
    assertRefused(
        change(coded(ZSTD), coded(LZ4_RAW), 8),
        "Unsupported Parquet codec: the file has number 8, which is newer than this reader or"
            + " corrupt. Write it with an older codec.");
  }

  /// The header ends before its first field, or that is a 64-bit integer.
  @ParameterizedTest
  @ValueSource(bytes = {0, 0x16})
  void otherDamageIsCorrupt(byte damage) throws IOException {
    byte[] bytes = bytes(dataPage(PLAIN, false));
    assertThat(bytes[4]).isEqualTo((byte) 0x15); // field 1, a 32-bit integer
    bytes[4] = damage;
    assertRefused(
        new BytesFile(bytes),
        "Corrupt Parquet page: its header cannot be parsed (a required field is missing).");
  }
}
