package dev.penstock.internal.parquet;

import static dev.penstock.internal.parquet.HandMadeFooter.float64;
import static dev.penstock.internal.parquet.HandMadeFooter.int32;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.parquet.footer.FooterStatistics;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestBounds;
import dev.penstock.testing.TestTables;
import dev.penstock.testing.TestTables.Layout;
import dev.penstock.testing.TestTables.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.parquet.format.BoundaryOrder;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.Type;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Page indexes that state what they should not, or in ways that are easily misread.
class ParquetPageIndexTest {
  @TempDir Path folder;

  private static HandMadeFooter int32s() {
    return new HandMadeFooter(Type.INT32, 30);
  }

  private static ColumnIndex index(List<Boolean> nullPages, byte[]... bounds) {
    List<ByteBuffer> mins = new ArrayList<>();
    List<ByteBuffer> maxs = new ArrayList<>();
    for (int i = 0; i < bounds.length; i += 2) {
      mins.add(ByteBuffer.wrap(bounds[i]));
      maxs.add(ByteBuffer.wrap(bounds[i + 1]));
    }
    return new ColumnIndex(nullPages, mins, maxs, BoundaryOrder.ASCENDING);
  }

  private static ColumnIndex threePages() {
    return index(
        List.of(false, false, false), int32(5), int32(9), int32(-3), int32(0), int32(7), int32(7));
  }

  private static ColumnStatistics known(long values, OptionalLong nulls, Bound lower, Bound upper) {
    return new ColumnStatistics(OptionalLong.of(values), nulls, OptionalLong.empty(), lower, upper);
  }

  private static Bound exact(Comparable<?> value) {
    return new Bound(value, true);
  }

  @Nested
  class WellFormed {
    @Test
    void pagesHaveTheirRowsAndBoundsWhateverOrderIsStated() throws IOException {
      assertThat(int32s().pages(0, 10, 25).columnIndex(threePages()).readPages())
          .containsExactly(
              new PageStatistics(0, 10, known(10, OptionalLong.empty(), exact(5L), exact(9L))),
              new PageStatistics(10, 15, known(15, OptionalLong.empty(), exact(-3L), exact(0L))),
              new PageStatistics(25, 5, known(5, OptionalLong.empty(), exact(7L), exact(7L))));
    }

    @Test
    void nullsAreKnownWhereTheyAreCounted() throws IOException {
      ColumnIndex index = index(List.of(false, true), int32(1), int32(2), new byte[0], new byte[0]);
      assertThat(int32s().pages(0, 10).columnIndex(index).readPages())
          .extracting(PageStatistics::statistics)
          .containsExactly(
              known(10, OptionalLong.empty(), exact(1L), exact(2L)),
              new ColumnStatistics(
                  OptionalLong.of(20), OptionalLong.of(20), OptionalLong.empty(), null, null));
      index.setNull_counts(List.of(3L, 20L));
      assertThat(int32s().pages(0, 10).columnIndex(index).readPages())
          .extracting(PageStatistics::statistics)
          .containsExactly(
              known(10, OptionalLong.of(3), exact(1L), exact(2L)),
              new ColumnStatistics(
                  OptionalLong.of(20), OptionalLong.of(20), OptionalLong.empty(), null, null));
    }

    @Test
    void textIsNeverExact() throws IOException {
      ColumnIndex index = index(List.of(false), new byte[] {'a'}, new byte[] {'c'});
      assertThat(
              new HandMadeFooter(Type.BYTE_ARRAY, 30)
                  .logical(LogicalType.STRING(new StringType()))
                  .pages(0)
                  .columnIndex(index)
                  .readPages()
                  .getFirst()
                  .statistics())
          .isEqualTo(
              known(
                  30,
                  OptionalLong.empty(),
                  new Bound(ByteString.utf8("a"), false),
                  new Bound(ByteString.utf8("c"), false)));
    }

