package dev.penstock.blackbox.cases;

import static dev.penstock.blackbox.files.Schemas.nullable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.contract.Failure;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.blackbox.files.RowsFormat;
import dev.penstock.format.LossyCastException;
import dev.penstock.format.SchemaMismatchException;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.schema.SchemaFrom;
import dev.penstock.tck.Values;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// What the files of a dataset may differ in, and what the user may do about it: each rule with
/// files that keep it and files that do not.
class SchemaRulesTest extends OwnFolder {
  private static final DataType UINT32 = new DataType.Int(32, false);
  private static final DataType UINT64 = new DataType.Int(64, false);
  private static final DataType UINT8 = new DataType.Int(8, false);

  /// Writes the next file, of one column `c`.
  private Path file(DataType type, Object... values) throws IOException {
    return file(
        Schema.of(List.of(new Field("c", type, true))),
        Arrays.stream(values).map(Collections::singletonList).toList());
  }

  private int count;

  private Path file(Schema schema, List<List<Object>> rows) throws IOException {
    return folder.write("part-" + count++ + ".parquet", schema, rows);
  }

  /// Reads all rows, with several numbers of workers.
  private static List<List<Object>> rows(StructuredDataset dataset) {
    List<List<Object>> first = null;
    for (int workers : new int[] {0, 1, 2}) {
      LoaderOptions options =
          Folder.options()
              .workers(workers)
              .batchSize(3)
              .nulls(NullPolicy.mask())
              .output(OutputFormat.MAP);
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        List<List<Object>> rows = Delivery.ofEpoch(loader).rows();
        assertThat(first == null ? rows : first).isEqualTo(rows);
        first = rows;
      }
    }
    return first;
  }

  private static List<Object> values(StructuredDataset dataset) {
    return rows(dataset).stream().map(List::getFirst).toList();
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> failure(
      StructuredDataset dataset) {
    return Failure.of(dataset, Folder.options().nulls(NullPolicy.mask()));
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> mismatch(
      StructuredDataset dataset) {
    return failure(dataset).hasCauseInstanceOf(SchemaMismatchException.class);
  }

  @Nested
  class Widening {
    private DataType wider(DataType a, DataType b) throws IOException {
      folder = new Folder(path.resolve("pair-" + count));
      file(a);
      file(b);
      DataType both = folder.dataset().schema().fields().getFirst().type();
      folder = new Folder(path.resolve("pair-" + count));
      file(b);
      file(a);
      assertThat(folder.dataset().schema().fields().getFirst().type()).isEqualTo(both);
      return both;
    }

    @Test
    void numbersBecomeTheNarrowestThatHoldsBoth() throws IOException {
      assertThat(wider(DataType.int8(), DataType.int64())).isEqualTo(DataType.int64());
      assertThat(wider(UINT32, DataType.int64())).isEqualTo(DataType.int64());
      assertThat(wider(UINT32, DataType.int32())).isEqualTo(DataType.int64());
      assertThat(wider(UINT8, DataType.int8())).isEqualTo(DataType.int16());
      assertThat(wider(UINT8, UINT64)).isEqualTo(UINT64);
      assertThat(wider(DataType.float16(), DataType.float32())).isEqualTo(DataType.float32());
      assertThat(wider(DataType.float32(), DataType.float64())).isEqualTo(DataType.float64());
      assertThat(wider(new DataType.Decimal(9, 2), new DataType.Decimal(8, 5)))
          .isEqualTo(new DataType.Decimal(12, 5));
      assertThat(wider(new DataType.Decimal(30, 0), new DataType.Decimal(9, 9)))
          .isEqualTo(new DataType.Decimal(39, 9));
    }

    @Test
    void timesTakeTheFinerUnit() throws IOException {
      assertThat(
              wider(
                  new DataType.Timestamp(TimeUnit.MILLIS, true),
                  new DataType.Timestamp(TimeUnit.NANOS, true)))
          .isEqualTo(new DataType.Timestamp(TimeUnit.NANOS, true));
      assertThat(
              wider(
                  new DataType.Time(TimeUnit.MILLIS, false),
                  new DataType.Time(TimeUnit.MICROS, false)))
          .isEqualTo(new DataType.Time(TimeUnit.MICROS, false));
    }

    private void refused(DataType a, DataType b) throws IOException {
      folder = new Folder(path.resolve("pair-" + count));
      Path first = file(a);
      Path second = file(b);
      mismatch(folder.dataset())
          .hasMessage(
              "Cannot read column 'c' as one column: it is %s in %s but %s in %s. Cast it to one"
                      .formatted(a, first, b, second)
                  + " type with cast(), read other columns, leave one of the files out, or rewrite"
                  + " it.");
    }

    @Test
    void whatHasNoTypeInCommonIsRefusedWithBothTypesAndFiles() throws IOException {
      refused(UINT64, DataType.int8());
      refused(DataType.int32(), DataType.float64());
      refused(DataType.string(), new DataType.Binary());
      refused(DataType.date(), new DataType.Timestamp(TimeUnit.MILLIS, false));
      refused(
          new DataType.Timestamp(TimeUnit.MILLIS, false),
          new DataType.Timestamp(TimeUnit.MILLIS, true));
      refused(new DataType.FixedBinary(4), new DataType.FixedBinary(5));
      refused(DataType.bool(), DataType.int8());
    }

    @Test
    void theFileThatDisagreesIsNamedNotTheFirst() throws IOException {
      file(UINT8, (Integer) null);
      Path wide = file(UINT64);
      Path signed = file(DataType.int8());
      mismatch(folder.dataset())
          .hasMessageContaining("it is uint64 in " + wide + " but int8 in " + signed);
    }

    @Test
    void extremesKeepTheirValue() throws IOException {
      file(DataType.int8(), -128, 127, null);
      file(UINT32, 0L, 4294967295L);
      file(DataType.int64(), Long.MIN_VALUE, Long.MAX_VALUE);
      assertThat(values(folder.dataset()))
          .containsExactly(-128L, 127L, null, 0L, 4294967295L, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    @Test
    void floatsKeepTheirValue() throws IOException {
      file(DataType.float16(), 1f / 1024, Float.NaN, Float.NEGATIVE_INFINITY);
      file(DataType.float32(), 0.1f, Float.MIN_VALUE, -0.0f);
      file(DataType.float64(), 0.1, null);
      assertThat(values(folder.dataset()))
          .containsExactly(
              1.0 / 1024,
              Double.NaN,
              Double.NEGATIVE_INFINITY,
              (double) 0.1f,
              (double) Float.MIN_VALUE,
              -0.0,
              0.1,
              null);
    }

    @Test
    void timestampThatTheFinerUnitCannotCountIsNamedWithFileAndRow() throws IOException {
      DataType millis = new DataType.Timestamp(TimeUnit.MILLIS, true);
      DataType nanos = new DataType.Timestamp(TimeUnit.NANOS, true);
      file(nanos, Instant.EPOCH);
      Path late =
          file(
              millis,
              Instant.ofEpochMilli(Long.MAX_VALUE / 1_000_000),
              Instant.ofEpochMilli(Long.MAX_VALUE / 1_000_000 + 1));
      failure(folder.dataset())
          .hasCauseInstanceOf(LossyCastException.class)
          .hasMessage(
              "Cannot read column 'c' as timestamp[ns, UTC]: the value '9223372036855'"
                  + " (timestamp[ms, UTC]) is out of its range. Choose another type, or take the"
                  + " nearest value with castLossy(). ["
                  + late
                  + ", row 1]");
    }

    @Test
    void partsOfStructsComeInAnyOrder() throws IOException {
      Field x = new Field("x", DataType.int32(), true);
      Field y = new Field("y", DataType.int32(), true);
      file(
          nullable("s", new DataType.Struct(List.of(x, y))),
          List.of(List.of(Map.of("x", 1, "y", 2))));
      file(
          nullable("s", new DataType.Struct(List.of(y, x))),
          List.of(List.of(Map.of("x", 3, "y", 4))));
      assertThat(values(folder.dataset()).toString()).isEqualTo("[{x=1, y=2}, {x=3, y=4}]");
    }

    @Test
    void aColumnThatNobodyReadsHindersNobody() throws IOException {
      file(nullable("id", DataType.int64(), "c", DataType.string()), List.of(List.of(1L, "x")));
      file(nullable("id", DataType.int32(), "c", DataType.bool(), "d", DataType.bool()), List.of());
      assertThat(values(folder.dataset().columns("id"))).containsExactly(1L);
      mismatch(folder.dataset().columns("id", "c")).hasMessageContaining("'c'");
    }

    @Test
    void fieldsOfStructsInListsFollowTheRulesOfTheListsThemselves() throws IOException {
      Field a = new Field("a", DataType.int32(), true);
      Field wide = new Field("a", DataType.int64(), true);
      Field b = new Field("b", DataType.int32(), true);
      Field other = new Field("b", DataType.string(), true);
      file(
          new DataType.List(new DataType.Struct(List.of(a, b)), true),
          List.of(Map.of("a", 1, "b", 2)));
      file(
          new DataType.List(new DataType.Struct(List.of(other, wide)), true),
          List.of(Map.of("a", 3L, "b", "x"), Map.of("a", 4L, "b", "y")));
      assertThat(values(folder.dataset().columns("c[].a")))
          .containsExactly(List.of(1L), List.of(3L, 4L));
      assertThat(values(folder.dataset().caseSensitive(false).columns("C[].A")))
          .containsExactly(List.of(1L), List.of(3L, 4L));
      mismatch(folder.dataset().columns("c[].b"))
          .hasMessageContaining("column 'c.b' as one column");
      mismatch(folder.dataset().columns("c")).hasMessageContaining("column 'c.b' as one column");
    }

    @Test
    void castsOfStructsInListsTakeBothOfTheirPaths() throws IOException {
      file(
          new DataType.List(
              new DataType.Struct(List.of(new Field("a", DataType.float64(), true))), true),
          List.of(Map.of("a", 1.0), Map.of("a", 2.5)));
      for (String path : List.of("c.a", "c[].a")) {
        StructuredDataset lossy = folder.dataset().castLossy(path, DataType.int32());
        assertThat(values(lossy.columns("c[].a"))).containsExactly(List.of(1, 2));
        assertThat(values(lossy).toString()).isEqualTo("[[{a=1}, {a=2}]]");
        failure(folder.dataset().cast(path, DataType.int32()).columns("c[].a"))
            .hasMessageContaining(
                "Cannot read column 'c[].a' as list<int32>: the value '2.5' (float64)");
      }
    }

    @Test
    void aPartThatNobodyReadsHindersNoOther() throws IOException {
      Field a = new Field("a", DataType.int32(), true);
      Field wide = new Field("a", DataType.int64(), true);
      Field b = new Field("b", DataType.int32(), true);
      Field other = new Field("b", DataType.string(), true);
      Field c = new Field("c", DataType.bool(), true);
      file(
          nullable("s", new DataType.Struct(List.of(a, b))),
          List.of(List.of(Map.of("a", 1, "b", 2))));
      file(
          nullable("s", new DataType.Struct(List.of(other, wide, c))),
          List.of(List.of(Map.of("a", 3L, "b", "x", "c", true))));
      assertThat(values(folder.dataset().columns("s.a"))).containsExactly(1L, 3L);
      mismatch(folder.dataset().columns("s.b")).hasMessageContaining("column 's.b' as one column");
      mismatch(folder.dataset().columns("s.c")).hasMessageContaining("column 's.c' as one column");
      mismatch(folder.dataset().columns("s")).hasMessageContaining("column 's.b' as one column");
      mismatch(folder.dataset()).hasMessageContaining("column 's.b' as one column");
      mismatch(folder.dataset().columns("s.a").where("s.c is null"))
          .hasMessageContaining("column 's.c' as one column");
    }
  }

  @Nested
  class FromTheFirstFile {
    @Test
    void laterColumnsAreLeftOut() throws IOException {
      file(DataType.int64(), 1L);
      file(nullable("d", DataType.string(), "c", DataType.int32()), List.of(List.of("x", 2)));
      StructuredDataset dataset = folder.dataset().schemaFrom(SchemaFrom.FIRST);
      assertThat(rows(dataset)).containsExactly(List.of(1L), List.of(2L));
      mismatch(folder.dataset()).hasMessageContaining("'d'");
    }

    @Test
    void laterFilesMustFit() throws IOException {
      Path first = file(DataType.int32(), 1);
      Path second = file(DataType.int64(), 2L);
      mismatch(folder.dataset().schemaFrom(SchemaFrom.FIRST))
          .hasMessageContaining("it is int32 in " + first + " but int64 in " + second + ".");
      assertThat(values(folder.dataset())).containsExactly(1L, 2L);
    }
  }

  @Nested
  class Given {
    @Test
    void columnsComeAsGiven() throws IOException {
      file(
          nullable("a", DataType.int8(), "b", DataType.string(), "c", DataType.float32()),
          List.of(List.of(1, "x", 0.5f)));
      Schema wanted = nullable("c", DataType.float64(), "a", DataType.int32());
      StructuredDataset dataset = folder.dataset().schemaFrom(wanted);
      assertThat(dataset.schema()).isEqualTo(wanted);
      assertThat(rows(dataset)).containsExactly(List.of(0.5, 1));
    }

    @Test
    void widerFilesAndMissingColumnsAreRefused() throws IOException {
      Path file = file(DataType.int64(), 1L);
      mismatch(folder.dataset().schemaFrom(nullable("c", DataType.int32())))
          .hasMessageContaining("it is int32 in the schema given but int64 in " + file + ".");
      mismatch(folder.dataset().schemaFrom(nullable("c", DataType.int64(), "d", DataType.int64())))
          .hasMessage(
              "Cannot read column 'd' as one column: the schema given has it but "
                  + file
                  + " has not. Allow missing columns with missingColumns(), leave the column out of"
                  + " columns, leave one of the files out, or rewrite it.");
    }
  }

  @Nested
  class Missing {
    private final DataType whole =
        new DataType.Struct(
            List.of(
                new Field("x", DataType.int32(), true), new Field("y", DataType.string(), true)));
    private final DataType part =
        new DataType.Struct(List.of(new Field("x", DataType.int8(), true)));

    @Test
    void columnsAndPartsAreNull() throws IOException {
      file(
          nullable(
              "c", DataType.int32(), "s", whole, "l", new DataType.List(DataType.float32(), false)),
          List.of(List.of(1, Map.of("x", 2, "y", "z"), List.of(0.5f))));
      file(nullable("s", part), List.of(List.of(Map.of("x", 3)), Collections.singletonList(null)));
      List<List<Object>> rows = rows(folder.dataset().missingColumns(MissingColumns.nulls()));
      assertThat(rows.get(0)).isEqualTo(List.of(1, Map.of("x", 2, "y", "z"), List.of(0.5f)));
      assertThat(rows.get(1).get(0)).isNull();
      assertThat(rows.get(1).get(1).toString()).isEqualTo("{x=3, y=null}");
      assertThat(rows.get(1).get(2)).isNull();
      assertThat(rows.get(2)).containsExactly(null, null, null);
    }

    @Test
    void aPartIsNamedByItsPath() throws IOException {
      Path has = file(nullable("s", whole), List.of());
      Path lacks = file(nullable("s", part), List.of());
      mismatch(folder.dataset())
          .hasMessage(
              "Cannot read column 's.y' as one column: %s has it but %s has not. Allow missing"
                      .formatted(has, lacks)
                  + " columns with missingColumns(), leave the column out of columns, leave one of"
                  + " the files out, or rewrite it.");
    }

    @Test
    void aMissingPartCanBeReadByItself() throws IOException {
      file(nullable("s", whole), List.of(List.of(Map.of("x", 2, "y", "z"))));
      file(nullable("s", part), List.of(List.of(Map.of("x", 3))));
      StructuredDataset dataset =
          folder.dataset().missingColumns(MissingColumns.nulls()).columns("s.y", "s.x");
      assertThat(rows(dataset)).containsExactly(List.of("z", 2), Arrays.asList(null, 3));
    }

    @Test
    void aMissingFieldOfStructsInListsIsNullInEach() throws IOException {
      DataType deep =
          new DataType.Struct(List.of(new Field("in", new DataType.List(whole, true), true)));
      DataType bare =
          new DataType.Struct(List.of(new Field("in", new DataType.List(part, true), true)));
      List<Object> lists =
          new ArrayList<>(List.of(List.of(Map.of("x", 3), Map.of("x", 4)), List.of()));
      lists.add(null);
      file(
          nullable("c", new DataType.List(whole, true), "d", new DataType.List(deep, true)),
          List.of(
              List.of(
                  List.of(Map.of("x", 2, "y", "z")),
                  List.of(Map.of("in", List.of(Map.of("x", 2, "y", "z")))))));
      file(
          nullable("c", new DataType.List(part, true), "d", new DataType.List(bare, true)),
          lists.stream()
              .map(list -> Arrays.asList(list, List.of(Collections.singletonMap("in", list))))
              .toList());
      file(nullable("e", DataType.bool()), List.of(List.of(true)));
      StructuredDataset dataset = folder.dataset().missingColumns(MissingColumns.nulls());
      List<Object> nulls = Arrays.asList(null, null);
      assertThat(rows(dataset.columns("c[].y", "c[].x", "d[].in[].y")))
          .containsExactly(
              List.of(List.of("z"), List.of(2), List.of(List.of("z"))),
              List.of(nulls, List.of(3, 4), List.of(nulls)),
              List.of(List.of(), List.of(), List.of(List.of())),
              Arrays.asList(null, null, Collections.singletonList(null)),
              Arrays.asList(null, null, null));
    }

    @Test
    void defaultsOfEveryKindStandInTheirPlace() throws IOException {
      Schema all =
          nullable(
              "bool",
              DataType.bool(),
              "u64",
              UINT64,
              "f16",
              DataType.float16(),
              "f64",
              DataType.float64(),
              "dec",
              new DataType.Decimal(38, 2),
              "text",
              DataType.string(),
              "date",
              DataType.date(),
              "time",
              new DataType.Timestamp(TimeUnit.MICROS, false));
      List<Object> values =
          List.of(
              true,
              new BigInteger("18446744073709551615"),
              0.5f,
              Double.NaN,
              new BigDecimal("-12.30"),
              "ß",
              LocalDate.of(2001, 1, 31),
              LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_000));
      file(Schema.of(concat(new Field("id", DataType.int64(), false), all.fields())), List.of());
      file(nullable("id", DataType.int64()), Folder.ids(0, 20));
      MissingColumns missing = MissingColumns.error();
      for (int i = 0; i < values.size(); i++) {
        missing = missing.withDefault(all.names().get(i), values.get(i));
      }
      StructuredDataset dataset = folder.dataset().missingColumns(missing);
      assertThat(rows(dataset))
          .hasSize(20)
          .allSatisfy(row -> assertThat(row.subList(1, row.size())).isEqualTo(values));
    }

    private static List<Field> concat(Field first, List<Field> others) {
      List<Field> all = new ArrayList<>(List.of(first));
      all.addAll(others);
      return all;
    }

    @Test
    void aDefaultMustBeAValueOfTheColumn() throws IOException {
      file(nullable("c", DataType.int8(), "d", DataType.int64()), List.of());
      file(nullable("d", DataType.int64()), List.of());
      mismatch(folder.dataset().missingColumns(MissingColumns.error().withDefault("c", 128)))
          .hasMessage(
              "Cannot use the default of column 'c': '128' (Integer) is no value of type int8. Give"
                  + " one that is.");
      mismatch(folder.dataset().missingColumns(MissingColumns.nulls().withDefault("e", 1)))
          .hasMessage(
              "Cannot use a default for column 'e': no such column in %s. Columns are: [c, d]."
                  .formatted(folder.part(0)));
    }
  }

  @Nested
  class Casts {
    private void lost(DataType to, String value, DataType from, String reason, int row)
        throws IOException {
      failure(folder.dataset().cast("c", to))
          .hasCauseInstanceOf(LossyCastException.class)
          .hasMessage(
              "Cannot read column 'c' as %s: the value '%s' (%s) %s. Choose another type, or take the"
                      .formatted(to, value, from, reason)
                  + " nearest value with castLossy(). ["
                  + folder.part(0)
                  + ", row "
                  + row
                  + "]");
    }

    @Test
    void integersMustBeInRange() throws IOException {
      file(DataType.int64(), 127L, -128L, null, 128L);
      lost(DataType.int8(), "128", DataType.int64(), "is out of its range", 3);
      assertThat(values(folder.dataset().castLossy("c", DataType.int8())))
          .containsExactly(127, -128, null, 127);
      assertThat(values(folder.dataset().castLossy("c", UINT8))).containsExactly(127, 0, null, 128);
      lost(UINT64, "-128", DataType.int64(), "is out of its range", 1);
    }

    @Test
    void theGreatestUnsignedIntegerIsOutOfRange() throws IOException {
      BigInteger most = new BigInteger("18446744073709551615");
      file(UINT64, BigInteger.ONE, most);
      lost(DataType.int64(), most.toString(), UINT64, "is out of its range", 1);
      assertThat(values(folder.dataset().castLossy("c", DataType.int64())))
          .containsExactly(1L, Long.MAX_VALUE);
      assertThat(values(folder.dataset().castLossy("c", DataType.float64())))
          .containsExactly(1.0, 0x1p64);
      assertThat(values(folder.dataset().castLossy("c", new DataType.Decimal(19, 0))))
          .containsExactly(BigDecimal.ONE, new BigDecimal("9999999999999999999"));
    }

    @Test
    void integersMustHaveAnExactFloatingPointNumber() throws IOException {
      long odd = (1L << 53) + 1;
      file(DataType.int64(), 1L << 53, -(1L << 62), Long.MIN_VALUE, odd);
      lost(
          DataType.float64(),
          String.valueOf(odd),
          DataType.int64(),
          "has no exact counterpart in it",
          3);
      assertThat(values(folder.dataset().castLossy("c", DataType.float64())))
          .containsExactly(0x1p53, -0x1p62, -0x1p63, 0x1p53);
    }

    @Test
    void integersAreRoundedOnce() throws IOException {
      // Just above the middle of two floats, and nearer to it than any double.
      long above = (1L << 60) + (1L << 36) + 1;
      file(DataType.int64(), above, -above, above - 1, above - 2, 1L << 60);
      assertThat(values(folder.dataset().castLossy("c", DataType.float32())))
          .containsExactly((float) above, (float) -above, 0x1p60f, 0x1p60f, 0x1p60f);
      file(UINT64, Values.ofLong(UINT64, above << 3));
      assertThat(values(folder.dataset().castLossy("c", DataType.float32())).getLast())
          .isEqualTo(8 * (float) above);
    }

    @Test
    void integersFitIntoSmallFloats() throws IOException {
      file(DataType.int32(), 2048, 65504, 65536);
      lost(DataType.float16(), "65536", DataType.int32(), "is out of its range", 2);
      assertThat(values(folder.dataset().castLossy("c", DataType.float16())))
          .containsExactly(2048f, 65504f, Float.POSITIVE_INFINITY);
      assertThat(values(folder.dataset().cast("c", DataType.float32())))
          .containsExactly(2048f, 65504f, 65536f);
    }

    @Test
    void floatsAreRoundedAndKeepNaN() throws IOException {
      file(DataType.float64(), 0.1, Double.NaN, Double.NEGATIVE_INFINITY, -0.0, 1e-300, null);
      assertThat(values(folder.dataset().cast("c", DataType.float32())))
          .containsExactly(0.1f, Float.NaN, Float.NEGATIVE_INFINITY, -0.0f, 0f, null);
    }

    @Test
    void floatsMustNotBecomeInfinite() throws IOException {
      double most = Float.MAX_VALUE;
      file(DataType.float64(), Math.nextDown(0x1.ffffffp127), -0x1.ffffffp127);
      lost(
          DataType.float32(),
          String.valueOf(-0x1.ffffffp127),
          DataType.float64(),
          "is out of its range",
          1);
      assertThat(values(folder.dataset().castLossy("c", DataType.float32())))
          .containsExactly((float) most, Float.NEGATIVE_INFINITY);
    }

    @Test
    void doublesAreRoundedToHalvesOnce() throws IOException {
      // Just above the middle of two halves; as a float it would be the middle itself.
      double above = 1 + 0x1p-11 + 0x1p-40;
      file(DataType.float64(), above, 1 + 0x1p-11, -above, 65519.99999999999);
      assertThat(values(folder.dataset().cast("c", DataType.float16())))
          .containsExactly(1 + 0x1p-10f, 1f, -1 - 0x1p-10f, 65504f);
    }

    @Test
    void fractionsAreNoIntegers() throws IOException {
      file(DataType.float32(), -2f, null, 2.5f);
      lost(DataType.int32(), "2.5", DataType.float32(), "has no exact counterpart in it", 2);
      assertThat(values(folder.dataset().castLossy("c", DataType.int32())))
          .containsExactly(-2, null, 2);
    }

    @Test
    void numbersBeyondAnIntegerAndNaNAreNone() throws IOException {
      file(DataType.float64(), -0x1p63, 0x1p63);
      lost(DataType.int64(), String.valueOf(0x1p63), DataType.float64(), "is out of its range", 1);
      assertThat(values(folder.dataset().castLossy("c", DataType.int64())))
          .containsExactly(Long.MIN_VALUE, Long.MAX_VALUE);
      assertThat(values(folder.dataset().castLossy("c", UINT64)))
          .containsExactly(BigInteger.ZERO, BigInteger.TWO.pow(63));
    }

    @Test
    void naNIsNoInteger() throws IOException {
      file(DataType.float32(), Float.NaN, 1e10f);
      lost(DataType.int32(), "NaN", DataType.float32(), "is out of its range", 0);
      assertThat(values(folder.dataset().castLossy("c", DataType.int32())))
          .containsExactly(0, Integer.MAX_VALUE);
    }

    @Test
    void decimalsBecomeTheNearestNumber() throws IOException {
      file(new DataType.Decimal(18, 2), new BigDecimal("0.10"), new BigDecimal("-7.00"), null);
      assertThat(values(folder.dataset().cast("c", DataType.float32())))
          .containsExactly(0.1f, -7f, null);
      assertThat(values(folder.dataset().cast("c", DataType.float64())))
          .containsExactly(0.1, -7.0, null);
      lost(
          DataType.int8(),
          "0.10",
          new DataType.Decimal(18, 2),
          "has no exact counterpart in it",
          0);
      assertThat(values(folder.dataset().castLossy("c", DataType.int8())))
          .containsExactly(0, -7, null);
      assertThat(values(folder.dataset().cast("c", new DataType.Decimal(38, 4))))
          .containsExactly(new BigDecimal("0.1000"), new BigDecimal("-7.0000"), null);
    }

    @Test
    void integersBecomeTheNearestDecimal() throws IOException {
      DataType decimal = new DataType.Decimal(3, 1);
      file(DataType.int64(), 99L, -7L, null, 100L, Long.MIN_VALUE);
      lost(decimal, "100", DataType.int64(), "is out of its range", 3);
      assertThat(values(folder.dataset().castLossy("c", decimal)))
          .containsExactly(
              new BigDecimal("99.0"),
              new BigDecimal("-7.0"),
              null,
              new BigDecimal("99.9"),
              new BigDecimal("-99.9"));
    }

    @Test
    void wideDecimalsAreChecked() throws IOException {
      DataType wide = new DataType.Decimal(38, 1);
      file(wide, new BigDecimal("9999.9"), new BigDecimal("10000.0"));
      lost(new DataType.Decimal(5, 1), "10000.0", wide, "is out of its range", 1);
      lost(DataType.int32(), "9999.9", wide, "has no exact counterpart in it", 0);
      assertThat(values(folder.dataset().castLossy("c", new DataType.Decimal(5, 1))))
          .containsExactly(new BigDecimal("9999.9"), new BigDecimal("9999.9"));
    }

    @Test
    void timestampsAreCutToTheEarlierUnitWhenThatIsAllowed() throws IOException {
      DataType micros = new DataType.Timestamp(TimeUnit.MICROS, false);
      LocalDateTime before = LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000);
      file(micros, LocalDateTime.of(2001, 1, 1, 0, 0), before);
      DataType millis = new DataType.Timestamp(TimeUnit.MILLIS, false);
      lost(millis, "-1", micros, "has no exact counterpart in it", 1);
      assertThat(values(folder.dataset().castLossy("c", millis)))
          .containsExactly(LocalDateTime.of(2001, 1, 1, 0, 0), before.withNano(999_000_000));
      assertThat(values(folder.dataset().castLossy("c", DataType.date())))
          .containsExactly(LocalDate.of(2001, 1, 1), LocalDate.of(1969, 12, 31));
    }

    @Test
    void datesBecomeTimestamps() throws IOException {
      file(DataType.date(), LocalDate.of(1900, 1, 31), null);
      assertThat(values(folder.dataset().cast("c", new DataType.Timestamp(TimeUnit.NANOS, false))))
          .containsExactly(LocalDateTime.of(1900, 1, 31, 0, 0), null);
    }

    @Test
    void booleansBecomeNumbersAndTextBytes() throws IOException {
      file(
          nullable("a", DataType.bool(), "b", DataType.bool(), "t", DataType.string()),
          List.of(List.of(true, false, "ab"), Arrays.asList(null, true, null)));
      StructuredDataset dataset =
          folder
              .dataset()
              .cast("a", DataType.int8())
              .cast("b", DataType.float32())
              .cast("t", new DataType.Binary());
      assertThat(rows(dataset))
          .containsExactly(Arrays.asList(1, 0f, "6162"), Arrays.asList(null, 1f, null));
    }

    @Test
    void castsReconcileFiles() throws IOException {
      file(DataType.int32(), 1, 16_777_216);
      file(DataType.float64(), 0.5);
      assertThat(values(folder.dataset().cast("c", DataType.float32())))
          .containsExactly(1f, 16_777_216f, 0.5f);
    }

    @Test
    void patternsPartsAndElementsAreCastAndTheLastCastCounts() throws IOException {
      DataType struct =
          new DataType.Struct(
              List.of(
                  new Field("x", DataType.float64(), true),
                  new Field("n", DataType.string(), true)));
      file(
          nullable(
              "f_a",
              DataType.float64(),
              "f_b",
              DataType.int64(),
              "g",
              DataType.int64(),
              "s",
              struct,
              "l",
              new DataType.List(DataType.float64(), true)),
          List.of(List.of(0.5, 1L, 2L, Map.of("x", 1.5, "n", "z"), Arrays.asList(2.5, null))));
      StructuredDataset dataset =
          folder
              .dataset()
              .cast("f_?", DataType.float32())
              .cast("*.x", DataType.float32())
              .cast("l", DataType.float16())
              .cast("f_b", DataType.int8());
      assertThat(dataset.schema().fields().stream().map(each -> each.type().toString()))
          .containsExactly(
              "float32", "int8", "int64", "struct<x: float32, n: string>", "list<float16>");
      assertThat(rows(dataset))
          .containsExactly(
              List.of(0.5f, 1, 2L, Map.of("x", 1.5f, "n", "z"), Arrays.asList(2.5f, null)));
    }

    @Test
    void theRowOfAnElementIsNamed() throws IOException {
      DataType list = new DataType.List(DataType.int32(), true);
      List<Object> rows = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        rows.add(List.of(i, i == 17 ? 200 : 1));
      }
      file(list, rows.toArray());
      failure(folder.dataset().cast("c", DataType.int8()))
          .hasMessageContaining("as list<int8>: the value '200' (int32) is out of its range")
          .hasMessageContaining("[" + folder.part(0) + ", row 17]");
    }

    @Test
    void whatCannotBeCastIsRefusedWithTypeAndFile() throws IOException {
      file(
          nullable(
              "c",
              DataType.string(),
              "s",
              new DataType.Struct(List.of(new Field("x", DataType.int8(), true)))),
          List.of());
      mismatch(folder.dataset().cast("c", DataType.int32()).columns("c"))
          .hasMessage(
              "Cannot cast column 'c': it is string in %s but there is no cast from that to int32."
                      .formatted(folder.part(0))
                  + " Choose another type, or columns that can be cast.");
      mismatch(folder.dataset().cast("s", DataType.int32()).columns("s"))
          .hasMessageContaining("Cast its parts one by one, as 'column.part'.");
      mismatch(folder.dataset().cast("d*", DataType.int32()))
          .hasMessage(
              "Cannot cast column 'd*': no such column in %s. Columns are: [c, s]."
                  .formatted(folder.part(0)));
      assertThatThrownBy(() -> folder.dataset().cast(" ", DataType.int8()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Cannot cast column ' ': it has no name.");
    }

    @Test
    void rubbishUnderNullsIsNoValue() throws IOException {
      Schema schema =
          nullable(
              "i", DataType.int64(), "f", DataType.float64(), "d", new DataType.Decimal(38, 10));
      List<List<Object>> rows = new ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        rows.add(
            i % 3 == 0
                ? Arrays.asList(null, null, null)
                : List.of((long) i % 100, i / 2.0, new BigDecimal(i).setScale(10)));
      }
      new RowsFormat().write(path.resolve("a.rows"), schema, List.of(rows), new Random(5));
      StructuredDataset dataset =
          folder
              .dataset()
              .cast("i", DataType.int8())
              .cast("f", DataType.float32())
              .cast("d", DataType.int16());
      List<List<Object>> read = rows(dataset);
      for (int i = 0; i < 3000; i++) {
        assertThat(read.get(i))
            .isEqualTo(i % 3 == 0 ? Arrays.asList(null, null, null) : List.of(i % 100, i / 2f, i));
      }
    }
  }

  @Nested
  class WithoutCase {
    @Test
    void namesMatchAndTheFirstSpellingCounts() throws IOException {
      file(nullable("Id", DataType.int64(), "x", DataType.int8()), List.of(List.of(1L, 2)));
      file(nullable("X", DataType.int8(), "ID", DataType.int32()), List.of(List.of(4, 3)));
      StructuredDataset dataset = folder.dataset().caseSensitive(false);
      assertThat(dataset.schema().names()).containsExactly("Id", "x");
      assertThat(rows(dataset)).containsExactly(List.of(1L, 2), List.of(3L, 4));
      assertThat(dataset.columns("ID").schema().names()).containsExactly("ID");
      assertThat(rows(dataset.columns("X", "iD"))).containsExactly(List.of(2, 1L), List.of(4, 3L));
      assertThat(rows(dataset.cast("ID", DataType.int8()).columns("id")))
          .containsExactly(List.of(1), List.of(3));
      mismatch(folder.dataset()).hasMessageContaining("has it but");
    }

    @Test
    void twoColumnsOfOneNameAreRefused() throws IOException {
      Path file =
          file(
              nullable("id", DataType.int64(), "ID", DataType.int8(), "x", DataType.int8()),
              List.of());
      mismatch(folder.dataset().caseSensitive(false))
          .hasMessage(
              "Cannot read column 'id' without regard to case: %s has 'id' and 'ID'. Read with"
                      .formatted(file)
                  + " caseSensitive(true), or rename one.");
      assertThat(rows(folder.dataset().caseSensitive(false).columns("X"))).isEmpty();
      assertThat(rows(folder.dataset())).isEmpty();
    }
  }
}
