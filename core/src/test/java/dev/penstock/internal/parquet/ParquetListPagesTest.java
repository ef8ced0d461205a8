package dev.penstock.internal.parquet;

import static dev.penstock.internal.parquet.HandMadeFile.element;
import static dev.penstock.internal.parquet.HandMadeFile.ints;
import static dev.penstock.internal.parquet.HandMadeFile.join;
import static dev.penstock.internal.parquet.HandMadeFile.packed;
import static dev.penstock.internal.parquet.HandMadeFile.run;
import static java.util.Arrays.asList;
import static org.apache.parquet.format.CompressionCodec.UNCOMPRESSED;
import static org.apache.parquet.format.Encoding.PLAIN;
import static org.apache.parquet.format.Encoding.RLE_DICTIONARY;
import static org.apache.parquet.format.FieldRepetitionType.OPTIONAL;
import static org.apache.parquet.format.FieldRepetitionType.REPEATED;
import static org.apache.parquet.format.FieldRepetitionType.REQUIRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pages of lists one at a time: what writers may do and few of them do, and what none should.
class ParquetListPagesTest {
  private static final long MEMORY_BYTES = 1 << 20;

  private final ParquetFormat format = new ParquetFormat();

  /// A list that may be null (0) or empty (1) of integers that may be null (2) or not (3).
  private static HandMadeFile list() {
    return new HandMadeFile(
        UNCOMPRESSED,
        element("c", OPTIONAL, 1).setConverted_type(ConvertedType.LIST),
        element("list", REPEATED, 1),
        element("element", OPTIONAL, 0));
  }

  /// A list of required integers: empty (0) or not (1).
  private static HandMadeFile required(Type type) {
    return new HandMadeFile(UNCOMPRESSED, element("c", REPEATED, 0).setType(type));
  }

  /// A list, empty (0) or not (1), of structs with two integers.
  private static HandMadeFile pairs() {
    return new HandMadeFile(
        UNCOMPRESSED,
        element("c", REPEATED, 2),
        element("a", REQUIRED, 0),
        element("b", REQUIRED, 0));
  }

  private List<@Nullable Object> read(BytesFile file) throws IOException {
    return read(file, 0, 3);
  }

  private List<@Nullable Object> read(BytesFile file, long first, int most) throws IOException {
    FileMetadata metadata = format.readMetadata(file);
    TestMemory memory = new TestMemory(MEMORY_BYTES);
    long rows = metadata.rowCount() - first;
    return TestRows.read(format, file, metadata, metadata.schema(), first, rows, memory, () -> most)
        .getFirst();
  }

  private void assertRefused(HandMadeFile made, String sentence) throws IOException {
    BytesFile file = made.file();
    for (int most : new int[] {1, 1000}) {
      assertThatThrownBy(() -> read(file, 0, most))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageStartingWith(sentence)
          .hasMessageContaining("[memory://file, row group 0, column 'c");
    }
  }

  /// As old writers do: only the entries are marked, and not the group around them.
  @Test
  void entriesWithoutAMapAroundThemAreOne() throws IOException {
    HandMadeFile made =
        new HandMadeFile(
            UNCOMPRESSED,
            element("c", OPTIONAL, 1),
            element("map", REPEATED, 2).setConverted_type(ConvertedType.MAP_KEY_VALUE),
            element("key", REQUIRED, 0),
            element("value", OPTIONAL, 0));
    byte[] repetition = packed(1, 0, 1, 0, 0); // two entries, none, no group
    BytesFile file =
        made.lists(4, repetition, packed(2, 2, 2, 1, 0), ints(1, 2))
            .chunk(4)
            .lists(4, repetition, packed(2, 3, 2, 1, 0), ints(7))
            .chunk(4)
            .group(3)
            .file();
    FileMetadata metadata = format.readMetadata(file);
    TestMemory memory = new TestMemory(MEMORY_BYTES);
    List<Object> map = List.of(List.of(1L, 7L), asList(2L, null));
    assertThat(TestRows.read(format, file, metadata, metadata.schema(), 0, 3, memory, () -> 2))
        .containsExactly(asList(Map.of("map", map), Map.of("map", List.of()), null));
  }

