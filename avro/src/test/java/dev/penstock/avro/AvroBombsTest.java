package dev.penstock.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Blocks and headers that need more memory than they may are refused, and what they need is
/// counted.
class AvroBombsTest {
  private static final String SCHEMA =
      "{'type':'record','name':'row','fields':[{'name':'a','type':'string'}]}";
  private static final int TEXT_BYTES = 4 << 20;
  private static final int BLOCK_BYTES = TEXT_BYTES + 4; // and the text's length

  /// Returns a file whose second block has a text of many bytes, mostly of very few compressed.
  private static byte[] bomb(String codec) throws IOException {
    Schema schema = new Schema.Parser().parse(SCHEMA.replace('\'', '"'));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.setCodec(CodecFactory.fromString(codec)).create(schema, bytes);
      for (String text : List.of("short", "a".repeat(TEXT_BYTES))) {
        GenericData.Record row = new GenericData.Record(schema);
        row.put(0, text);
        writer.append(row);
        writer.sync();
      }
    }
    return bytes.toByteArray();
  }

  private static FileFormat limited(int bytes) {
    return new AvroFormat().withOptions(Map.of("max-record-bytes", Integer.toString(bytes)));
  }

  private static List<?> read(FileFormat format, byte[] bytes, TestMemory memory)
      throws IOException {
    try (StorageFile file = new BytesFile(bytes)) {
      FileMetadata metadata = format.readMetadata(file);
      List<?> rows =
          TestRows.read(format, file, metadata, metadata.schema(), 0, 2, memory, () -> 1)
              .getFirst();
      assertThat(memory.takenBytes()).isZero();
      return rows;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"deflate", "snappy", "zstandard", "bzip2", "xz"})
  void blockThatDecompressesToMoreThanTheLimitIsRefused(String codec) throws IOException {
    byte[] bytes = bomb(codec);
    TestMemory little = new TestMemory(5 << 19); // two arrays of it while one grows
    assertThatThrownBy(() -> read(limited(1 << 20), bytes, little))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith(
            "Unsupported Avro block: it has more than 1048576 bytes. Allow more by format option"
                + " 'max-record-bytes'")
        .hasMessageContaining("[memory://file")
        .hasMessageContaining("block 1, row 1");
    assertThatThrownBy(() -> read(limited(BLOCK_BYTES - 1), bytes, new TestMemory(64 << 20)))
        .hasMessageContaining("more than " + (BLOCK_BYTES - 1) + " bytes");
    TestMemory memory = new TestMemory(64 << 20);
    assertThat(read(limited(BLOCK_BYTES), bytes, memory)).hasSize(2);
    assertThat(memory.peakBytes()).as("counted").isGreaterThan(2L * TEXT_BYTES);
  }

  @Test
  void blockThatIsStoredWithMoreThanTheLimitIsRefusedWhenPlanned() throws IOException {
    byte[] bytes = bomb("null");
    try (StorageFile file = new BytesFile(bytes)) {
      assertThatThrownBy(() -> limited(BLOCK_BYTES - 1).readMetadata(file))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageStartingWith("Unsupported Avro block: it has more than")
          .hasMessageContaining("block 1");
    }
    assertThat(read(limited(BLOCK_BYTES), bytes, new TestMemory(64 << 20))).hasSize(2);
  }

  @Test
  void headerOfMoreThanTheLimitIsRefused() throws IOException {
    String name = "n".repeat(1 << 20);
    byte[] bytes = RandomAvro.file(SCHEMA.replace("'a'", "'" + name + "'"), 0, new byte[0]);
    try (StorageFile file = new BytesFile(bytes)) {
      assertThatThrownBy(() -> limited(1 << 20).readMetadata(file))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageStartingWith("Unsupported Avro header: it has more than 1048576 bytes.")
          .hasMessageContaining("header");
      assertThat(limited(2 << 20).readMetadata(file).schema().names()).containsExactly(name);
    }
  }
}
