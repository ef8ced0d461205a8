package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.StructuredDataset;
import dev.penstock.schema.DataType;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.SchemaFrom;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Columns of the type null, as pyarrow and fastavro wrote them (`nulls/make.py`): other files tell
/// the type.
class NullColumnsTest {
  @TempDir Path folder;

  /// Returns a dataset of some of the files, in the order given.
  private StructuredDataset files(String ending, Object... names) throws IOException {
    List<String> paths = new ArrayList<>();
    for (Object file : names) {
      String name = "/nulls/" + file + ending;
      Path path = folder.resolve(paths.size() + ending);
      try (InputStream bytes = Objects.requireNonNull(getClass().getResourceAsStream(name))) {
        Files.copy(bytes, path, StandardCopyOption.REPLACE_EXISTING);
      }
      paths.add(path.toString());
    }
    return new StructuredDataset(paths.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {".parquet", ".arrow", ".avro"})
  void anyFileWithValuesTellsTheType(String ending) throws IOException {
    StructuredDataset dataset = files(ending, 0, 1, 2);
    assertThat(dataset.schema())
        .hasToString("[i: int64, s: string, n: float64, x: int32, st: struct<a: int64>]");
    assertThat(ReadText.rows(dataset))
        .containsExactly(
            Arrays.asList(0L, null, null, null, null),
            Arrays.asList(1L, null, null, null, null),
            Arrays.asList(2L, "a", 0.5, null, Map.of("a", 7L)),
            Arrays.asList(3L, null, 1.5, null, Map.of("a", 8L)),
            Arrays.asList(4L, null, 2.5, null, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {".parquet", ".arrow", ".avro"})
  void orderOfFilesDoesNotMatter(String ending) throws IOException {
    StructuredDataset dataset = files(ending, 1, 2, 0).columns("st", "n", "s", "i");
    assertThat(dataset.schema())
        .hasToString("[st: struct<a: int64>, n: float64, s: string, i: int64]");
    assertThat(ReadText.rows(dataset.where("st.a is null and i >= 1")))
        .containsExactly(Arrays.asList(null, 2.5, null, 4L), Arrays.asList(null, null, null, 1L));
    assertThat(ReadText.rows(dataset.columns("st.a").where("s = 'a'")))
        .containsExactly(List.of(7L));
  }

  @ParameterizedTest
  @ValueSource(strings = {".parquet", ".arrow", ".avro"})
  void castsAndSchemasDecideBeforeFiles(String ending) throws IOException {
    StructuredDataset dataset = files(ending, 0, 1).columns("x", "s");
    assertThat(dataset.cast("x", DataType.string()).schema()).hasToString("[x: string, s: string]");
    assertThat(dataset.schemaFrom(SchemaFrom.FIRST).schema()).hasToString("[x: int32, s: string]");
    assertThat(dataset.cast("s", new DataType.Binary()).schema())
        .hasToString("[x: int32, s: binary]");
    assertThat(ReadText.rows(dataset.cast("x", DataType.date())))
        .containsExactly(
            Arrays.asList(null, null),
            Arrays.asList(null, null),
            Arrays.asList(null, "a"),
            Arrays.asList(null, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {".parquet", ".arrow", ".avro"})
  void partsOfListsStructsAndMapsAreToldToo(String ending) throws IOException {
    List<String> nulls =
        List.of(
            "[[], {a=null, b=1}, [{x=null}], [k=null]]",
            "[null, null, [], []]",
            "[[null, null], {a=null, b=2}, null, null]");
    List<String> values =
        List.of(
            "[[a, null], {a=[7], b=3}, [{x=0.5}, {x=null}], [k=0.5]]",
            "[[], {a=null, b=null}, null, null]");
    for (boolean nullsFirst : new boolean[] {true, false}) {
      StructuredDataset dataset =
          nullsFirst ? files(ending, "nested0", "nested1") : files(ending, "nested1", "nested0");
      assertThat(dataset.schema())
          .hasToString(
              "[l: list<string>, st: struct<a: list<int64>, b: int64>,"
                  + " ls: list<struct<x: float64>>, m: map<string, float64>]");
      List<String> rows = new ArrayList<>(nullsFirst ? nulls : values);
      rows.addAll(nullsFirst ? values : nulls);
      assertThat(ReadText.rows(dataset).stream().map(Object::toString)).isEqualTo(rows);
      assertThat(dataset.schemaFrom(SchemaFrom.FIRST).schema()).isEqualTo(dataset.schema());
      assertThat(ReadText.rows(dataset.columns("st.a", "st.b").where("st.a is null and st.b > 1")))
          .containsExactly(Arrays.asList(null, 2L));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".parquet", ".arrow", ".avro"})
  void aloneTheyAreNumbersThatAreNull(String ending) throws IOException {
    StructuredDataset dataset = files(ending, 0).columns("s");
    assertThat(dataset.schema()).hasToString("[s: int32]");
    assertThat(ReadText.rows(dataset))
        .containsExactly(Arrays.asList((Object) null), Arrays.asList((Object) null));
  }

  @ParameterizedTest
  @ValueSource(strings = {".parquet", ".arrow", ".avro"})
  void filesWithValuesMustAgree(String ending) throws IOException {
    StructuredDataset dataset = files(ending, 0, 1, 3).missingColumns(MissingColumns.nulls());
    assertThat(dataset.columns("i", "n").schema()).hasToString("[i: int64, n: float32]");
    assertThat(ReadText.error(dataset.columns("s")))
        .isEqualTo(
            "Cannot read column 's' as one column: it is string in "
                + folder.resolve("1" + ending)
                + " but int64 in "
                + folder.resolve("2" + ending)
                + ". Cast it to one type with cast(), read other columns, leave one of the files out,"
                + " or rewrite it.");
  }
}
