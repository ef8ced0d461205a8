package dev.penstock.iceberg;

import static dev.penstock.iceberg.CountingTable.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Metadata files that are compressed are read, unless they decompress to far more than they have.
class GzipMetadataTest {
  @TempDir Path folder;

  private Path file(String name, List<byte[]> parts) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream out =
        new BufferedOutputStream(new GZIPOutputStream(Files.newOutputStream(file)))) {
      for (byte[] part : parts) {
        out.write(part);
      }
    }
    return file;
  }

  @Test
  void compressedMetadataIsRead() throws IOException {
    WrittenTable written =
        WrittenTable.create(
            folder, CountingTable.SCHEMA, PartitionSpec.unpartitioned(), 2, FileFormat.PARQUET);
    Table table = written.table();
    written.append(
        LongStream.range(0, 5)
            .mapToObj(id -> CountingTable.row(CountingTable.SCHEMA, id))
            .toList());
    String current = ((BaseTable) table).operations().current().metadataFileLocation();
    byte[] text = Files.readAllBytes(Path.of(current.replaceFirst("^file:", "")));
    for (String name : List.of("a.gz.metadata.json", "b.metadata.json.gz")) {
      Path packed = file(name, List.of(text));
      assertThat(ids(IcebergDataset.metadata(packed.toString()).dataset()))
          .containsExactly(0L, 1L, 2L, 3L, 4L);
      Files.write(packed, new byte[] {0x1f, (byte) 0x8b, 8, 0});
      assertThatThrownBy(() -> IcebergDataset.metadata(packed.toString()).dataset().schema())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(name);
    }
  }

  @Test
  void metadataThatDecompressesToFarMoreThanItHasIsRefused() throws IOException {
    byte[] zeros = "0,".repeat(1 << 19).getBytes(StandardCharsets.US_ASCII);
    List<byte[]> parts =
        LongStream.range(0, 66)
            .mapToObj(i -> i == 0 ? "{\"snapshots\":[".getBytes(StandardCharsets.US_ASCII) : zeros)
            .toList();
    Path file = file("a.gz.metadata.json", parts);
    assertThatThrownBy(() -> IcebergDataset.metadata(file.toString()).dataset().schema())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("Unsupported Iceberg metadata: its ")
        .hasMessageContaining("bytes decompress to more than 67108864")
        .hasMessageContaining(file.toString());
  }
}