    @Test
    void nanIsKnownWhereItIsCounted() throws IOException {
      ColumnIndex index =
          index(List.of(false, false), float64(1), float64(2), float64(0), float64(0));
      index.setNan_counts(List.of(0L, 4L));
      List<PageStatistics> pages =
          new HandMadeFooter(Type.DOUBLE, 30).pages(0, 10).columnIndex(index).readPages();
      assertThat(pages.getFirst().statistics().noNaN()).isTrue();
      assertThat(pages.getLast().statistics().nanCount()).hasValue(4);
      assertThat(pages.getLast().statistics().lower()).isEqualTo(new Bound(-0d, false));
    }

    @Test
    void pageWithoutRowsIsOne() throws IOException {
      assertThat(int32s().pages(0, 10, 10).columnIndex(threePages()).readPages())
          .extracting(PageStatistics::rowCount)
          .containsExactly(10L, 0L, 20L);
    }

    @Test
    void nothingIsKnownWithoutBothParts() throws IOException {
      assertThat(int32s().readPages()).isEmpty();
      assertThat(int32s().pages(0, 10, 25).readPages()).isEmpty();
      assertThat(int32s().columnIndex(threePages()).readPages()).isEmpty();
    }

    @Test
    void nothingIsKnownOfListsWhoseRowsMayLieInSeveralPages() throws IOException {
      HandMadeFooter footer = int32s().pages(0, 10, 25).columnIndex(threePages());
      footer.column.setRepetition_type(FieldRepetitionType.REPEATED);
      assertThat(footer.readPages()).isEmpty();
    }

    @Test
    void nullsAreKnownWithoutOrder() throws IOException {
      HandMadeFooter footer = int32s().pages(0, 10, 25).columnIndex(threePages());
      footer.metadata.unsetColumn_orders();
      assertThat(footer.readPages()).hasSize(3).allMatch(page -> page.statistics().lower() == null);
    }
  }

  /// What writers are known to have got wrong, and what does no harm.
  @Nested
  class Deviating {
    @Test
    void indexWithoutPagesIsNone() throws IOException {
      assertThat(
              int32s()
                  .pages()
                  .columnIndex(index(List.of(true), new byte[0], new byte[0]))
                  .readPages())
          .isEmpty();
    }

    @Test
    void pageOfNullsThatIsNotMarkedHasNoBounds() throws IOException {
      ColumnIndex index = index(List.of(false), new byte[0], new byte[0]);
      index.setNull_counts(List.of(30L));
      ColumnStatistics known =
          int32s().pages(0).columnIndex(index).readPages().getFirst().statistics();
      assertThat(known.allNull()).isTrue();
      ColumnStatistics text =
          new HandMadeFooter(Type.BYTE_ARRAY, 30)
              .pages(0)
              .columnIndex(index)
              .readPages()
              .getFirst()
              .statistics();
      assertThat(text.upper()).isNull();
    }

    @Test
    void boundsThatWereTooLongAreUnknown() throws IOException {
      ColumnIndex index =
          index(List.of(false, false), new byte[0], new byte[0], new byte[] {'a'}, new byte[0]);
      List<PageStatistics> pages =
          new HandMadeFooter(Type.BYTE_ARRAY, 30).pages(0, 10).columnIndex(index).readPages();
      assertThat(pages).allMatch(page -> page.statistics().upper() == null);
    }

    @Test
    void boundsOfOnePageThatAreNonsenseAreItsOwn() throws IOException {
      ColumnIndex index =
          index(
              List.of(false, false, false),
              int32(9),
              int32(5),
              new byte[3],
              int32(0),
              int32(7),
              int32(7));
      assertThat(int32s().pages(0, 10, 25).columnIndex(index).readPages())
          .extracting(page -> page.statistics().lower())
          .containsExactly(null, null, exact(7L));
    }

    @Test
    void pageOfNullsThatContradictsItselfIsUnknown() throws IOException {
      ColumnIndex index = index(List.of(true, true), int32(1), int32(2), new byte[0], new byte[0]);
      index.setNull_counts(List.of(10L, 7L));
      assertThat(int32s().pages(0, 10).columnIndex(index).readPages())
          .noneMatch(page -> page.statistics().allNull() || page.statistics().lower() != null);
    }

