package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.contract.Failure;
import dev.penstock.format.RowGroup;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import org.example.Mistake;
import org.example.OddFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A format of somebody else that breaks one rule of its interfaces: the error names the class, the
/// file, the column and the rule.
class BrokenFormatsTest {
  private static final LoaderOptions OPTIONS =
      LoaderOptions.defaults().batchSize(10).output(OutputFormat.MAP);
  private static final OptionalLong NONE = OptionalLong.empty();

  private static Arguments slice(
      String column, UnaryOperator<ColumnSlice> change, String sentence) {
    return Arguments.of(
        new Mistake() {
          @Override
          public ColumnSlice slice(String name, ColumnSlice right) {
            return name.equals(column) ? change.apply(right) : right;
          }
        },
        "gave " + sentence,
        "column '" + column + "', rows [");
  }

  private static ColumnSlice nulls(ColumnSlice right, int nulls, MemorySegment validity) {
    return new ColumnSlice(
        right.type(),
        right.rowCount(),
        nulls,
        validity,
        right.values(),
        right.offsets(),
        right.codes(),
        right.dictionary(),
        right.children());
  }

  private static ColumnSlice of(
      ColumnSlice right,
      MemorySegment values,
      MemorySegment offsets,
      MemorySegment codes,
      TextDictionary dictionary,
      List<ColumnSlice> children) {
    return new ColumnSlice(
        right.type(),
        right.rowCount(),
        right.nullCount(),
        right.validity(),
        values,
        offsets,
        codes,
        dictionary,
        children);
  }

  private static ColumnSlice lessValues(ColumnSlice right) {
    MemorySegment values = right.values().asSlice(0, right.values().byteSize() - 1);
    return of(right, values, null, null, null, List.of());
  }

  private static ColumnSlice offsets(ColumnSlice right, IntUnaryOperator offset) {
    MemorySegment offsets = OddFormat.ints(right.rowCount() + 1, offset);
    return of(right, right.values(), offsets, null, null, right.children());
  }

  private static ColumnSlice codes(ColumnSlice right, int code, TextDictionary dictionary) {
    MemorySegment codes = OddFormat.ints(right.rowCount(), _ -> code);
    return of(right, right.values(), null, codes, dictionary, List.of());
  }

  private static ColumnSlice children(ColumnSlice right, ColumnSlice... children) {
    return of(right, right.values(), right.offsets(), null, null, List.of(children));
  }

  private static ColumnSlice ints(int rows) {
    return ColumnSlice.fixed(DataType.int32(), rows, 0, null, OddFormat.ints(rows, i -> i));
  }

  /// All of them are wrong in a slice of one row, too, as a slice that fails is read again row by
  /// row; the first row is null.
  static List<Arguments> slices() {
    TextDictionary outside =
        new TextDictionary(1, OddFormat.ints(1, i -> i), OddFormat.ints(2, i -> 5 * i));
    return List.of(
        slice(
            "id",
            it -> ColumnSlice.fixed(DataType.int32(), it.rowCount(), 0, null, it.values()),
            "a slice of int32 but expected int64"),
        slice(
            "id",
            it -> ColumnSlice.fixed(it.type(), it.rowCount() + 1, 0, null, it.values()),
            "a slice of 2 rows but expected 1"),
        slice("x", it -> nulls(it, 1, null), "no validity for a slice of 1 nulls"),
        slice("x", it -> nulls(it, it.rowCount() + 1, it.validity()), "a slice of 2 nulls but"),
        slice("x", it -> nulls(it, -1, it.validity()), "a slice of -1 nulls but expected a number"),
        slice(
            "x",
            it -> nulls(it, 0, OddFormat.bits(it.rowCount(), _ -> true)),
            "validity for a slice without nulls, which has none"),
        slice(
            "x",
            it -> nulls(it, 1, OddFormat.bits(it.rowCount(), _ -> true)),
            "a slice of 1 nulls but its validity has 0"),
        slice(
            "x",
            it -> nulls(it, 1, OddFormat.bits(0, _ -> true)),
            "0 bytes of validity but expected at least 1"),
        slice("x", BrokenFormatsTest::lessValues, "7 bytes of values but expected at least 8"),
        slice("flag", BrokenFormatsTest::lessValues, "0 bytes of values but expected at least 1"),
        slice("flag", it -> of(it, null, null, null, null, List.of()), "a slice whose values are"),
        slice(
            "text",
            it -> of(it, it.values(), null, null, null, List.of()),
            "no offsets, and no codes"),
        slice(
            "text",
            it -> of(it, it.values(), OddFormat.ints(1, _ -> 0), null, null, List.of()),
            "4 bytes of offsets but expected at least 8"),
        slice("text", it -> offsets(it, i -> i == 0 ? 1 : 0), "the offset 0 behind 1"),
        slice("text", it -> offsets(it, i -> i - 1), "the offset -1 behind 0"),
        slice(
            "text",
            it -> offsets(it, i -> 8 * i),
            "offsets up to 8 but there are 7 bytes of values"),
        slice("coded", it -> codes(it, 0, null), "codes without a dictionary"),
        slice(
            "coded",
            it -> codes(it, 0, outside),
            "offsets up to 5 but there are 4 bytes of its dictionary"),
        slice("list", it -> children(it), "0 children for a list, which has 1"),
        slice(
            "list",
            it -> offsets(it, i -> i + it.rowCount()),
            "offsets up to 2 but there are 1 elements"),
        slice("part", it -> children(it), "0 children for a struct of 1 fields"),
        slice(
            "part",
            it -> children(it, ints(it.rowCount() + 1)),
            "a slice of 2 rows but expected 1"),
        Arguments.of(
            new Mistake() {
              @Override
              public ColumnSlice slice(String name, ColumnSlice right) {
                return null;
              }
            },
            "returned null from column(0)",
            "a.odd]"));
  }

