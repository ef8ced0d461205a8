package dev.penstock.iceberg;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.StructuredDataset;
import java.io.IOException;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A table with deletes of every kind, a changed schema and changed partitions, read beside
/// Iceberg's own reader and by arithmetic.
class IcebergRowsTest {
  private static final int BEFORE = 4000;
  private static final int ALL = 6000;

  private static final Schema SCHEMA =
      new Schema(
          required(1, "id", Types.LongType.get()),
          optional(2, "cat", Types.StringType.get()),
          optional(3, "ts", Types.TimestampType.withZone()),
          optional(4, "v", Types.FloatType.get()),
          optional(5, "n", Types.IntegerType.get()),
          optional(6, "gone", Types.StringType.get()),
          optional(7, "tags", Types.ListType.ofOptional(8, Types.StringType.get())),
          optional(
              9,
              "st",
              Types.StructType.of(
                  optional(10, "f_a", Types.IntegerType.get()),
                  optional(11, "f_b", Types.StringType.get()))));

  @TempDir private Path folder;

  private static Record row(Schema schema, long id) {
    GenericRecord row = GenericRecord.create(schema);
    row.setField("id", id);
    row.setField("cat", id % 7 == 0 ? null : "c" + id % 3);
    row.setField(
        "ts", OffsetDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC).plusHours(id % 48));
    boolean isDouble = schema.findType("v").typeId() == Type.TypeID.DOUBLE;
    row.setField("v", isDouble ? (Object) (double) id : (Object) (float) id);
    String n = schema.findField("n") == null ? "n2" : "n";
    boolean isLong = schema.findType(n).typeId() == Type.TypeID.LONG;
    row.setField(n, isLong ? (Object) (id * 10) : (Object) (int) (id * 10));
    if (schema.findField("gone") != null) {
      row.setField("gone", "g" + id);
    }
    row.setField("tags", id % 5 == 0 ? null : List.of("t" + id, "u"));
    GenericRecord struct = GenericRecord.create(schema.findType("st").asStructType());
    struct.setField("f_a", (int) id);
    struct.setField("f_b", "b" + id);
    row.setField("st", id % 13 == 0 ? null : struct);
    if (schema.findField("added") != null) {
      row.setField("added", "new" + id);
    }
    return row;
  }

  private static List<Record> rows(Schema schema, long from, long to) {
    return LongStream.range(from, to).mapToObj(id -> row(schema, id)).toList();
  }

  /// Writes the table; returns the ids that are left, as the deletes say them.
  private static Set<Long> write(WrittenTable written, int version) throws IOException {
    Table table = written.table();
    Map<String, List<Long>> ids = new HashMap<>();
    List<DataFile> first = written.append(rows(table.schema(), 0, BEFORE));
    Set<Long> left = new TreeSet<>(LongStream.range(0, ALL).boxed().toList());

    // By value, in one partition.
    Schema byId = table.schema().select("id");
    List<Record> keys = new ArrayList<>();
    for (long id = 0; id < BEFORE; id += 11) {
      GenericRecord key = GenericRecord.create(byId);
      key.setField("id", id);
      keys.add(key);
    }
    String partition = partition(first.getFirst());
    written.deleteEqual(byId, keys, first.getFirst().partition());
    left.removeIf(id -> id < BEFORE && id % 11 == 0 && partition(id).equals(partition));

    // By place, in all files: rows of a partition are in the order of their ids.
    for (long id = 0; id < BEFORE; id++) {
      ids.computeIfAbsent(partition(id), _ -> new ArrayList<>()).add(id);
    }
    Map<DataFile, long[]> places = new HashMap<>();
    for (DataFile file : first) {
      List<Long> in = ids.getOrDefault(partition(file), List.of());
      long[] rows = {0, 5, 100, 101, 102, file.recordCount() - 1};
      places.put(file, rows);
      for (long row : rows) {
        left.remove(in.get((int) row));
      }
    }
    if (version >= 3) {
      written.deleteByVectors(places);
    } else {
      for (DataFile file : first) {
        written.deletePositions(Map.of(file, places.get(file)));
      }
    }

    UpdateSchema update =
        table
            .updateSchema()
            .renameColumn("n", "n2")
            .updateColumn("n", Types.LongType.get())
            .updateColumn("v", Types.DoubleType.get())
            .deleteColumn("gone")
            .renameColumn("st.f_a", "f_x");
    update =
        version >= 3
            ? update.addColumn("added", Types.StringType.get(), "doc", Expressions.lit("dflt"))
            : update.addColumn("added", Types.StringType.get());
    update.addColumn("st", "f_c", Types.LongType.get()).commit();
    table.updateSpec().removeField("cat").addField(Expressions.bucket("id", 4)).commit();
    Schema renamed = table.schema();
    List<Record> later = new ArrayList<>();
    for (long id = BEFORE; id < ALL; id++) {
      later.add(later(renamed, id));
    }
    List<DataFile> second = written.append(later);

    // By two columns, one renamed and widened, the other null in some rows.
    Schema byTwo = renamed.select("n2", "cat");
    List<Record> twos = new ArrayList<>();
    for (long id = BEFORE; id < ALL; id += 7) {
      GenericRecord key = GenericRecord.create(byTwo);
      key.setField("n2", id * 10);
      key.setField("cat", id % 7 == 0 ? null : "c" + id % 3);
      twos.add(key);
    }
    DataFile where = second.get(1);
    List<Record> inside = new ArrayList<>();
    written.deleteEqual(byTwo, twos, where.partition());
    // Buckets of ids are Iceberg's own arithmetic: which rows the partition has is asked of it.
    inside.addAll(later);
    inside.removeIf(row -> !bucket(table, row).equals(where.partition().toString()));
    inside.forEach(row -> {
      long id = (Long) row.getField("id");
      if ((id - BEFORE) % 7 == 0) {
        left.remove(id);
      }
    });
    return left;
  }

  private static String bucket(Table table, Record row) {
    org.apache.iceberg.PartitionKey key =
        new org.apache.iceberg.PartitionKey(table.spec(), table.schema());
    key.partition(
        new org.apache.iceberg.data.InternalRecordWrapper(table.schema().asStruct()).wrap(row));
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < key.size(); i++) {
      values.add(key.get(i, Object.class));
    }
    StringBuilder text = new StringBuilder("PartitionData{");
    for (int i = 0; i < values.size(); i++) {
      text.append(i > 0 ? ", " : "")
          .append(table.spec().fields().get(i).name())
          .append('=')
          .append(values.get(i));
    }
    return text.append('}').toString();
  }

  private static Record later(Schema schema, long id) {
    GenericRecord row = GenericRecord.create(schema);
    row.setField("id", id);
    row.setField("cat", id % 7 == 0 ? null : "c" + id % 3);
    row.setField(
        "ts", OffsetDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC).plusHours(id % 48));
    row.setField("v", id + 0.1);
    row.setField("n2", id * 10);
    row.setField("tags", id % 5 == 0 ? null : List.of("t" + id, "u"));
    GenericRecord struct = GenericRecord.create(schema.findType("st").asStructType());
    struct.setField("f_x", (int) id);
    struct.setField("f_b", "b" + id);
    struct.setField("f_c", id << 33);
    row.setField("st", id % 13 == 0 ? null : struct);
    row.setField("added", "new" + id);
    return row;
  }

  private static String partition(long id) {
    return (id % 48) / 24 + "/" + (id % 7 == 0 ? null : "c" + id % 3);
  }

  private static String partition(DataFile file) {
    int day = file.partition().get(0, Integer.class) - 20454; // 2026-01-01
    return day + "/" + file.partition().get(1, String.class);
  }

  @ParameterizedTest
  @CsvSource({"2,PARQUET", "2,AVRO", "2,ORC", "3,PARQUET", "3,AVRO", "3,ORC"})
  void everyRowThatIsLeftIsDeliveredOnce(int version, FileFormat format) throws IOException {
    PartitionSpec spec = PartitionSpec.builderFor(SCHEMA).day("ts").identity("cat").build();
    WrittenTable written = WrittenTable.create(folder, SCHEMA, spec, version, format);
    Set<Long> left = write(written, version);

    StructuredDataset dataset = new ReadTable(written.table()).dataset();
    List<String> inOrder = ReadTable.read(dataset, options -> options.workers(1));
    assertThat(ReadTable.sorted(ReadTable.read(dataset.columns("id"), options -> options)))
        .isEqualTo(ReadTable.sorted(left.stream().map(id -> "id=" + id + " ").toList()));
    if (version < 3 || format != FileFormat.ORC) { // whose reader knows no defaults
      assertThat(ReadTable.sorted(inOrder))
          .isEqualTo(ReadTable.sorted(ReadTable.expected(written.table())));
    }

    assertThat(EveryWay.read(dataset)).isEqualTo(inOrder);
    List<String> some = EveryWay.read(dataset.where("fold(id, 2, 7) in (0)"));
    assertThat(some).isNotEmpty().isSubsetOf(inOrder);
  }
}
