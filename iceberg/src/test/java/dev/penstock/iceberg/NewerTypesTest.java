package dev.penstock.iceberg;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.StructuredDataset;
import dev.penstock.schema.DataType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.variants.ShreddedObject;
import org.apache.iceberg.variants.ValueArray;
import org.apache.iceberg.variants.Variant;
import org.apache.iceberg.variants.VariantMetadata;
import org.apache.iceberg.variants.VariantValue;
import org.apache.iceberg.variants.Variants;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Types that came with format version 3, and what can become of a date.
class NewerTypesTest {
  private static final int ROWS = 500;

  @TempDir private Path folder;

  private WrittenTable table(Schema schema, FileFormat format) {
    return WrittenTable.create(folder, schema, PartitionSpec.unpartitioned(), 3, format);
  }

  /// Before 1970 and after; but of the second before it, ORC files know no parts.
  private static LocalDateTime time(int n) {
    return LocalDateTime.of(1969, 12, 31, 23, 59, 0, 999_999_990 + n % 10).plusSeconds(2L * n);
  }

  private static GenericRecord key(Schema by, Object value) {
    GenericRecord key = GenericRecord.create(by);
    key.set(0, value);
    return key;
  }

  @EachFileFormat
  void timesHaveNanoseconds(FileFormat format) throws IOException {
    Schema schema =
        new Schema(
            required(1, "n", Types.IntegerType.get()),
            optional(2, "ts", Types.TimestampNanoType.withoutZone()),
            optional(3, "tz", Types.TimestampNanoType.withZone()));
    WrittenTable written = table(schema, format);
    written.append(
        WrittenTable.rows(
            schema,
            ROWS,
            (row, n) -> {
              row.setField("n", n);
              row.setField("ts", n % 9 == 0 ? null : time(n));
              row.setField("tz", time(n).atOffset(ZoneOffset.UTC));
            }));
    StructuredDataset dataset = new ReadTable(written.table()).dataset();
    List<String> expected =
        IntStream.range(0, ROWS)
            .mapToObj(n ->
                "n="
                    + n
                    + " ts="
                    + (n % 9 == 0 ? null : time(n))
                    + " tz="
                    + time(n).toInstant(ZoneOffset.UTC)
                    + " ")
            .toList();
    assertThat(EveryWay.read(dataset)).isEqualTo(expected);
    StructuredDataset planned = IcebergDataset.metadata(written.table().location()).dataset();
    assertThat(EveryWay.read(planned.where("tz > '" + time(489).toInstant(ZoneOffset.UTC) + "'")))
        .isEqualTo(expected.subList(490, ROWS));
    assertThat(EveryWay.read(planned.where("ts in ('" + time(0) + "', '" + time(3) + "')")))
        .isEqualTo(expected.subList(3, 4));
    assertThat(planned.where("ts = '" + time(ROWS) + "'").files())
        .hasSize(format == FileFormat.AVRO ? 1 : 0); // of which nothing is known

    Schema by = schema.select("tz");
    OffsetDateTime none = OffsetDateTime.of(time(8), ZoneOffset.UTC).minusNanos(1);
    written.deleteEqual(
        by, List.of(key(by, time(7).atOffset(ZoneOffset.UTC)), key(by, none)), null);
    assertThat(EveryWay.read(new ReadTable(written.table()).dataset()))
        .isEqualTo(IntStream.range(0, ROWS).filter(n -> n != 7).mapToObj(expected::get).toList());
  }