  /// What takes a look at each row, which only all checks do.
  static List<Arguments> rowsOfSlices() {
    return List.of(
        slice("text", it -> offsets(it, i -> i == 5 ? 6 : i / 2), "the offset 3 behind 6"),
        slice("coded", it -> codes(it, 1, it.dictionary()), "another code than 0 for a null"),
        slice(
            "coded",
            it -> codes(it, 3, it.dictionary()),
            "the code 3 but its dictionary has 3 values"),
        slice(
            "coded",
            it -> codes(it, -1, it.dictionary()),
            "the code -1 but its dictionary has 3 values"),
        slice(
            "list",
            it -> offsets(it, i -> i),
            "elements to a list that is null, row 0 of the slice"),
        slice(
            "part",
            it -> children(it, ints(it.rowCount())),
            "field 'a' to a struct that is null, row 0 of the slice"));
  }

  private static Mistake next(IntBinaryOperator wrong) {
    return new Mistake() {
      @Override
      public int next(int maxRows, int right) {
        return wrong.applyAsInt(maxRows, right);
      }
    };
  }

  private static Mistake metadata(UnaryOperator<OddFormat.Metadata> wrong) {
    return new Mistake() {
      @Override
      public FileMetadata metadata(FileMetadata right) {
        return wrong.apply((OddFormat.Metadata) right);
      }
    };
  }

  static List<Arguments> formats() {
    return List.of(
        Arguments.of(
            next((max, _) -> max + 5),
            "$Reader returned 6 from next(1) but expected a number in [0, 1]",
            "row 0]"),
        Arguments.of(
            next((_, _) -> -1),
            "$Reader returned -1 from next(1) but expected a number in [0, 1]",
            "row 0]"),
        Arguments.of(
            next((_, _) -> 0), "$Reader returned 0 from next(1) but expected a row, as", "row 0]"),
        Arguments.of(
            new Mistake() {
              @Override
              public SliceReader reader(SliceReader right) {
                return null;
              }
            },
            "OddFormat returned null from openReader()",
            "a.odd]"),
        Arguments.of(metadata(_ -> null), "OddFormat returned null from readMetadata()", "a.odd]"),
        Arguments.of(
            metadata(it -> new OddFormat.Metadata(new Mistake(), null, it.rowGroups(), 100)),
            "$Metadata returned null from schema()",
            "a.odd]"),
        Arguments.of(
            metadata(it -> new OddFormat.Metadata(new Mistake(), it.schema(), null, 100)),
            "$Metadata returned null from rowGroups()",
            "a.odd]"),
        Arguments.of(
            metadata(it -> new OddFormat.Metadata(new Mistake(), it.schema(), it.rowGroups(), 99)),
            "$Metadata returned 99 from rowCount() but its row groups have 100 rows",
            "a.odd]"),
        Arguments.of(
            metadata(it ->
                new OddFormat.Metadata(
                    new Mistake(), it.schema(), List.of(new RowGroup(-1, 0)), 99)),
            "OddFormat threw java.lang.IllegalArgumentException: Rows and bytes of a row group must"
                + " not be negative, got -1 and 0 from readMetadata()",
            "a.odd]"));
  }

  private static Mistake stated(UnaryOperator<ColumnStatistics> wrong) {
    return new Mistake() {
      @Override
      public ColumnStatistics statistics(String column, ColumnStatistics right) {
        boolean isFirstGroup = right.valueCount().equals(OptionalLong.of(60));
        return column.equals("x") && isFirstGroup ? wrong.apply(right) : right;
      }
    };
  }

