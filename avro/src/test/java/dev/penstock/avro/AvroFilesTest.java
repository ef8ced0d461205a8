package dev.penstock.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.OtherJvm;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntSupplier;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What Avro's own writer wrote is what is read; files that lie give a typed error or rows.
class AvroFilesTest {
  private static final AvroFormat FORMAT = new AvroFormat();

  private static List<List<@Nullable Object>> read(
      StorageFile file,
      FileMetadata metadata,
      Schema columns,
      long first,
      long count,
      IntSupplier maxRows)
      throws IOException {
    TestMemory memory = new TestMemory(64 << 20);
    return TestRows.read(FORMAT, file, metadata, columns, first, count, memory, maxRows);
  }

  private static Schema one(Field field) {
    return Schema.of(List.of(field));
  }

  @Seeded(runs = 60)
  void rowsAreThoseThatWereWritten(Random random) throws IOException {
    int rows = random.nextInt(1500);
    RandomAvro made = RandomAvro.write(random, rows);
    try (StorageFile file = new BytesFile(made.bytes())) {
      FileMetadata metadata = FORMAT.readMetadata(file);
      assertThat(metadata.rowCount()).isEqualTo(rows);
      Schema columns = metadata.schema();
      int most = 1 + random.nextInt(2000);
      var all = read(file, metadata, columns, 0, rows, () -> 1 + random.nextInt(most));
      assertThat(all).as("%s", made.schema()).isEqualTo(made.columns());
      TestMemory enough = new TestMemory(64 << 20);
      TestRows.requireRefusals(FORMAT, file, metadata, columns, rows, enough, 30);

      int first = random.nextInt(rows + 1);
      int count = random.nextInt(rows - first + 1);
      int column = random.nextInt(columns.size());
      Schema part = one(columns.fields().get(column));
      assertThat(read(file, metadata, part, first, count, () -> most).getFirst())
          .isEqualTo(made.columns().get(column).subList(first, first + count));

      boolean[] wanted = new boolean[rows];
      List<@Nullable Object> expected = new ArrayList<>();
      for (int row = 0; row < rows; row++) {
        boolean same = row > 0 && random.nextInt(50) > 0;
        wanted[row] = same ? wanted[row - 1] : random.nextBoolean();
        if (wanted[row]) {
          expected.add(made.columns().get(column).get(row));
        }
      }
      TestMemory memory = new TestMemory(64 << 20);
      assertThat(
              TestRows.readSome(FORMAT, file, metadata, part, wanted, memory, () -> most)
                  .getFirst())
          .isEqualTo(expected);
    }
  }

  @Test
  void partsOfRecordsAreColumns() throws IOException {
    String schema =
        "{'type':'record','name':'r','fields':[{'name':'a','type':['null',{'type':'record',"
            + "'name':'s','fields':[{'name':'x','type':'int'},{'name':'t','type':[{'type':'record',"
            + "'name':'u','fields':[{'name':'y','type':'string'},{'name':'z','type':"
            + "{'type':'array','items':'long'}}]},'null']}]}]},{'name':'b','type':'long'}]}";
    RandomAvro made = RandomAvro.write(new Random(3), 800, schema);
    try (StorageFile file = new BytesFile(made.bytes())) {
      FileMetadata metadata = FORMAT.readMetadata(file);
      for (String path : List.of("a.x", "a.t", "a.t.y", "a.t.z")) {
        List<@Nullable Object> expected = new ArrayList<>();
        made.columns().getFirst().forEach(row -> expected.add(part(row, path.substring(2))));
        Schema columns =
            Schema.of(
                List.of(
                    metadata.schema().find(path).orElseThrow(),
                    metadata.schema().find("b").orElseThrow(),
                    metadata.schema().find("a").orElseThrow()));
        var values = read(file, metadata, columns, 0, 800, () -> 70);
        assertThat(values.get(0)).as(path).isEqualTo(expected);
        assertThat(values.get(1)).isEqualTo(made.columns().get(1));
        assertThat(values.get(2)).isEqualTo(made.columns().get(0));
      }
    }
  }

  private static @Nullable Object part(@Nullable Object struct, String path) {
    int dot = path.indexOf('.');
    Object field =
        struct == null ? null : ((Map<?, ?>) struct).get(dot < 0 ? path : path.substring(0, dot));
    return dot < 0 ? field : part(field, path.substring(dot + 1));
  }

