package dev.penstock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.csv.CsvFormat;
import dev.penstock.internal.json.JsonFormat;
import dev.penstock.internal.json.JsonLinesFormat;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.TestMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Text that decompresses to records of many bytes or fields is refused with the file's name,
/// before it takes much memory.
class TextBombsTest {
  private static final int COLUMNS_MAX = 100_000;

  /// 640 KiB of letters, as few as bzip2's writer takes without its old trick for repeated ones.
  private static final String LETTERS =
      new Random(59)
          .ints(5 << 17, 'a', 'e')
          .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
          .toString();

  private static FileFormat limited(FileFormat format, int bytes) {
    return format.withOptions(
        Map.of("max-record-bytes", Integer.toString(bytes), "sample-rows", "1"));
  }

  private static Schema schema(FileFormat format, Compression compression, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (StorageFile file = new BytesFile(CompressedTextTest.packed(compression, bytes))) {
      return format.readMetadata(file).schema();
    }
  }

  private static Schema schema(FileFormat format, String text) throws IOException {
    return schema(format, Compression.NONE, text);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void firstRecordOfMoreThanTheLimitIsRefused(Compression compression) {
    String much = LETTERS;
    Map.of(
            new CsvFormat(), much,
            new JsonLinesFormat(), "{\"" + much + "\":1}",
            new JsonFormat(), "[{\"" + much + "\":1}]")
        .forEach((format, text) ->
            assertThatThrownBy(() -> schema(limited(format, 1 << 18), compression, text))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageStartingWith(
                    "Unsupported text: a record of more than 262144 bytes. Allow more by"
                        + " format option 'max-record-bytes'")
                .hasMessageContaining("[memory://file")
                .hasMessageContaining("line 1"));
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void laterRecordOfMoreThanTheLimitTakesLittleMemory(Compression compression) throws IOException {
    String text = "a,b\n1,2\n3," + LETTERS + "\n";
    byte[] bytes = CompressedTextTest.packed(compression, text.getBytes(StandardCharsets.UTF_8));
    FileFormat format = limited(new CsvFormat(), 1 << 18);
    TestMemory memory = new TestMemory(1 << 20);
    try (StorageFile file = new BytesFile(bytes)) {
      FileMetadata metadata = format.readMetadata(file);
      try (SliceReader reader =
          format.openReader(file, metadata, metadata.schema(), 0, 2, memory)) {
        assertThat(reader.next(1)).isEqualTo(1);
        assertThatThrownBy(() -> reader.next(1))
            .isInstanceOf(MalformedFileException.class)
            .hasMessageContaining("a record of more than 262144 bytes")
            .hasMessageContaining("line 3");
      }
    }
    assertThat(memory.takenBytes()).isZero();
  }

  private static String commas(int columns) {
    return ",".repeat(columns - 1);
  }

  @Test
  void csvOfTooManyColumnsIsRefused() throws IOException {
    FileFormat numbered = new CsvFormat().withOptions(Map.of("header", "false"));
    assertThat(schema(numbered, commas(COLUMNS_MAX) + "\n" + commas(COLUMNS_MAX)).size())
        .isEqualTo(COLUMNS_MAX);
    for (String text : new String[] {commas(COLUMNS_MAX + 1), commas(4 << 20)}) {
      assertThatThrownBy(() -> schema(numbered, Compression.GZIP, text))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageStartingWith(
              "Unsupported CSV file: the first record has more than 100000 fields")
          .hasMessageContaining("[memory://file");
    }
  }

  private static String object(int from, int to) {
    StringBuilder text = new StringBuilder("{");
    for (int i = from; i < to; i++) {
      text.append(i == from ? "\"" : ",\"").append(i).append("\":1");
    }
    return text.append("}\n").toString();
  }

  @Test
  void jsonOfTooManyFieldsIsRefused() throws IOException {
    FileFormat format = new JsonLinesFormat();
    String half = object(0, COLUMNS_MAX / 2);
    String rest = object(COLUMNS_MAX / 2, COLUMNS_MAX);
    assertThat(schema(format, half + half + rest).size()).isEqualTo(COLUMNS_MAX);
    String nested = ("{\"a\":[" + half + "," + rest + "]}").replace("\n", "");
    for (String text : new String[] {half + rest + object(-1, 0), object(0, 300_000), nested}) {
      assertThatThrownBy(() -> schema(format, Compression.GZIP, text))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageStartingWith(
              "Unsupported JSON: the records have more than 100000 different fields")
          .hasMessageContaining("[memory://file");
    }
    // Fields of what became a string, since it had other values too, are none.
    String mixed = "{\"a\":" + half + "}\n{\"a\":5}\n{\"a\":" + rest + "}\n";
    assertThat(schema(format, mixed.replace("\n}", "}") + object(0, COLUMNS_MAX - 1)).size())
        .isEqualTo(COLUMNS_MAX);
  }

  /// Each record took time for all fields before: 20,000 times 99,999.
  @Test
  void recordsOfFewFieldsBehindOneOfManyTakeTimeForTheirOwn() throws IOException {
    String many = object(0, COLUMNS_MAX - 1);
    assertThat(schema(new JsonLinesFormat(), many + "{\"7\":1}\n".repeat(9_999)).size())
        .isEqualTo(COLUMNS_MAX - 1);
    String list = "{\"a\":[" + object(0, COLUMNS_MAX - 2) + ",{\"7\":1}".repeat(20_000) + "]}";
    assertThat(schema(new JsonFormat(), list).size()).isEqualTo(1);
  }

  /// Comments are no record: they may be as long as they like together.
  @Test
  void commentsMayBeLongerThanARecord() throws IOException {
    FileFormat format =
        new CsvFormat().withOptions(Map.of("comment", "#", "max-record-bytes", "4096"));
    String comments = "# nothing of interest is in this line\n".repeat(60_000);
    String text = comments + "a,b\n" + comments + "1,2\n" + comments + "3,4\n" + comments;
    try (StorageFile file = new BytesFile(text.getBytes(StandardCharsets.UTF_8))) {
      FileMetadata metadata = format.readMetadata(file);
      assertThat(metadata.schema().toString()).isEqualTo("[a: int64, b: int64]");
      TestMemory memory = new TestMemory(1 << 20);
      try (SliceReader reader =
          format.openReader(file, metadata, metadata.schema(), 0, 2, memory)) {
        int rows = reader.next(2);
        assertThat(rows + (rows < 2 ? reader.next(2) : 0)).isEqualTo(2);
      }
    }
  }
}
