package dev.penstock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.csv.CsvFormat;
import dev.penstock.internal.json.JsonLinesFormat;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.testing.BytesFile;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Text in UTF-16 and UTF-32 without a byte-order mark.
class ByteOrderTest {
  private static FileMetadata read(FileFormat format, String stated, byte[] bytes)
      throws IOException {
    return format.withOptions(Map.of("encoding", stated)).readMetadata(new BytesFile(bytes));
  }

  @Test
  void orderIsToldByTheText() throws IOException {
    for (String stated : List.of("utf-16", "utf-32")) {
      for (String order : List.of("le", "be")) {
        Charset charset = Charset.forName(stated + order);
        for (String value : List.of("x", "\u4e00\u4e00\u4e00\u4e00", "\ud83d\ude00")) {
          byte[] csv = ("a,b\n1," + value + "\n2,y\n").getBytes(charset);
          FileMetadata found = read(new CsvFormat(), stated, csv);
          assertThat(found.rowCount()).as("%s %s", charset, value).isEqualTo(2);
          assertThat(found.schema().names()).containsExactly("a", "b");
          byte[] json = ("{\"a\":\"" + value + "\"}\n{\"a\":null}").getBytes(charset);
          assertThat(read(new JsonLinesFormat(), stated, json).rowCount()).isEqualTo(2);
        }
      }
    }
  }

  @Test
  void orderIsToldInCompressedTextAsWell() throws IOException {
    byte[] csv = "a,b\n1,x\n".getBytes(Charset.forName("utf-16le"));
    byte[] packed = CompressedTextTest.packed(Compression.ZSTD, csv);
    assertThat(read(new CsvFormat(), "utf-16", packed).rowCount()).isEqualTo(1);
  }

  @Test
  void orderThatCannotBeToldIsAnError() {
    byte[] few = new byte[] {0x4e, 0x2d, 0x65, (byte) 0x87};
    assertThatThrownBy(() -> read(new CsvFormat(), "utf-16", few))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "Unsupported text: it has no byte-order mark, and its first 4 bytes do not tell the"
                + " order of bytes. State format option 'encoding' as 'utf-16le' or 'utf-16be'."
                + " [memory://file]");
  }
}
