package dev.penstock.iceberg;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.StructuredDataset;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/// Columns and parts at every depth that were renamed, widened, dropped, added under an old name,
/// moved, or have a default, in files of each format that were written before.
class EvolutionTest {
  private static final Schema SCHEMA =
      new Schema(
          required(1, "id", Types.IntegerType.get()),
          optional(
              2,
              "s",
              Types.StructType.of(
                  optional(3, "a", Types.IntegerType.get()),
                  optional(4, "b", Types.StringType.get()),
                  optional(5, "c", Types.StructType.of(optional(6, "x", Types.FloatType.get()))))),
          optional(
              7,
              "l",
              Types.ListType.ofOptional(
                  8,
                  Types.StructType.of(
                      optional(9, "p", Types.IntegerType.get()),
                      optional(10, "q", Types.StringType.get())))),
          optional(
              11,
              "m",
              Types.MapType.ofOptional(
                  12,
                  13,
                  Types.StringType.get(),
                  Types.StructType.of(
                      optional(14, "v", Types.IntegerType.get()),
                      optional(15, "w", Types.DateType.get())))),
          optional(16, "d", Types.DecimalType.of(5, 2)),
          optional(17, "li", Types.ListType.ofOptional(18, Types.IntegerType.get())),
          optional(19, "dup", Types.StringType.get()),
          optional(
              20,
              "mi",
              Types.MapType.ofOptional(21, 22, Types.IntegerType.get(), Types.FloatType.get())),
          optional(23, "only", Types.StructType.of(optional(24, "old", Types.DateType.get()))));

  @TempDir private Path folder;