    @Test
    void requiredColumnHasNoNullsWhateverIsStated() throws IOException {
      ColumnIndex index = index(List.of(true), new byte[0], new byte[0]);
      HandMadeFooter footer = int32s().pages(0).columnIndex(index);
      footer.column.setRepetition_type(FieldRepetitionType.REQUIRED);
      assertThat(footer.readPages().getFirst().statistics().noNulls()).isTrue();
    }
  }

  @Nested
  class Corrupt {
    private void assertCorrupt(HandMadeFooter footer, String message) {
      assertThatThrownBy(footer::readPages)
          .isInstanceOf(MalformedFileException.class)
          .hasMessageStartingWith("Corrupt Parquet ")
          .hasMessageContaining(message)
          .hasMessageContaining("[memory://file, row group 0, column 'c', byte ");
    }

    @Test
    void firstPageMustStartWithTheFirstRow() throws IOException {
      assertCorrupt(
          int32s().pages(1, 10, 25).columnIndex(threePages()),
          "offset index: page 0 starts with row 1 but expected 0. Write the file again, or read it"
              + " without its page index, by format option 'page-index' = 'ignore'.");
    }

    @Test
    void lastPageMustHaveItsRows() throws IOException {
      assertCorrupt(
          int32s().pages(0, 10, 25).lastPage(2, 4).columnIndex(threePages()),
          "offset index: page 2 has 4 rows but expected 5 rows. Write the file again, or read it"
              + " without its page index, by format option 'page-index' = 'ignore'.");
    }

    @Test
    void indexThatIsNotWantedIsNotLookedAt() throws IOException {
      BytesFile file = int32s().pages(1, 10, 25).columnIndex(threePages()).file();
      FileFormat format = new ParquetFormat().withOptions(Map.of("page-index", "ignore"));
      FileMetadata metadata = format.readMetadata(file);
      assertThat(format.pageStatistics(file, metadata, 0, "c")).isEmpty();
      assertThat(format.pageStatisticsRanges(metadata, 0, "c")).isEmpty();
      assertThatThrownBy(() -> new ParquetFormat().withOptions(Map.of("page-index", "no")))
          .hasMessage(
              "Cannot use format option 'page-index': it is 'no' but expected use or ignore.");
    }

    @Test
    void pagesMustBeInTheOrderOfTheirRows() throws IOException {
      assertCorrupt(
          int32s().pages(0, 20, 10).columnIndex(threePages()),
          "offset index: page 2 starts with row 10 but expected [20, 30]");
      assertCorrupt(
          int32s().pages(0, 20, 31).columnIndex(threePages()),
          "offset index: page 2 starts with row 31 but expected [20, 30]");
    }

    @Test
    void pagesMustLieInTheChunkWithoutOverlap() throws IOException {
      List<PageLocation> overlap = List.of(new PageLocation(4, 10, 0), new PageLocation(13, 10, 5));
      assertCorrupt(
          int32s().offsetIndex(new OffsetIndex(overlap)).columnIndex(threePages()),
          "offset index: page 1 has 10 bytes at 13 but expected them in [14, 1004)");
      List<PageLocation> outside = List.of(new PageLocation(3, 10, 0));
      assertCorrupt(
          int32s().offsetIndex(new OffsetIndex(outside)).columnIndex(threePages()),
          "offset index: page 0 has 10 bytes at 3 but expected them in [4, 1004)");
      List<PageLocation> behind = List.of(new PageLocation(995, 10, 0));
      assertCorrupt(
          int32s().offsetIndex(new OffsetIndex(behind)).columnIndex(threePages()),
          "offset index: page 0 has 10 bytes at 995 but expected them in [4, 1004)");
      List<PageLocation> negative = List.of(new PageLocation(4, -1, 0));
      assertCorrupt(
          int32s().offsetIndex(new OffsetIndex(negative)).columnIndex(threePages()),
          "offset index: page 0 has -1 bytes at 4");
    }