  @Test
  void bitPackedLevelsOfOldFilesAreRead() throws IOException {
    // The first level in the highest bits. Repetition: 0 1 1 0 0 0 1 0, 0; definition: 3 2 3 0 1 3
    // 3
    // 3, 2.
    byte[] repetition = {0b01100010, 0};
    byte[] definition = {(byte) 0b11101100, 0b01111111, (byte) 0b10000000};
    byte[] body = join(repetition, definition, ints(7, 8, 9, 10, 11));
    PageHeader header = new PageHeader(PageType.DATA_PAGE, body.length, body.length);
    header.setData_page_header(
        new DataPageHeader(9, PLAIN, Encoding.BIT_PACKED, Encoding.BIT_PACKED));
    BytesFile file = list().page(header, body).chunk(9).group(6).file();
    assertThat(read(file))
        .isEqualTo(
            asList(
                asList(7L, null, 8L),
                null,
                List.of(),
                List.of(9L, 10L),
                List.of(11L),
                asList((Object) null)));
  }

  @Test
  void nullListsMayHaveAsManyLevelsAsOthers() throws IOException {
    // As DuckDB writes arrays of a fixed size; over the edge of a page and over that of a word.
    BytesFile file =
        list()
            .lists(5, packed(1, 0, 1, 0, 1, 0), packed(2, 0, 0, 3, 3, 0), ints(1, 2))
            .lists(1, run(1, 1), run(0, 1))
            .lists(
                66,
                join(run(0, 62), packed(1, 0, 1, 1, 0)),
                join(run(3, 62), packed(2, 0, 0, 0, 3)),
                ints(IntStream.range(0, 63).toArray()))
            .chunk(72)
            .group(67)
            .file();
    List<@Nullable Object> rows = new ArrayList<>();
    rows.addAll(asList(null, List.of(1L, 2L), null));
    LongStream.range(0, 62).forEach(i -> rows.add(List.of(i)));
    rows.addAll(asList(null, List.of(62L)));
    assertThat(read(file)).isEqualTo(rows);
  }

  @Test
  void rowsGoOnFromPageToPage() throws IOException {
    BytesFile file =
        list()
            .lists(3, packed(1, 0, 0, 1), run(3, 3), ints(1, 2, 3))
            .lists(2, run(1, 2), run(2, 2))
            .lists(0, run(0, 1), run(0, 1))
            .lists(3, packed(1, 1, 1, 0), packed(2, 3, 3, 1), ints(4, 5))
            .lists(1, run(0, 1), run(0, 1))
            .chunk(9)
            .group(4)
            .file();
    List<?> rows =
        asList(List.of(1L), asList(2L, 3L, null, null, 4L, 5L), List.of(), (Object) null);
    for (int first = 0; first < 4; first++) {
      for (int most = 1; most < 5; most++) {
        assertThat(read(file, first, most)).isEqualTo(rows.subList(first, 4));
      }
    }
  }

  @Test
  void dictionaryMayBeGivenUpAndTakenUpWithinARow() throws IOException {
    byte[] dictionary = strings("zero", "one");
    BytesFile file =
        required(Type.BYTE_ARRAY)
            .dictionary(2, dictionary)
            .data(3, RLE_DICTIONARY, levels(run(0, 3), run(1, 3), new byte[] {1, 3, 0b101}))
            .data(2, PLAIN, levels(run(1, 2), run(1, 2), strings("", "plain")))
            .data(2, RLE_DICTIONARY, levels(packed(1, 1, 0), run(1, 2), new byte[] {1, 3, 0b10}))
            .chunk(7)
            .group(4)
            .file();
    List<Object> rows =
        List.of(hex("one"), hex("zero"), hex("one", "", "plain", "zero"), hex("one"));
    assertThat(read(file, 0, 4)).isEqualTo(rows);
    assertThat(read(file, 2, 1)).isEqualTo(rows.subList(2, 4));
  }

  private static byte[] levels(byte[] repetition, byte[] definition, byte[] values) {
    return join(ints(repetition.length), repetition, ints(definition.length), definition, values);
  }

  private static byte[] strings(String... values) {
    byte[] plain = {};
    for (String value : values) {
      plain = join(plain, ints(value.length()), value.getBytes(StandardCharsets.US_ASCII));
    }
    return plain;
  }