  private static GenericRecord struct(Types.StructType type, @Nullable Object... namesAndValues) {
    GenericRecord made = GenericRecord.create(type);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      made.setField(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return made;
  }

  private static Record before(int id) {
    Types.StructType s = SCHEMA.findType("s").asStructType();
    Types.StructType element = SCHEMA.findType("l").asListType().elementType().asStructType();
    Types.StructType entry = SCHEMA.findType("m").asMapType().valueType().asStructType();
    GenericRecord row = GenericRecord.create(SCHEMA);
    row.setField("id", id);
    Record c = struct(s.fieldType("c").asStructType(), "x", id % 4 == 0 ? null : id + 0.5f);
    row.setField(
        "s", id % 7 == 0 ? null : struct(s, "a", id, "b", "b" + id, "c", id % 5 == 0 ? null : c));
    List<Record> list = new ArrayList<>();
    for (int i = 0; i < id % 3; i++) {
      list.add(i == 1 && id % 2 == 0 ? null : struct(element, "p", id + i, "q", "q" + i));
    }
    row.setField("l", id % 11 == 0 ? null : list);
    Map<String, Record> map = new HashMap<>();
    for (int i = 0; i < id % 4; i++) {
      map.put("k" + i, struct(entry, "v", id - i, "w", LocalDate.ofEpochDay(id)));
    }
    row.setField("m", id % 6 == 0 ? null : map);
    row.setField("d", BigDecimal.valueOf(id - 700, 2));
    row.setField("li", List.of(id, -id));
    row.setField("dup", "dup" + id);
    row.setField("mi", Map.of(id, id / 2f));
    row.setField(
        "only",
        id % 3 == 0
            ? null
            : struct(SCHEMA.findType("only").asStructType(), "old", LocalDate.ofEpochDay(id)));
    return row;
  }

  private static void change(Table table, int version) {
    UpdateSchema update =
        table
            .updateSchema()
            .renameColumn("s.a", "a2")
            .updateColumn("s.a", Types.LongType.get())
            .updateColumn("s.c.x", Types.DoubleType.get())
            .deleteColumn("s.b")
            .renameColumn("l.element.p", "pp")
            .updateColumn("l.element.p", Types.LongType.get())
            .deleteColumn("l.element.q")
            .updateColumn("m.value.v", Types.LongType.get())
            .deleteColumn("m.value.w")
            .updateColumn("d", Types.DecimalType.of(25, 2))
            .updateColumn("li.element", Types.LongType.get())
            .updateColumn("mi.value", Types.DoubleType.get())
            .deleteColumn("dup")
            .moveFirst("d")
            .moveAfter("id", "m");
    if (table.schema().findField("only.old") != null) {
      update.addColumn("only", "fresh", Types.StringType.get()).deleteColumn("only.old");
    }
    update.commit();
    // The same names again, which are other columns.
    update =
        table
            .updateSchema()
            .addColumn("s", "b", Types.LongType.get())
            .addColumn("m", "w", Types.ListType.ofOptional(100, Types.StringType.get()))
            .addColumn("dup", Types.IntegerType.get())
            .renameColumn("li", "numbers");
    if (version >= 3) {
      add(update, "t_int", Types.IntegerType.get(), Literal.of(-7));
      add(update, "t_text", Types.StringType.get(), Literal.of("dflt"));
      add(update, "t_flag", Types.BooleanType.get(), Literal.of(true));
      add(
          update,
          "t_date",
          Types.DateType.get(),
          Literal.of("2026-11-21").to(Types.DateType.get()));
      add(
          update,
          "t_time",
          Types.TimestampType.withoutZone(),
          Literal.of("1969-12-31T23:59:59.999999").to(Types.TimestampType.withoutZone()));
      add(update, "t_number", Types.DecimalType.of(9, 2), Literal.of(new BigDecimal("1.25")));
      update
          .addColumn("s", "s_text", Types.StringType.get(), null, Expressions.lit("inner"))
          .addColumn("s", "s_flag", Types.BooleanType.get(), null, Expressions.lit(true))
          .addColumn("l", "l_number", Types.DoubleType.get(), null, Expressions.lit(2.5))
          .addColumn("s.c", "deep", Types.LongType.get(), null, Expressions.lit(1L << 40));
    }
    update.commit();
  }

  private static void add(
      UpdateSchema update, String name, org.apache.iceberg.types.Type type, Literal<?> value) {
    update.addColumn(name, type, null, value);
  }

  private WrittenTable table(int version, FileFormat format) throws IOException {
    WrittenTable written =
        WrittenTable.create(
            folder.resolve(version + "-" + format),
            SCHEMA,
            PartitionSpec.unpartitioned(),
            version,
            format);
    written.append(IntStream.range(0, 1500).mapToObj(EvolutionTest::before).toList());
    change(written.table(), version);
    return written;
  }

  @EachFileFormat
  void columnsAreFoundWhateverBecameOfTheirNames(FileFormat format) throws IOException {
    Table table = table(2, format).table();
    List<String> expected = ReadTable.expected(table);
    StructuredDataset dataset = new ReadTable(table).dataset();
    assertThat(EveryWay.read(dataset)).isEqualTo(expected);
  }

  @EachFileFormat
  void columnsThatWereAddedWithADefaultHaveIt(FileFormat format) throws IOException {
    // Iceberg's reader of ORC knows no defaults.
    List<String> expected = ReadTable.expected(table(3, FileFormat.PARQUET).table());
    Table table = format == FileFormat.PARQUET ? null : table(3, format).table();
    StructuredDataset dataset =
        new ReadTable(
                table != null
                    ? table
                    : LocalTables.open().load(folder.resolve("3-PARQUET/table").toString()))
            .dataset();
    assertThat(EveryWay.read(dataset)).isEqualTo(expected);
    List<String> parts =
        ReadTable.read(
            dataset.columns("s.s_text", "id", "s.c.deep", "s.a2", "s.c"), options -> options);
    assertThat(parts.get(0)).isEqualTo("s.s_text=null id=0 s.c.deep=null s.a2=null s.c=null ");
    assertThat(parts.get(1))
        .isEqualTo(
            "s.s_text=inner id=1 s.c.deep=1099511627776 s.a2=1 s.c={x:1.5,deep:1099511627776,} ");
    assertThat(parts.get(5)).isEqualTo("s.s_text=inner id=5 s.c.deep=null s.a2=5 s.c=null ");
    assertThat(parts.get(8))
        .isEqualTo(
            "s.s_text=inner id=8 s.c.deep=1099511627776 s.a2=8 s.c={x:null,deep:1099511627776,} ");
  }
}