  /// 9999-12-31 stands for "for ever" in many databases.
  @EachFileFormat
  void timesBeyondNanosecondsAreThoseThatWereWritten(FileFormat format) throws IOException {
    Schema schema =
        new Schema(
            required(1, "n", Types.IntegerType.get()),
            optional(2, "ts", Types.TimestampType.withoutZone()),
            optional(3, "tz", Types.TimestampType.withZone()));
    List<LocalDateTime> times =
        List.of(
            LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999_999_000),
            LocalDateTime.of(2026, 11, 25, 12, 30, 0, 1000),
            LocalDateTime.of(1, 1, 1, 0, 0));
    WrittenTable written = table(schema, format);
    written.append(
        WrittenTable.rows(
            schema,
            times.size(),
            (row, n) -> {
              row.setField("n", n);
              row.setField("ts", times.get(n));
              row.setField("tz", times.get(n).atOffset(ZoneOffset.UTC));
            }));
    List<String> expected =
        IntStream.range(0, times.size())
            .mapToObj(n ->
                "n="
                    + n
                    + " ts="
                    + times.get(n)
                    + " tz="
                    + times.get(n).toInstant(ZoneOffset.UTC)
                    + " ")
            .toList();
    StructuredDataset dataset = new ReadTable(written.table()).dataset();
    assertThat(EveryWay.read(dataset)).isEqualTo(expected);
    assertThat(EveryWay.read(dataset.where("ts > '9000-01-01T00:00:00'")))
        .isEqualTo(expected.subList(0, 1));
    assertThat(EveryWay.read(dataset.where("tz < '1000-01-01T00:00:00Z'")))
        .isEqualTo(expected.subList(2, 3));
  }

  /// Iceberg counts days in the Gregorian calendar throughout, in ORC too, whatever ORC's footer
  /// says.
  @EachFileFormat
  void datesBefore1582AreThoseThatWereWritten(FileFormat format) throws IOException {
    Schema schema =
        new Schema(
            required(1, "n", Types.IntegerType.get()),
            optional(2, "day", Types.DateType.get()),
            optional(3, "days", Types.ListType.ofRequired(4, Types.DateType.get())));
    List<LocalDate> days =
        List.of(
            LocalDate.of(1, 1, 1),
            LocalDate.of(1000, 2, 28),
            LocalDate.of(1582, 10, 4),
            LocalDate.of(1582, 10, 15),
            LocalDate.of(2026, 11, 25));
    WrittenTable written = table(schema, format);
    written.append(
        WrittenTable.rows(
            schema,
            days.size(),
            (row, n) -> {
              row.setField("n", n);
              row.setField("day", days.get(n));
              row.setField("days", List.of(days.get(n)));
            }));
    List<String> expected =
        IntStream.range(0, days.size())
            .mapToObj(n -> "n=" + n + " day=" + days.get(n) + " days=[" + days.get(n) + "] ")
            .toList();
    StructuredDataset dataset = new ReadTable(written.table()).dataset();
    assertThat(EveryWay.read(dataset)).isEqualTo(expected);
    for (int n = 0; n < days.size(); n++) {
      assertThat(EveryWay.read(dataset.where("day = '" + days.get(n) + "'")))
          .isEqualTo(expected.subList(n, n + 1));
    }
    Schema by = schema.select("day");
    written.deleteEqual(by, List.of(key(by, days.getFirst())), null);
    assertThat(EveryWay.read(new ReadTable(written.table()).dataset()))
        .isEqualTo(expected.subList(1, days.size()));
  }

  @EachFileFormat
  void dateMayHaveBecomeATimestamp(FileFormat format) throws IOException {
    Schema schema =
        new Schema(
            required(1, "n", Types.IntegerType.get()), optional(2, "day", Types.DateType.get()));
    WrittenTable written = table(schema, format);
    written.append(
        WrittenTable.rows(
            schema,
            ROWS,
            (row, n) -> {
              row.setField("n", n);
              row.setField("day", n % 9 == 0 ? null : LocalDate.ofEpochDay(n - 100));
            }));
    Schema by = schema.select("day");
    written.deleteEqual(by, List.of(key(by, LocalDate.ofEpochDay(-93))), null);
    // Iceberg for Java does not make this change yet, which the format allows.
    String json = TableMetadataParser.toJson(((BaseTable) written.table()).operations().current());
    Path changed = folder.resolve("changed.metadata.json");
    Files.writeString(changed, json.replace("\"type\":\"date\"", "\"type\":\"timestamp\""));
    assertThat(EveryWay.read(IcebergDataset.metadata(changed.toString()).dataset()))
        .isEqualTo(
            IntStream.range(0, ROWS)
                .filter(n -> n != 7)
                .mapToObj(n ->
                    "n="
                        + n
                        + " day="
                        + (n % 9 == 0 ? null : LocalDate.ofEpochDay(n - 100).atStartOfDay())
                        + " ")
                .toList());
  }

  @EachFileFormat
  void unknownTypesAreNullAndMayBecomeAny(FileFormat format) throws IOException {
    Schema schema =
        new Schema(
            required(1, "n", Types.IntegerType.get()), optional(2, "u", Types.UnknownType.get()));
    WrittenTable written = table(schema, format);
    GenericRecord row = GenericRecord.create(schema);
    row.setField("n", 5);
    written.append(List.of(row));
    StructuredDataset dataset = IcebergDataset.metadata(written.table().location()).dataset();
    assertThat(dataset.schema().find("u").orElseThrow()).hasToString("u: int32");
    assertThat(EveryWay.read(dataset)).containsExactly("n=5 u=null ");
    assertThat(EveryWay.read(dataset.where("u is not null"))).isEmpty();

    String json = TableMetadataParser.toJson(((BaseTable) written.table()).operations().current());
    Path changed = folder.resolve("changed.metadata.json");
    Files.writeString(changed, json.replace("\"type\":\"unknown\"", "\"type\":\"string\""));
    StructuredDataset texts = IcebergDataset.metadata(changed.toString()).dataset();
    assertThat(texts.schema().find("u").orElseThrow()).hasToString("u: string");
    assertThat(EveryWay.read(texts)).containsExactly("n=5 u=null ");
  }

  /// ORC files cannot have variants.
  @ParameterizedTest
  @EnumSource(
      value = FileFormat.class,
      names = {"PARQUET", "AVRO"})
  void variantsAreReadAsIcebergReadsThem(FileFormat format) throws IOException {
    Schema schema =
        new Schema(
            required(1, "n", Types.IntegerType.get()),
            optional(2, "v", Types.VariantType.get()),
            optional(3, "s", Types.StructType.of(optional(4, "w", Types.VariantType.get()))));
    WrittenTable written = table(schema, format);
    VariantMetadata names = Variants.metadata("id", "list", "name");
    List<VariantValue> values = new ArrayList<>();
    ValueArray list = Variants.array();
    for (VariantValue each :
        List.of(
            Variants.ofNull(),
            Variants.of(true),
            Variants.of((byte) 3),
            Variants.of((short) 300),
            Variants.of(70_000),
            Variants.of(1L << 40),
            Variants.of(1.5f),
            Variants.of(2.5),
            Variants.of(new BigDecimal("12.345")),
            Variants.of("text"),
            Variants.of("t".repeat(100)),
            Variants.of(ByteBuffer.wrap(new byte[] {1, -1})),
            Variants.ofIsoDate("2025-04-16"),
            Variants.ofIsoTimestamptz("2025-04-16T12:34:56.789+00:00"),
            Variants.ofIsoTimestampntz("2025-04-16T12:34:56.789"),
            Variants.ofIsoTimestamptzNanos("2025-04-16T12:34:56.123456789+00:00"),
            Variants.ofIsoTimestampntzNanos("2025-04-16T12:34:56.123456789"),
            Variants.ofIsoTime("12:34:56.123456"),
            Variants.ofUUID("f24f9b64-81fa-49d1-b74e-8c09a6e31c56"))) {
      values.add(each);
      list.add(each);
    }
    ShreddedObject object = Variants.object(names);
    object.put("id", Variants.of(7L));
    object.put("name", Variants.of("seven"));
    object.put("list", list);
    values.add(object);
    List<GenericRecord> rows = new ArrayList<>();
    for (int i = 0; i < 2 * values.size(); i++) {
      GenericRecord row = GenericRecord.create(schema);
      row.setField("n", i);
      if (i % 2 == 0) {
        Variant variant = Variant.of(names, values.get(i / 2));
        row.setField("v", variant);
        GenericRecord part = GenericRecord.create(schema.findType("s").asStructType());
        part.setField("w", variant);
        row.setField("s", part);
      }
      rows.add(row);
    }
    written.append(rows);
    StructuredDataset dataset = IcebergDataset.metadata(written.table().location()).dataset();
    assertThat(dataset.schema().find("s.w").orElseThrow()).hasToString("s.w: variant");
    assertThat(EveryWay.read(dataset)).isEqualTo(ReadTable.expected(written.table()));
    assertThat(
            EveryWay.read(
                dataset
                    .cast("s.w.id", DataType.int64())
                    .where("s.w.id = 7")
                    .columns("n", "s.w.id")))
        .containsExactly("n=" + 2 * (values.size() - 1) + " s.w.id=7 ");
  }
}
