package dev.penstock.iceberg;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.mapping.MappedField;
import org.apache.iceberg.mapping.MappedFields;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Types;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Files without field ids, which were there before the table was: row n has `n` n, `who` "w" and n
/// and in struct `st` the field `x` 2 n.
class ImportedFilesTest {
  private static final int ROWS = 300;

  private static final Schema SCHEMA =
      new Schema(
          optional(1, "n", Types.IntegerType.get()),
          optional(2, "who", Types.StringType.get()),
          optional(3, "st", Types.StructType.of(optional(4, "x", Types.LongType.get()))),
          optional(5, "part", Types.StringType.get()));

  @TempDir private Path folder;

  private WrittenTable table(PartitionSpec spec) {
    return WrittenTable.create(folder, SCHEMA, spec, 2, FileFormat.PARQUET);
  }

  private File parquet() throws IOException {
    MessageType type =
        MessageTypeParser.parseMessageType(
            "message old { optional int32 n; optional binary who (STRING);"
                + " optional group st { optional int64 x; } }");
    File file = folder.resolve("old.parquet").toFile();
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file.toPath())).withType(type).build()) {
      SimpleGroupFactory groups = new SimpleGroupFactory(type);
      for (int n = 0; n < ROWS; n++) {
        Group row = groups.newGroup().append("n", n).append("who", "w" + n);
        row.addGroup("st").append("x", 2L * n);
        writer.write(row);
      }
    }
    return file;
  }

  private File avro() throws IOException {
    org.apache.avro.Schema struct =
        SchemaBuilder.record("st").fields().optionalLong("x").endRecord();
    org.apache.avro.Schema schema =
        SchemaBuilder.record("old")
            .fields()
            .optionalInt("n")
            .optionalString("who")
            .name("st")
            .type(struct)
            .noDefault()
            .endRecord();
    File file = folder.resolve("old.avro").toFile();
    try (DataFileWriter<GenericData.Record> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.create(schema, file);
      for (int n = 0; n < ROWS; n++) {
        GenericData.Record inner = new GenericData.Record(struct);
        inner.put("x", 2L * n);
        GenericData.Record row = new GenericData.Record(schema);
        row.put("n", n);
        row.put("who", "w" + n);
        row.put("st", inner);
        writer.append(row);
      }
    }
    return file;
  }

  private File file(FileFormat format) throws IOException {
    return format == FileFormat.AVRO ? avro() : parquet();
  }

  private static DataFile add(Table table, File file, String partition) {
    DataFiles.Builder builder =
        DataFiles.builder(table.spec())
            .withInputFile(org.apache.iceberg.Files.localInput(file))
            .withFormat(FileFormat.fromFileName(file.getName()))
            .withRecordCount(ROWS);
    DataFile added = (partition.isEmpty() ? builder : builder.withPartitionPath(partition)).build();
    table.newAppend().appendFile(added).commit();
    return added;
  }

  private static int id(Table table, String column) {
    return table.schema().findField(column).fieldId();
  }

  private static List<String> rows(java.util.function.IntFunction<String> row) {
    return IntStream.range(0, ROWS).mapToObj(row).toList();
  }

  @ParameterizedTest
  @EnumSource(
      value = FileFormat.class,
      names = {"PARQUET", "AVRO"})
  void columnsHaveTheIdsThatTheTablesMappingGivesTheirNames(FileFormat format) throws IOException {
    Table table = table(PartitionSpec.unpartitioned()).table();
    add(table, file(format), "");
    NameMapping mapping =
        NameMapping.of(
            MappedField.of(id(table, "n"), List.of("n", "number")),
            MappedField.of(
                id(table, "st"),
                "st",
                MappedFields.of(MappedField.of(id(table, "st.x"), List.of("y", "x")))));
    table
        .updateProperties()
        .set(TableProperties.DEFAULT_NAME_MAPPING, NameMappingParser.toJson(mapping))
        .commit();
    table
        .updateSchema()
        .renameColumn("n", "number")
        .updateColumn("n", Types.LongType.get())
        .renameColumn("st.x", "y")
        .moveFirst("st")
        .commit();
    // Of `who` the mapping knows nothing.
    assertThat(EveryWay.read(new ReadTable(table).dataset()))
        .isEqualTo(rows(n -> "st={y:" + 2 * n + ",} number=" + n + " who=null part=null "));
    assertThat(EveryWay.read(new ReadTable(table).dataset().where("st.y >= 590 and number < 298")))
        .isEqualTo(
            rows(n -> "st={y:" + 2 * n + ",} number=" + n + " who=null part=null ")
                .subList(295, 298));
  }

  @ParameterizedTest
  @EnumSource(
      value = FileFormat.class,
      names = {"PARQUET", "AVRO"})
  void withoutAMappingIdsAreTakenAsIcebergTakesThem(FileFormat format) throws IOException {
    Table table = table(PartitionSpec.unpartitioned()).table();
    add(table, file(format), "");
    if (format == FileFormat.PARQUET) {
      table.updateSchema().renameColumn("who", "whom").commit(); // the second column all the same
    }
    String who = format == FileFormat.PARQUET ? "whom" : "who";
    assertThat(EveryWay.read(new ReadTable(table).dataset()))
        .isEqualTo(
            rows(n -> "n=" + n + " " + who + "=w" + n + " st={x:" + 2 * n + ",} part=null "));
  }

  @Test
  void identityPartitionsThatFilesDoNotHaveComeFromTheMetadata() throws IOException {
    WrittenTable written = table(PartitionSpec.builderFor(SCHEMA).identity("part").build());
    Table table = written.table();
    NameMapping mapping = org.apache.iceberg.mapping.MappingUtil.create(table.schema());
    table
        .updateProperties()
        .set(TableProperties.DEFAULT_NAME_MAPPING, NameMappingParser.toJson(mapping))
        .commit();
    DataFile file = add(table, parquet(), "part=old times");
    List<String> old = rows(n -> "n=" + n + " part=old times ");
    assertThat(EveryWay.read(new ReadTable(table).dataset().columns("n", "part"))).isEqualTo(old);
    assertThat(ReadTable.read(new ReadTable(table).dataset().where("part = 'new'"), o -> o))
        .isEmpty();

    // Nor need they have them for rows to be deleted by them.
    Schema by = table.schema().select("n", "part");
    List<Record> keys =
        List.of(key(by, 3, "old times"), key(by, 4, "other"), key(by, 299, "old times"));
    written.deleteEqual(by, keys, file.partition());
    assertThat(EveryWay.read(new ReadTable(table).dataset().columns("n", "part")))
        .isEqualTo(
            old.stream()
                .filter(row -> !row.startsWith("n=3 ") && !row.startsWith("n=299 "))
                .toList());
  }

  private static Record key(Schema by, int n, String part) {
    GenericRecord key = GenericRecord.create(by);
    key.setField("n", n);
    key.setField("part", part);
    return key;
  }
}
