package dev.penstock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.FileFormat;
import dev.penstock.format.FileMetadata;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.csv.CsvFormat;
import dev.penstock.internal.json.JsonLinesFormat;
import dev.penstock.storage.StorageFile;
import dev.penstock.testing.BytesFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/// A reader that starts within a compressed file decompresses all that is before: so it is cut only
/// where that is asked for.
class CompressedTextTest {
  private static final int ROWS = 600_000;

  private static List<Long> rows(FileFormat format, byte[] bytes) throws IOException {
    try (StorageFile file = new BytesFile(bytes)) {
      FileMetadata metadata = format.readMetadata(file);
      return metadata.rowGroups().stream().map(RowGroup::rowCount).toList();
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static void check(FileFormat format, String text) throws IOException {
    byte[] plain = text.getBytes(StandardCharsets.UTF_8);
    assertThat(rows(format, plain)).hasSize(2);
    assertThat(rows(format, gzip(plain))).containsExactly((long) ROWS);
    FileFormat cut = format.withOptions(Map.of("row-group-rows", Integer.toString(ROWS / 3)));
    assertThat(rows(cut, gzip(plain))).containsExactly(ROWS / 3L, ROWS / 3L, ROWS / 3L);
  }

  @Test
  void compressedFilesAreOneRowGroupUnlessTheUserCutsThem() throws IOException {
    check(new CsvFormat(), "a,b\n" + "12345,123456789\n".repeat(ROWS));
    check(new JsonLinesFormat(), "{\"a\":123456789}\n".repeat(ROWS));
  }
}
