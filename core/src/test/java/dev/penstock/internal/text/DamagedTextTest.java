package dev.penstock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.csv.CsvFormat;
import dev.penstock.internal.json.JsonFormat;
import dev.penstock.internal.json.JsonLinesFormat;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.format.TextMetadata;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/// Bytes that are hardly CSV or JSON: they are read as they were counted, or are a typed error, in
/// memory that has guards, all of which is given back.
class DamagedTextTest {
  private static final byte[] ALPHABET =
      ",,,\"\"\n\n\r{}[]::\\a1-.eNt#u\0\u00ff tnull".getBytes(StandardCharsets.ISO_8859_1);

  private static final String[] GOOD = {
    "a,b\n1,x\n2,\"y,\"\"\n\"\n",
    "{\"a\":1,\"b\":{\"c\":[1,2.5,null],\"d\":\"\\u00df\"}}\n{\"a\":null}\n",
    "[{\"a\":true,\"b\":\"2001-01-31\"},{\"b\":\"2001-02-01T10:00Z\"},{\"a\":{}}]",
  };

  @Seeded(runs = 3000)
  void anyTextIsReadAsItWasCountedOrIsATypedError(Random random) throws IOException {
    byte[] bytes = bytes(random);
    FileFormat format =
        List.of(new CsvFormat(), new JsonFormat(), new JsonLinesFormat()).get(random.nextInt(3));
    format =
        format.withOptions(
            Map.of(
                "row-group-bytes", Integer.toString(1 + random.nextInt(40)),
                "sample-rows", Integer.toString(1 + random.nextInt(4)),
                "encoding", random.nextInt(5) == 0 ? "latin-1" : "utf-8"));
    TestMemory memory = new TestMemory(64 << 20);
    try (BytesFile file = new BytesFile(bytes)) {
      TextMetadata found = (TextMetadata) format.readMetadata(file);
      FileMetadata metadata = found.as(found.schema());
      assertThat(metadata.rowGroups())
          .allSatisfy(group -> assertThat(group.rowCount()).isPositive());
      long rows = metadata.rowCount();
      long first = rows == 0 ? 0 : random.nextLong(rows);
      long count = random.nextLong(rows - first + 1);
      long read = 0;
      try (SliceReader reader =
          format.openReader(file, metadata, metadata.schema(), first, count, memory)) {
        while (read < count) {
          if (random.nextInt(4) == 0) {
            long skipped = random.nextLong(count - read + 1);
            reader.skip(skipped);
            read += skipped;
          } else {
            int slice = reader.next(1 + random.nextInt(5));
            assertThat(slice).isPositive();
            for (int c = 0; c < metadata.schema().size(); c++) {
              assertThat(reader.column(c).rowCount()).isEqualTo(slice);
            }
            read += slice;
          }
        }
        assertThat(reader.next(1)).isZero();
      }
      assertThat(read).isEqualTo(count);
    } catch (MalformedFileException e) {
      assertThat(e).hasMessageContaining("memory://file").hasMessageNotContaining("planned");
    }
    assertThat(memory.takenBytes()).isZero();
  }

  private static byte[] bytes(Random random) throws IOException {
    byte[] bytes =
        random.nextBoolean()
            ? new byte[random.nextInt(120)]
            : GOOD[random.nextInt(GOOD.length)].getBytes(StandardCharsets.UTF_8);
    boolean empty = bytes.length > 0 && bytes[0] == 0;
    for (int i = 0; i < bytes.length; i++) {
      if (empty || random.nextInt(60) == 0) {
        bytes[i] = ALPHABET[random.nextInt(ALPHABET.length)];
      }
    }
    bytes = random.nextInt(6) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)) : bytes;
    if (random.nextInt(10) == 0) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (OutputStream out = new GZIPOutputStream(packed)) {
        out.write(bytes);
      }
      bytes = packed.toByteArray();
    }
    return bytes;
  }
}