  private static final String UNIONS =
      """
      {'type': 'record', 'name': 'row', 'fields': [
        {'name': 'whole', 'type': ['int', 'long']},
        {'name': 'floating', 'type': ['null', 'double', 'float']},
        {'name': 'text', 'type': ['string', {'type': 'enum', 'name': 'e', 'symbols': ['x', 'yy']},
          'null']},
        {'name': 'mixed', 'type': ['int', 'null', 'string',
          {'type': 'record', 'name': 'r', 'fields': [
            {'name': 'a', 'type': ['null', 'long']},
            {'name': 'b', 'type': ['double', 'int']}]}]},
        {'name': 'list', 'type': {'type': 'array', 'items': ['boolean', 'string']}}]}
      """;

  @Seeded(runs = 20)
  void unionsOfSeveralTypesAreTheWidestOrAStruct(Random random) throws IOException {
    org.apache.avro.Schema schema =
        new org.apache.avro.Schema.Parser().parse(UNIONS.replace('\'', '"'));
    org.apache.avro.Schema symbols = schema.getField("text").schema().getTypes().get(1);
    org.apache.avro.Schema record = schema.getField("mixed").schema().getTypes().get(3);
    List<List<@Nullable Object>> expected = new ArrayList<>();
    schema.getFields().forEach(_ -> expected.add(new ArrayList<>()));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int rows = 1 + random.nextInt(300);
    try (DataFileWriter<GenericData.Record> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.create(schema, bytes);
      for (int i = 0; i < rows; i++) {
        GenericData.Record row = new GenericData.Record(schema);
        boolean first = random.nextBoolean();
        row.put(0, first ? (Object) random.nextInt() : (Object) random.nextLong());
        expected.get(0).add(((Number) row.get(0)).longValue());
        Number floating = first ? (Number) random.nextFloat() : (Number) random.nextDouble();
        row.put(1, random.nextInt(5) == 0 ? null : floating);
        expected.get(1).add(row.get(1) == null ? null : (Object) floating.doubleValue());
        Object text = first ? "t" + i : new GenericData.EnumSymbol(symbols, "yy");
        row.put(2, random.nextInt(5) == 0 ? null : text);
        expected.get(2).add(row.get(2) == null ? null : text.toString());
        expected.get(3).add(mixed(random, row, record));
        List<Object> list = new ArrayList<>();
        List<@Nullable Object> members = new ArrayList<>();
        for (int n = random.nextInt(4); n > 0; n--) {
          Object element = random.nextBoolean() ? (Object) (n == 1) : "s" + n;
          list.add(element);
          members.add(member(2, element instanceof String ? 1 : 0, element));
        }
        row.put(4, list);
        expected.get(4).add(members);
        writer.append(row);
      }
    }
    try (StorageFile file = new BytesFile(bytes.toByteArray())) {
      FileMetadata metadata = FORMAT.readMetadata(file);
      assertThat(metadata.schema().toString())
          .isEqualTo(
              "[whole: int64 not null, floating: float64, text: string, mixed: struct<member0:"
                  + " int32, member1: string, member2: struct<a: int64, b: struct<member0:"
                  + " float64, member1: int32>>>, list: list<struct<member0: bool, member1:"
                  + " string>> not null]");
      int most = 1 + random.nextInt(100);
      assertThat(read(file, metadata, metadata.schema(), 0, rows, () -> most)).isEqualTo(expected);
      for (String path : List.of("member0", "member1", "member2.a", "member2.b.member1")) {
        Schema part = one(metadata.schema().find("mixed." + path).orElseThrow());
        assertThat(read(file, metadata, part, 0, rows, () -> most).getFirst())
            .as(path)
            .isEqualTo(expected.get(3).stream().map(row -> part(row, path)).toList());
      }
    }
  }

