package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Files of other writers that were refused or read wrongly once, and files that contradict
/// themselves.
class ParquetCasesTest {
  private final ParquetFormat format = new ParquetFormat();

  private static BytesFile file(String name) throws IOException {
    String path = "/parquet/cases/" + name + ".parquet";
    try (InputStream in = ParquetCasesTest.class.getResourceAsStream(path)) {
      return new BytesFile(Objects.requireNonNull(in, path).readAllBytes());
    }
  }

  private List<@Nullable Object> column(BytesFile file, String column) throws IOException {
    FileMetadata metadata = format.readMetadata(file);
    Schema wanted = Schema.of(List.of(metadata.schema().find(column).orElseThrow()));
    TestMemory memory = new TestMemory(64 << 20);
    return TestRows.read(format, file, metadata, wanted, 0, metadata.rowCount(), memory, () -> 1000)
        .getFirst();
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void columnThatStatesTooFewBytesGoesOn() throws IOException {
    List<@Nullable Object> nations = column(file("nation.dict"), "name");
    assertThat(nations).hasSize(25).contains(hex("INDIA"), hex("INDONESIA"), hex("UNITED STATES"));
    assertThat(column(file("nation.dict"), "region_key")).hasSize(25).startsWith(0L, 1L, 1L, 1L);
    assertThat(column(file("repeated_values"), "x")).hasSize(3).containsOnly(hex("parquet"));
  }

  @Test
  void whatHasNoRepetitionIsThere() throws IOException {
    BytesFile file = file("hyparquet-writer-0.3.5");
    assertThat(column(file, "id")).containsExactly(1L, 2L, 3L);
    assertThat(column(file, "s")).containsExactly("a", "b", "c");
  }

  @Test
  void annotationThatDoesNotFitIsIgnored() throws IOException {
    assertThat(column(file("int32_uuid"), "u")).containsExactly(1L, 2L, 3L);
    assertThat(column(file("uuid_ba"), "a")).containsExactly(hex("0123456789abcdef"));
    assertThat(column(file("strflba_log"), "a")).containsExactly(hex("abc"), hex("def"));
  }

  @Test
  void indicesOfNoBitsHaveRunsForAllValues() {
    assertThatThrownBy(() -> column(file("bad_rle_literal_count"), "c"))
        .hasMessageStartingWith(
            "Truncated Parquet page: its dictionary indices end before its values do.");
  }

  @Test
  void unionWithoutFieldIsUnknown() throws IOException {
    assertThat(column(file("l_emptylog"), "a")).containsExactly(1L, 2L);
  }

  @Test
  void unknownOrderOfColumnsGivesNoBounds() throws IOException {
    HandMadeFooter footer =
        new HandMadeFooter(Type.INT32, 30).bounds(HandMadeFooter.int32(1), HandMadeFooter.int32(5));
    assertThat(footer.read().lower()).isNotNull();
    // The list of one order, which is a union with an empty structure; then the footer's length.
    String stated = HexFormat.of().formatHex(footer.toByteArray());
    String changed = stated.replace("391c1c0000004e000000", "391c00004c000000");
    assertThat(changed).isNotEqualTo(stated);
    BytesFile file = new BytesFile(HexFormat.of().parseHex(changed));
    assertThat(format.readMetadata(file).statistics(0, "c").lower()).isNull();
  }

  @Test
  void offsetIndexThatIsOneRowOffRulesOutNoRow() throws IOException {
    BytesFile file = file("oi_rows_wrong");
    assertThatThrownBy(() -> format.pageStatistics(file, format.readMetadata(file), 0, "x"))
        .hasMessageContaining("offset index: page 4 has 5 rows but expected 6 rows");
  }

  @Test
  void columnsThatCannotBeReadLeaveTheOthersAlone() throws IOException {
    assertThat(column(file("dup"), "b")).containsExactly(3L, 4L);
    assertThatThrownBy(() -> column(file("dup"), "a"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("column 'a' is one of 2 columns of that name");
    assertThat(column(file("emptystruct"), "a")).containsExactly(1L, 2L, 3L);
    assertThatThrownBy(() -> column(file("emptystruct"), "e"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("column 'e' is struct<>");
  }

  @Test
  void columnThatIsNotTheSchemasIsCorrupt() throws IOException {
    for (String column : List.of("a", "b")) {
      assertThatThrownBy(() -> column(file("pathswap"), column))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageStartingWith("Corrupt Parquet file: the schema has INT32 '" + column + "'");
    }
    assertThatThrownBy(() -> column(file("typediff"), "a"))
        .hasMessageStartingWith(
            "Corrupt Parquet file: the schema has INT32 'a' here but the column's own metadata say"
                + " INT64 'a'.");
  }

  /// As arrow-rs writes by default: whole values as bounds, here two of a megabyte.
  @Test
  void headerMayHaveBoundsOfMegabytes() throws IOException {
    byte[] value = new byte[1 << 20];
    Arrays.fill(value, (byte) 'x');
    byte[] body = HandMadeFile.join(HandMadeFile.ints(value.length), value);
    PageHeader header = new PageHeader(PageType.DATA_PAGE, body.length, body.length);
    header.setData_page_header(
        new DataPageHeader(1, Encoding.PLAIN, Encoding.RLE, Encoding.RLE)
            .setStatistics(new Statistics().setMin_value(value).setMax_value(value)));
    BytesFile file =
        new HandMadeFile(Type.BYTE_ARRAY, false, CompressionCodec.UNCOMPRESSED)
            .page(header, body)
            .page(header, body)
            .group(2)
            .file();
    assertThat(column(file, "c")).hasSize(2).containsOnly(HexFormat.of().formatHex(value));
  }

  /// The footer counts pages of codes only, but half of the values are in plain pages.
  @Test
  void dictionaryIsNotAskedWhereTheChunkHasMoreThanItsCodes() throws IOException {
    BytesFile file = file("encstats_dictonly");
    FileMetadata metadata = format.readMetadata(file);
    for (String column : List.of("s", "x")) {
      assertThat(DictionaryFilter.open(file, (ParquetMetadata) metadata, 0, column)).isEmpty();
    }
  }

  /// A year of 9999 among others, as Spark wrote it: pyarrow reads it with
  /// `coerce_int96_timestamp_unit="us"`.
  @Test
  void int96BeyondNanosecondsIsReadAsMicroseconds() throws IOException {
    BytesFile file = file("int96_out_of_range");
    FileFormat micros = format.withOptions(Map.of("int96-unit", "us"));
    FileMetadata metadata = micros.readMetadata(file);
    assertThat(metadata.schema()).hasToString("[ts: timestamp[us]]");
    TestMemory memory = new TestMemory(64 << 20);
    assertThat(
            TestRows.read(
                    micros,
                    file,
                    metadata,
                    metadata.schema(),
                    0,
                    metadata.rowCount(),
                    memory,
                    () -> 10)
                .getFirst())
        .containsExactly(
            -17987529600000000L, -17987443200000000L, 253402214400000000L, 253402300800000000L);
    assertThat(micros.withOptions(Map.of("int96-zone", "utc")).readMetadata(file).schema())
        .hasToString("[ts: timestamp[us, UTC]]");
    assertThat(format.withOptions(Map.of("int96-zone", "utc")).readMetadata(file).schema())
        .hasToString("[ts: timestamp[ns, UTC]]");
    assertThatThrownBy(() -> column(file, "ts"))
        .hasMessageContaining("Set format option 'int96-unit' to 'us'.");
    assertThatThrownBy(() -> format.withOptions(Map.of("int96-unit", "ms")))
        .hasMessage("Cannot use format option 'int96-unit': it is 'ms' but expected us or ns.");
  }
}