  private static List<Object> hex(String... values) {
    List<Object> list = new ArrayList<>();
    for (String value : values) {
      list.add(java.util.HexFormat.of().formatHex(value.getBytes(StandardCharsets.US_ASCII)));
    }
    return list;
  }

  @Test
  void partOfAStructIsNullWhereTheStructIs() throws IOException {
    HandMadeFile made =
        new HandMadeFile(
            UNCOMPRESSED,
            element("c", OPTIONAL, 1),
            element("d", OPTIONAL, 1),
            element("e", OPTIONAL, 0));
    byte[] levels = packed(2, 3, 0, 1, 2, 3);
    BytesFile file =
        made.data(5, PLAIN, join(ints(levels.length), levels, ints(1, 2))).group(5).file();
    FileMetadata metadata = format.readMetadata(file);
    for (String name : List.of("c", "c.d", "c.d.e")) {
      dev.penstock.schema.Schema part =
          dev.penstock.schema.Schema.of(List.of(metadata.schema().find(name).orElseThrow()));
      TestMemory memory = new TestMemory(MEMORY_BYTES);
      List<@Nullable Object> rows =
          TestRows.read(format, file, metadata, part, 0, 5, memory, () -> 2).getFirst();
      assertThat(rows)
          .as(name)
          .isEqualTo(
              switch (name) {
                case "c" ->
                    asList(
                        struct("d", struct("e", 1L)),
                        null,
                        struct("d", null),
                        struct("d", struct("e", null)),
                        struct("d", struct("e", 2L)));
                case "c.d" ->
                    asList(struct("e", 1L), null, null, struct("e", null), struct("e", 2L));
                default -> asList(1L, null, null, null, 2L);
              });
    }
  }

  private static Map<String, @Nullable Object> struct(String name, @Nullable Object value) {
    Map<String, @Nullable Object> struct = new java.util.LinkedHashMap<>();
    struct.put(name, value);
    return struct;
  }

  /// Lists of lists as levels and values, the way the Dremel paper writes them.
  private static final class Shredded {
    final List<Integer> repetition = new ArrayList<>();
    final List<Integer> definition = new ArrayList<>();
    final List<Integer> values = new ArrayList<>();

    /// Adds a value or list of `depth` lists more, at a repetition level.
    void add(@Nullable Object value, int depth, int level, int definitionAround) {
      if (value == null || (value instanceof List<?> list && list.isEmpty())) {
        repetition.add(level);
        definition.add(definitionAround + (value == null ? 0 : 1));
      } else if (value instanceof List<?> list) {
        int next = level;
        for (Object each : list) {
          add(each, depth - 1, next, definitionAround + 2);
          next = 3 - depth;
        }
      } else {
        repetition.add(level);
        definition.add(definitionAround + 1);
        values.add(((Long) value).intValue());
      }
    }

    static int[] array(List<Integer> list) {
      return list.stream().mapToInt(Integer::intValue).toArray();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 300, 8192})
  void pageOfManyLevelsIsReadWhole(int most) throws IOException {
    Random random = new Random(most);
    List<@Nullable Object> rows = new ArrayList<>();
    Shredded shredded = new Shredded();
    for (int i = 0; i < 6000; i++) {
      List<@Nullable Object> row = new ArrayList<>();
      for (int j = random.nextInt(8); j > 0; j--) {
        List<@Nullable Object> inner = new ArrayList<>();
        for (int k = random.nextInt(random.nextInt(500) == 0 ? 5000 : 20); k > 0; k--) {
          inner.add(random.nextInt(9) == 0 ? null : (long) random.nextInt());
        }
        row.add(random.nextInt(9) == 0 ? null : inner);
      }
      rows.add(random.nextInt(9) == 0 ? null : row);
      shredded.add(rows.getLast(), 2, 0, 0);
    }
    int entries = shredded.repetition.size();
    assertThat(entries).isGreaterThan(200_000);
    HandMadeFile made =
        new HandMadeFile(
            UNCOMPRESSED,
            element("c", OPTIONAL, 1).setConverted_type(ConvertedType.LIST),
            element("list", REPEATED, 1),
            element("element", OPTIONAL, 1).setConverted_type(ConvertedType.LIST),
            element("list", REPEATED, 1),
            element("element", OPTIONAL, 0));
    byte[] repetition = packed(2, Shredded.array(shredded.repetition));
    byte[] definition = packed(3, Shredded.array(shredded.definition));
    byte[] values = ints(Shredded.array(shredded.values));
    BytesFile file =
        made.lists(entries, repetition, definition, values).chunk(entries).group(6000).file();
    FileMetadata metadata = format.readMetadata(file);
    TestMemory memory = new TestMemory(64 << 20);
    assertThat(
            TestRows.read(format, file, metadata, metadata.schema(), 0, 6000, memory, () -> most)
                .getFirst())
        .isEqualTo(rows);
  }