    @Test
    void listsMustBeAsLongAsThereArePages() throws IOException {
      assertCorrupt(
          int32s().pages(0, 10).columnIndex(threePages()),
          "column index: it cannot be parsed (a list has 3 elements of type 2 but expected 2 of"
              + " type 2)");
      assertCorrupt(int32s().pages(0, 1, 2, 3).columnIndex(threePages()), "column index: ");
      ColumnIndex nulls = threePages();
      nulls.setNull_counts(List.of(1L, 2L));
      assertCorrupt(int32s().pages(0, 10, 25).columnIndex(nulls), "column index: ");
      ColumnIndex mins = threePages();
      mins.setMin_values(List.of(ByteBuffer.wrap(int32(1))));
      assertCorrupt(int32s().pages(0, 10, 25).columnIndex(mins), "column index: ");
    }

    @Test
    void partsMustLieInTheFile() throws IOException {
      HandMadeFooter places = int32s().pages(0, 10, 25).columnIndex(threePages());
      places.chunk.setOffset_index_length(1 << 30);
      assertCorrupt(places, "offset index: it is stated to have 1073741824 bytes at ");
      HandMadeFooter values = int32s().pages(0, 10, 25).columnIndex(threePages());
      values.chunk.setColumn_index_offset(1L << 60);
      assertCorrupt(values, "column index: it is stated to have ");
    }

    @Test
    void partsMustBeThrift() throws IOException {
      HandMadeFooter places = int32s().pages(0, 10, 25).columnIndex(threePages());
      places.chunk.setOffset_index_offset(4); // Zeros: a structure without fields.
      assertCorrupt(places, "offset index: it cannot be parsed (");
      HandMadeFooter values = int32s().pages(0, 10, 25).columnIndex(threePages());
      values.chunk.setColumn_index_length(5);
      assertCorrupt(values, "column index: it cannot be parsed (");
      HandMadeFooter without = int32s().pages(0, 10, 25).columnIndex(threePages());
      without.chunk.setColumn_index_offset(4);
      assertCorrupt(without, "column index: it cannot be parsed (it lacks field 1)");
    }
  }

  @Test
  void indexTooLargeToBeOfUseIsNone() throws IOException {
    HandMadeFooter footer = int32s().pages(0, 10, 25).columnIndex(threePages());
    footer.append(new byte[(int) FilePart.INDEX_BYTES_MAX]);
    footer.chunk.setColumn_index_length((int) FilePart.INDEX_BYTES_MAX + 1);
    assertThat(footer.readPages()).isEmpty();
  }

  /// Whatever is in the index, there is a typed error, or statistics that do not contradict
  /// themselves, and no memory beyond what the index takes.
  @Seeded(runs = 50)
  void damagedIndexesGiveTypedErrorsOrStatistics(Random random) throws IOException {
    int rows = 1 + random.nextInt(400);
    Table table = TestTables.random(random, 1, rows);
    TestBounds.addExtremes(random, table);
    Layout layout =
        new Layout(
            CompressionCodecName.UNCOMPRESSED,
            false,
            false,
            1,
            1 + random.nextInt(rows),
            rows,
            false);
    Path path = folder.resolve("table.parquet");
    TestTables.write(table, layout, path);
    byte[] good = Files.readAllBytes(path);
    ParquetMetadata metadata =
        (ParquetMetadata) new ParquetFormat().readMetadata(new BytesFile(good));
    FooterStatistics.Indexes indexes = metadata.footerStatistics().indexes(0, 0);
    for (int i = 0; i < 100; i++) {
      byte[] bad = good.clone();
      Stream.of(indexes.columnIndex(), indexes.offsetIndex())
          .filter(place -> place.isSet() && random.nextBoolean())
          .forEach(place ->
              bad[(int) place.offset() + random.nextInt((int) place.length())] =
                  (byte) random.nextInt());
      try {
        List<PageStatistics> pages =
            new ParquetFormat().pageStatistics(new BytesFile(bad), metadata, 0, "c0");
        long next = 0;
        for (PageStatistics page : pages) {
          assertThat(page.firstRow()).isEqualTo(next);
          next += page.rowCount();
        }
        assertThat(next).isEqualTo(pages.isEmpty() ? 0 : rows);
      } catch (MalformedFileException e) {
        assertThat(e).hasMessageContaining("row group 0, column 'c0'");
      }
    }
  }
}