  private static ColumnStatistics stated(long count, long nulls, Object lower, Object upper) {
    return new ColumnStatistics(
        OptionalLong.of(count),
        OptionalLong.of(nulls),
        NONE,
        new Bound((Comparable<?>) lower, true),
        new Bound((Comparable<?>) upper, true));
  }

  static List<Arguments> statistics() {
    String place = "row group 0, column 'x'";
    return List.of(
        Arguments.of(stated(_ -> null), "$Metadata returned null from statistics()", "a.odd]"),
        Arguments.of(
            stated(_ -> stated(60, 12, 0L, 9L)),
            "stated a bound of the class Long but expected Double",
            place),
        Arguments.of(
            stated(_ -> stated(61, 12, 0.5, 49.5)),
            "stated 61 values but the row group has 60 rows",
            place),
        Arguments.of(
            stated(_ -> stated(60, 12, 2.5, 29.5)),
            "gave a value below the lower bound 2.5 of the statistics",
            place + ", row 1]"),
        Arguments.of(
            stated(_ -> stated(60, 12, 0.5, 8.0)),
            "gave a value above the upper bound 8.0 of the statistics",
            place + ", row 17]"),
        Arguments.of(stated(_ -> stated(60, 11, 0.5, 29.5)), "stated 11 nulls but gave 12", place),
        Arguments.of(
            stated(it ->
                new ColumnStatistics(
                    it.valueCount(), it.nullCount(), OptionalLong.of(1), it.lower(), it.upper())),
            "stated 1 NaN but gave 0",
            place),
        Arguments.of(
            pages(new PageStatistics(0, 59, ColumnStatistics.UNKNOWN)),
            "returned pages of 59 rows but the row group has 60",
            place),
        Arguments.of(
            pages(new PageStatistics(1, 59, ColumnStatistics.UNKNOWN)),
            "returned a page from row 1 but expected row 0",
            place),
        Arguments.of(pages((PageStatistics) null), "null from pageStatistics()", "a.odd]"));
  }

  private static Mistake pages(PageStatistics wrong) {
    return new Mistake() {
      @Override
      public List<PageStatistics> pages(String column, List<PageStatistics> right) {
        List<PageStatistics> pages = new ArrayList<>();
        pages.add(wrong);
        return column.equals("x") ? pages : right;
      }
    };
  }

  private static StructuredDataset dataset(Mistake mistake) {
    return new StructuredDataset(mistake.location().replace("/a.odd", ""));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource({"slices", "formats"})
  void brokenRuleIsNamed(Mistake mistake, String rule, String place) {
    Failure.of(dataset(mistake), OPTIONS)
        .hasMessageContaining(rule)
        .hasMessageContaining(place)
        .hasMessageContaining("org.example.Odd");
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource({"rowsOfSlices", "statistics"})
  void brokenRuleIsNamedWhereAllIsChecked(Mistake mistake, String rule, String place) {
    assertThatThrownBy(() -> rows(dataset(mistake).checked(true)))
        .hasMessageContaining(rule)
        .hasMessageContaining(place)
        .hasMessageContaining("org.example.OddFormat");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, -1000})
  void skipThatSkipsTooFewRowsIsNamed(long fewer) {
    Mistake mistake =
        new Mistake() {
          @Override
          public long skip(long right) {
            return Math.max(0, right + fewer);
          }
        };
    StructuredDataset last = dataset(mistake).where("id >= 95 or id < 5").columns("flag");
    assertThatThrownBy(() -> rows(last))
        .hasMessageContaining("skip() has to skip as many rows as it is told");
  }

  private static long rows(StructuredDataset dataset) {
    long rows = 0;
    try (DataLoader loader = DataLoader.of(dataset, OPTIONS);
        EpochIterator<Batch> epoch = loader.iterator()) {
      while (epoch.hasNext()) {
        try (Batch batch = epoch.next()) {
          rows += batch.rowCount();
        }
      }
    }
    return rows;
  }

  @Test
  void rightFormatIsReadWithAllChecks() {
    assertThat(rows(dataset(new Mistake()).checked(true))).isEqualTo(100);
  }

  @Test
  void readerThatCannotBeClosedIsLogged() {
    Mistake mistake =
        new Mistake() {
          @Override
          public void closeReader() {
            throw new IllegalArgumentException("no");
          }
        };
    assertThat(Logged.during(() -> assertThat(rows(dataset(mistake))).isEqualTo(100)))
        .contains("org.example.OddFormat$Reader threw java.lang.IllegalArgumentException: no")
        .contains("/t/a.odd]");
  }
}