  @Nested
  class Skipping {
    private static final byte[] ROWS_OF_TWO = {3, 0b101010};

    /// A page of version 2 with three rows of two values each.
    private HandMadeFile page(HandMadeFile made, int statedRows, int from) throws IOException {
      return made.dataV2(
          6,
          statedRows,
          PLAIN,
          ROWS_OF_TWO,
          run(1, 6),
          false,
          ints(from, from + 1, from + 2, from + 3, from + 4, from + 5));
    }

    @Test
    void pagesBeforeTheRangeAreNotLookedInto() throws IOException {
      HandMadeFile made = required(Type.INT32);
      // Its levels are rubbish.
      made.dataV2(6, 3, PLAIN, new byte[] {(byte) 0xff}, new byte[] {1}, false);
      BytesFile file = page(made, 3, 0).chunk(12).group(6).file();
      assertThat(read(file, 3, 9))
          .isEqualTo(List.of(List.of(0L, 1L), List.of(2L, 3L), List.of(4L, 5L)));
      assertThatThrownBy(() -> read(file)).isInstanceOf(MalformedFileException.class);
    }

    @Test
    void asManyRowsAsValuesAreNotBelieved() throws IOException {
      HandMadeFile made = required(Type.INT32);
      BytesFile file = page(page(made, 6, 0), 6, 10).chunk(12).group(6).file();
      assertThat(read(file, 4, 9)).isEqualTo(List.of(List.of(12L, 13L), List.of(14L, 15L)));
    }

    @Test
    void otherRowsThanTheHeaderSaysAreRefused() throws IOException {
      assertRefused(
          page(required(Type.INT32), 2, 0).chunk(6).group(3),
          "Corrupt Parquet page: its levels have 3 rows but its header says 2.");
      assertRefused(
          page(required(Type.INT32), 7, 0).chunk(6).group(3),
          "Corrupt Parquet page: it claims 7 rows of 6 values.");
    }
  }

  @Nested
  class Memory {
    @Test
    void valuesOfOnePageAreNotCopied() throws IOException {
      int values = 1 << 20;
      byte[] lengths = join(run(0, 1), run(1, 127));
      byte[][] rows = new byte[values / 128][];
      java.util.Arrays.fill(rows, lengths);
      byte[] repetition = join(rows);
      HandMadeFile made = required(Type.INT32);
      BytesFile file =
          made.lists(values, repetition, run(1, values), new byte[4 * values])
              .chunk(values)
              .group(values / 128)
              .file();
      FileMetadata metadata = format.readMetadata(file);
      TestMemory memory = new TestMemory(7 << 20);
      int read = 0;
      try (SliceReader reader =
          format.openReader(file, metadata, metadata.schema(), 0, metadata.rowCount(), memory)) {
        for (int count = reader.next(3000); count > 0; count = reader.next(3000)) {
          assertThat(reader.column(0).children().getFirst().rowCount()).isEqualTo(count * 128);
          read += count;
        }
      }
      assertThat(read).isEqualTo(values / 128);
    }

