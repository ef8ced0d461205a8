package dev.penstock.iceberg.internal.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Seeded;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.junit.jupiter.api.Test;

/// Where files of Avro may end, and with how many rows.
class AvroBlocksTest {
  @Seeded(runs = 30)
  void endsAndRowsOfAvroFilesAreKnownAtEveryByte(Random random) throws IOException {
    Schema schema = Schema.create(Schema.Type.BYTES);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int header;
    Map<Integer, Integer> ends = new TreeMap<>(); // and the rows before each
    try (DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      for (int i = random.nextInt(4); i > 0; i--) {
        writer.setMeta("key" + i, new byte[random.nextInt(200)]);
      }
      writer.create(schema, out);
      ends.put(out.size(), 0);
      header = out.size();
      int rows = 0;
      for (int block = random.nextInt(4); block > 0; block--) {
        for (int i = 1 + random.nextInt(100); i > 0; i--) {
          writer.append(ByteBuffer.wrap(new byte[random.nextInt(5)]));
          rows++;
        }
        writer.sync();
        writer.flush();
        ends.put(out.size(), rows);
      }
    }
    byte[] file = out.toByteArray();
    for (int length = 4; length <= file.length; length++) {
      List<String> seen = new ArrayList<>();
      AvroBlocks blocks =
          new AvroBlocks(
              text -> seen.add(new String(Objects.requireNonNull(text), StandardCharsets.UTF_8)));
      for (int at = 0; at < length; ) {
        int next = Math.min(length, at + 1 + random.nextInt(100));
        blocks.take(file, at, next);
        at = next;
      }
      assertThat(seen).isSubsetOf("\"bytes\"").hasSize(length < header ? seen.size() : 1);
      assertThat(blocks.mayEnd()).as("%s", length).isEqualTo(ends.containsKey(length));
      if (blocks.mayEnd()) {
        assertThat(blocks.rows()).isEqualTo((long) ends.getOrDefault(length, -1));
      }
    }
  }

  @Test
  void otherFilesEndWhereTheyEnd() throws IOException {
    AvroBlocks blocks = new AvroBlocks(_ -> {});
    blocks.take("{\"format-version\": 2".getBytes(StandardCharsets.UTF_8), 0, 10);
    assertThat(blocks.mayEnd()).isTrue();
    assertThat(blocks.rows()).isEqualTo(-1);
  }
}