  private static @Nullable Object mixed(
      Random random, GenericData.Record row, org.apache.avro.Schema record) {
    Object value =
        switch (random.nextInt(4)) {
          case 0 -> random.nextInt();
          case 1 -> "m" + random.nextInt(100);
          case 2 -> new GenericData.Record(record);
          default -> null;
        };
    row.put("mixed", value);
    if (value instanceof GenericData.Record inner) {
      inner.put("a", random.nextBoolean() ? null : (Object) random.nextLong());
      inner.put("b", random.nextBoolean() ? (Object) random.nextInt() : (Object) 0.5);
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      fields.put("a", inner.get("a"));
      fields.put(
          "b",
          inner.get("b") instanceof Integer number
              ? member(2, 1, (long) number)
              : member(2, 0, inner.get("b")));
      return member(3, 2, fields);
    }
    return switch (value) {
      case null -> null;
      case Integer number -> member(3, 0, (long) number);
      default -> member(3, 1, value);
    };
  }

  private static Map<String, @Nullable Object> member(int count, int chosen, Object value) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      members.put("member" + i, i == chosen ? value : null);
    }
    return members;
  }

  @Test
  void typesThatCannotBeReadAreNamedAndSkipped() throws IOException {
    String schema =
        "{'type':'record','name':'r','fields':[{'name':'u','type':['int',{'type':'record',"
            + "'name':'empty','fields':[]},'string','null']},"
            + "{'name':'n','type':'null'},{'name':'tree','type':{'type':'record','name':'tree',"
            + "'fields':[{'name':'next','type':['null','tree']}]}},{'name':'i','type':'int'}]}";
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(new byte[] {0, 14, 2, 2, 0, 16}); // 7, null, a tree of 3, 8
    block.writeBytes(new byte[] {4, 4, 'a', 'b', 0, 18}); // "ab", null, a tree of 1, 9
    byte[] bytes = RandomAvro.file(schema, 2, block.toByteArray());
    try (StorageFile file = new BytesFile(bytes)) {
      FileMetadata metadata = FORMAT.readMetadata(file);
      assertThat(metadata.schema().toString())
          .contains("u: avro union of avro record,", "n: null,", "tree: avro", "i: int32");
      Schema number = one(metadata.schema().find("i").orElseThrow());
      assertThat(read(file, metadata, number, 0, 2, () -> 9).getFirst()).containsExactly(8L, 9L);
      Schema union = one(metadata.schema().find("u").orElseThrow());
      assertThatThrownBy(() -> read(file, metadata, union, 0, 2, () -> 9))
          .isInstanceOf(MalformedFileException.class)
          .hasMessage(
              "Unsupported Avro type: column 'u' is avro union of avro record but columns of that"
                  + " type cannot be read. Leave the column out. [memory://file, column 'u']");
    }
  }

  @Test
  void blocksWithoutRowsHaveNone() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String schema = "{'type':'record','name':'r','fields':[{'name':'i','type':'int'}]}";
    bytes.writeBytes(RandomAvro.file(schema, 2, new byte[] {2, 4}));
    RandomAvro.add(bytes, 0, new byte[0]);
    RandomAvro.add(bytes, 0, new byte[0]);
    RandomAvro.add(bytes, 2, new byte[] {6, 8});
    try (StorageFile file = new BytesFile(bytes.toByteArray())) {
      FileMetadata metadata = FORMAT.readMetadata(file);
      assertThat(metadata.rowCount()).isEqualTo(4);
      for (int first = 0; first < 4; first++) {
        List<@Nullable Object> expected = List.of(1L, 2L, 3L, 4L);
        assertThat(read(file, metadata, metadata.schema(), first, 4 - first, () -> 9).getFirst())
            .isEqualTo(expected.subList(first, 4));
      }
    }
  }

  @Test
  void rowsThatAreNoRecordsAreOneColumn() throws IOException {
    byte[] bytes = RandomAvro.file("'long'", 3, new byte[] {2, 4, 6});
    try (StorageFile file = new BytesFile(bytes)) {
      FileMetadata metadata = FORMAT.readMetadata(file);
      assertThat(metadata.schema()).hasToString("[value: int64 not null]");
      assertThat(read(file, metadata, metadata.schema(), 0, 3, () -> 9).getFirst())
          .containsExactly(1L, 2L, 3L);
    }
  }

  // --- Bad files

  private static void assertRefused(byte[] bytes, String message) {
    assertThatThrownBy(() -> FORMAT.readMetadata(new BytesFile(bytes)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("[memory://file, ");
  }

  @Test
  void filesThatAreNoneAreRefused() {
    assertRefused(new byte[0], "Truncated Avro file: it has 0 bytes");
    byte[] text = "id,name\n1,one\n".repeat(50).getBytes(StandardCharsets.US_ASCII);
    assertRefused(text, "Not an Avro file");
    assertRefused(new byte[] {'O', 'b', 'j', 1}, "Truncated Avro file: its header");
    assertRefused(RandomAvro.header("{", "null"), "Corrupt Avro file: its schema cannot");
    String unknown = "\": [{\"name\": \"d\", \"type\": \"double\"}]}";
    assertRefused(RandomAvro.header(unknown, "null"), "Corrupt Avro file: its schema cannot");
    assertRefused(RandomAvro.header("\"int\"", "lzo"), "Unsupported Avro codec 'lzo'");
    String deep = "{\"type\":\"array\",\"items\":".repeat(100_000);
    assertRefused(RandomAvro.header(deep, "null"), "Corrupt Avro file: its schema cannot");
  }

  @Test
  void typesNestedTooDeepAreRefusedWhenTheyAreRead() throws IOException {
    String deep = "{'type':'array','items':".repeat(100) + "'int'" + "}".repeat(100);
    byte[] bytes = RandomAvro.file(deep, 1, new byte[] {0});
    FileMetadata metadata = FORMAT.readMetadata(new BytesFile(bytes));
    assertThat(metadata.schema().fields().getFirst().type())
        .isInstanceOf(DataType.Unsupported.class);
  }

  /// Each record has the one before twice: 2^40 types, in a few lines.
  private static String doubled(String innermost) {
    String type = "{'type':'record','name':'r0','fields':[" + innermost + "]}";
    for (int i = 1; i <= 40; i++) {
      type =
          "{'type':'record','name':'r"
              + i
              + "','fields':[{'name':'p','type':"
              + type
              + "},"
              + "{'name':'q','type':'r"
              + (i - 1)
              + "'}]}";
    }
    return "{'type':'record','name':'r','fields':[{'name':'d','type':"
        + type
        + "},"
        + "{'name':'i','type':'int'}]}";
  }

  @Test
  void schemaThatDoublesIsOneColumnThatCannotBeRead() throws IOException {
    for (String innermost : List.of("", "{'name':'n','type':'null'}")) {
      byte[] bytes = RandomAvro.file(doubled(innermost), 2, new byte[] {16, 18});
      FileMetadata metadata = FORMAT.readMetadata(new BytesFile(bytes));
      assertThat(metadata.schema().find("d").orElseThrow().type())
          .isInstanceOf(DataType.Unsupported.class);
      Schema number = one(metadata.schema().find("i").orElseThrow());
      StorageFile file = new BytesFile(bytes);
      assertThat(read(file, metadata, number, 0, 2, () -> 9).getFirst()).containsExactly(8L, 9L);
    }
    byte[] bytes = RandomAvro.file(doubled("{'name':'n','type':'int'}"), 1, new byte[1_000]);
    assertCorrupt(bytes, "i", "");
  }

  @Test
  void valuesThatNestInThemselvesWithoutEndAreRefused() throws IOException {
    String schema =
        "{'type':'record','name':'r','fields':[{'name':'tree','type':{'type':'record',"
            + "'name':'tree','fields':[{'name':'next','type':['null','tree']}]}},"
            + "{'name':'i','type':'int'}]}";
    byte[] block = new byte[1_000_000];
    Arrays.fill(block, (byte) 2);
    assertCorrupt(RandomAvro.file(schema, 1, block), "i", "nested more than 1000 deep");
  }

  @Test
  void valuesWithoutBytesAreNotReadForEver() throws IOException {
    String schema =
        "{'type':'record','name':'r','fields':[{'name':'l','type':{'type':'array',"
            + "'items':'null'}},{'name':'i','type':'int'}]}";
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    RandomAvro.number(block, 1L << 60);
    block.writeBytes(new byte[] {0, 2});
    byte[] bytes = RandomAvro.file(schema, 1, block.toByteArray());
    assertCorrupt(bytes, "i", "values without bytes"); // skipped on the way
    assertCorrupt(bytes, "l", "values without bytes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1-1-1-1-1",
        "0123e4567-e89b-12d3-a456-42661417400",
        "+23e4567-e89b-12d3-a456-426614174000",
        "123e4567-e89b-12d3-a456-42661417400\u0660",
        "123e4567e89b12d3a456426614174000",
      })
  void textThatIsNoUuidIsRefused(String text) throws IOException {
    String schema =
        "{'type':'record','name':'r','fields':[{'name':'u','type':"
            + "{'type':'string','logicalType':'uuid'}}]}";
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    RandomAvro.number(block, utf8.length);
    block.writeBytes(utf8);
    assertCorrupt(RandomAvro.file(schema, 1, block.toByteArray()), "u", "' is no UUID");
  }

  private static void assertCorrupt(byte[] bytes, String column, String message)
      throws IOException {
    StorageFile file = new BytesFile(bytes);
    FileMetadata metadata = FORMAT.readMetadata(file);
    Schema wanted = one(metadata.schema().find(column).orElseThrow());
    assertThatThrownBy(() -> read(file, metadata, wanted, 0, 1, () -> 9))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("[memory://file, block 0, row 0");
  }

  @Seeded(runs = 20)
  void everyCutFileIsRefusedUnlessCutBehindABlock(Random random) throws IOException {
    RandomAvro made = RandomAvro.write(random, 1 + random.nextInt(100));
    for (int i = 0; i < 100; i++) {
      byte[] cut = Arrays.copyOf(made.bytes(), random.nextInt(made.bytes().length));
      try {
        FileMetadata metadata = FORMAT.readMetadata(new BytesFile(cut));
        // Behind a block a file may end: nothing in it says how many there are.
        assertThat(metadata.rowCount()).isLessThan(made.columns().getFirst().size());
      } catch (MalformedFileException e) {
        assertThat(e).hasMessageContaining("[memory://file");
      }
    }
  }

  @Seeded(runs = 40)
  void flippedBytesGiveTypedErrorsOrRows(Random random) throws IOException {
    byte[] good = RandomAvro.write(random, 1 + random.nextInt(300)).bytes();
    for (int i = 0; i < 60; i++) {
      byte[] bad = good.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      }
      survive(bad);
    }
  }

  private static void survive(byte[] bad) throws IOException {
    try (StorageFile file = new BytesFile(bad)) {
      FileMetadata metadata = FORMAT.readMetadata(file);
      for (Field field : metadata.schema().fields()) {
        if (field.type() instanceof DataType.Unsupported) {
          continue;
        }
        try {
          long rows = metadata.rowCount();
          assertThat(read(file, metadata, one(field), 0, rows, () -> 1000).getFirst())
              .hasSize((int) rows);
        } catch (MalformedFileException e) {
          assertThat(e).hasMessageContaining("[memory://file");
        }
      }
    } catch (MalformedFileException e) {
      assertThat(e).hasMessageContaining("[memory://file");
    }
  }

  @Test
  void wrongOptionsAreRefused() {
    assertThatThrownBy(() -> FORMAT.withOptions(Map.of("rows", "1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Format 'avro' has no option 'rows'. Options are: [max-record-bytes, row-group-rows].");
    assertThatThrownBy(() -> FORMAT.withOptions(Map.of("row-group-rows", "0")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Format option 'row-group-rows' must be a whole number from 1, got '0'.");
  }

  private static Path compressed(Path folder, CodecFactory codec) throws IOException {
    org.apache.avro.Schema schema =
        new org.apache.avro.Schema.Parser()
            .parse("{'type':'record','name':'row','fields':[]}".replace('\'', '"'));
    Path path = folder.resolve(codec.toString().replaceFirst("[^a-z].*", "") + ".avro");
    try (DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.setCodec(codec).create(schema, path.toFile());
      writer.append(new GenericData.Record(schema));
    }
    return path;
  }

  @Test
  void aCodecWhoseLibraryCannotBeLoadedIsNamed(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path snappy = compressed(folder, CodecFactory.snappyCodec());
    Path zstd = compressed(folder, CodecFactory.zstandardCodec(3));

    assertThat(OtherJvm.read(OtherJvm.withoutTemporaryFiles(snappy), snappy, zstd))
        .satisfiesExactly(
            message ->
                assertThat(message).startsWith("Cannot decompress snappy: its native library"),
            message ->
                assertThat(message).startsWith("Cannot decompress zstd: its native library"));
  }
}