    @Test
    void largeRowsMakeSmallSlices() throws IOException {
      int length = 1 << 20;
      HandMadeFile made = required(Type.INT32);
      byte[] repetition = {};
      for (int row = 0; row < 12; row++) {
        repetition = join(repetition, run(0, 1), run(1, length - 1));
      }
      BytesFile file =
          made.dictionary(1, ints(5))
              .data(
                  12 * length,
                  RLE_DICTIONARY,
                  levels(repetition, run(1, 12L * length), new byte[] {0}))
              .chunk(12L * length)
              .group(12)
              .file();
      FileMetadata metadata = format.readMetadata(file);
      TestMemory memory = new TestMemory(20 << 20);
      List<Integer> slices = new ArrayList<>();
      try (SliceReader reader =
          format.openReader(file, metadata, metadata.schema(), 0, 12, memory)) {
        for (int count = reader.next(1000); count > 0; count = reader.next(1000)) {
          slices.add(count);
        }
      }
      assertThat(slices).containsExactly(2, 2, 2, 2, 2, 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void rowThatClaimsBillionsOfElementsIsRefused(int definition) throws IOException {
      int count = Integer.MAX_VALUE;
      HandMadeFile made = list().dictionary(1, ints(5));
      byte[] repetition = join(run(0, 1), run(1, count - 1));
      byte[] definitions = run(3 - definition, count);
      made.data(count, RLE_DICTIONARY, levels(repetition, definitions, new byte[] {0}));
      BytesFile file = made.chunk(count).group(1).file();
      assertThat(file.size()).isLessThan(1000);
      assertThatThrownBy(() -> read(file))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageStartingWith(
              "Unsupported Parquet row: it has more than 33554432 values in one column, which need"
                  + " more than 256 MiB. Write smaller rows.")
          .hasMessageContaining("row group 0, column 'c'");
    }
  }

  @Nested
  class WhatDoesNotFit {
    @Test
    void columnThatStartsInsideARowIsRefused() throws IOException {
      assertRefused(
          list().lists(2, run(1, 2), run(3, 2), ints(1, 2)).chunk(2).group(1),
          "Corrupt Parquet column: its first value, or one behind a whole row, goes on with a row");
    }

    @Test
    void pageThatStartsInsideARowBehindAWholeOneIsRefused() throws IOException {
      HandMadeFile made = list();
      made.dataV2(3, 2, PLAIN, packed(1, 0, 0, 1), run(3, 3), false, ints(1, 2, 3));
      made.dataV2(3, 2, PLAIN, packed(1, 1, 0, 0), run(3, 3), false, ints(4, 5, 6));
      assertRefused(
          made.chunk(6).group(4),
          "Corrupt Parquet column: its first value, or one behind a whole row, goes on with a row");
    }

    @Test
    void levelAboveTheMaximumIsRefused() throws IOException {
      SchemaElement[] schema = {
        element("c", OPTIONAL, 1).setConverted_type(ConvertedType.LIST),
        element("list", REPEATED, 1),
        element("element", REPEATED, 0)
      };
      for (byte[] wrong : List.of(run(3, 2), packed(2, 0, 3))) {
        assertRefused(
            new HandMadeFile(UNCOMPRESSED, schema)
                .lists(2, wrong, run(3, 2), ints(1, 2))
                .chunk(2)
                .group(1),
            "Corrupt Parquet page: a level is");
      }
      assertRefused(
          list().lists(2, run(0, 2), run(4, 2), ints(1, 2)).chunk(2).group(2),
          "Corrupt Parquet page: a level is 4 but expected at most 3.");
    }

    @Test
    void levelsThatEndEarlyAreTruncated() throws IOException {
      assertRefused(
          list().lists(9, run(0, 8), run(3, 9), new byte[36]).chunk(9).group(9),
          "Truncated Parquet page: its levels end before its values do.");
      assertRefused(
          list().lists(9, run(0, 9), run(3, 8), new byte[36]).chunk(9).group(9),
          "Truncated Parquet page: its levels end before its values do.");
    }

    @Test
    void fewerRowsThanTheRowGroupHasAreTruncated() throws IOException {
      assertRefused(
          list().lists(3, packed(1, 0, 1, 0), run(3, 3), ints(1, 2, 3)).chunk(3).group(3),
          "Truncated Parquet column: its values end but 1 rows are still to come.");
    }

    @Test
    void moreRowsThanTheRowGroupHasAreRefused() throws IOException {
      String sentence = "Corrupt Parquet column: it goes on behind the last row of its row group.";
      assertRefused(
          list().lists(3, run(0, 3), run(3, 3), ints(1, 2, 3)).chunk(3).group(2), sentence);
      assertRefused(
          list()
              .lists(2, run(0, 2), run(3, 2), ints(1, 2))
              .lists(1, run(0, 1), run(3, 1), ints(3))
              .chunk(3)
              .group(2),
          sentence);
    }

    @Test
    void listThatGoesOnThoughItIsEmptyIsRefused() throws IOException {
      String sentence = "Corrupt Parquet page: its levels go on with a list that they say has no";
      // Null, and then an element; an element, and then null.
      assertRefused(
          list().lists(2, packed(1, 0, 1), packed(2, 0, 3), ints(1)).chunk(2).group(1), sentence);
      assertRefused(
          list().lists(2, packed(1, 0, 1), packed(2, 3, 1), ints(1)).chunk(2).group(1), sentence);
      // The same over the edge of a page, and over that of a word.
      assertRefused(
          list()
              .lists(1, run(0, 1), run(1, 1))
              .lists(1, run(1, 1), run(3, 1), ints(1))
              .chunk(2)
              .group(1),
          sentence);
      assertRefused(
          list()
              .lists(
                  65,
                  join(run(0, 64), run(1, 1)),
                  join(run(3, 63), run(0, 1), run(3, 1)),
                  new byte[256])
              .chunk(65)
              .group(64),
          sentence);
    }

    @Test
    void partsOfAStructThatDisagreeAreRefused() throws IOException {
      String sentence =
          "Corrupt Parquet column: its levels say otherwise than those of another part";
      // Lists of other lengths.
      assertRefused(
          pairs()
              .lists(3, packed(1, 0, 1, 0), run(1, 3), ints(1, 2, 3))
              .chunk(3)
              .lists(3, packed(1, 0, 0, 1), run(1, 3), ints(1, 2, 3))
              .chunk(3)
              .group(2),
          sentence);
      // One more element in all.
      assertRefused(
          pairs()
              .lists(2, run(0, 2), run(1, 2), ints(1, 2))
              .chunk(2)
              .lists(3, packed(1, 0, 0, 1), run(1, 3), ints(1, 2, 3))
              .chunk(3)
              .group(2),
          sentence);
      // Null here and there.
      HandMadeFile structs =
          new HandMadeFile(
              UNCOMPRESSED,
              element("c", OPTIONAL, 2),
              element("a", REQUIRED, 0),
              element("b", REQUIRED, 0));
      byte[] one = packed(1, 1, 0, 1);
      byte[] other = packed(1, 1, 1, 0);
      assertRefused(
          structs
              .data(3, PLAIN, join(ints(one.length), one, ints(1, 2)))
              .chunk(3)
              .data(3, PLAIN, join(ints(other.length), other, ints(1, 2)))
              .chunk(3)
              .group(3),
          sentence);
    }

    @Test
    void nullKeyOfAMapIsRefused() throws IOException {
      HandMadeFile map =
          new HandMadeFile(
              UNCOMPRESSED,
              element("c", REQUIRED, 1).setConverted_type(ConvertedType.MAP),
              element("key_value", REPEATED, 2),
              element("key", OPTIONAL, 0),
              element("value", REQUIRED, 0));
      assertRefused(
          map.lists(2, run(0, 2), packed(2, 2, 1), ints(1))
              .chunk(2)
              .lists(2, run(0, 2), run(1, 2), ints(1, 2))
              .chunk(2)
              .group(2),
          "Corrupt Parquet column: a key of a map is null.");
    }

    @Test
    void damagedLevelFailsTheSameRowWhereverAReaderStarts() throws IOException {
      // Lists of one element. The second block of 512 levels has one above the maximum.
      byte[] repetition = join(run(0, 700), run(2, 1), run(0, 299));
      BytesFile file =
          list()
              .lists(1000, repetition, run(3, 1000), new byte[4000])
              .chunk(1000)
              .group(1000)
              .file();
      FileMetadata metadata = format.readMetadata(file);
      for (int first : new int[] {0, 1, 63, 64, 400, 510}) {
        TestMemory memory = new TestMemory(MEMORY_BYTES);
        try (SliceReader reader =
            format.openReader(file, metadata, metadata.schema(), first, 1000 - first, memory)) {
          for (int row = first; row < 511; row++) {
            assertThat(reader.next(1)).isOne();
          }
          assertThatThrownBy(() -> reader.next(1)).isInstanceOf(MalformedFileException.class);
        }
      }
    }
  }
}
