package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import dev.penstock.advice.Advice;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.schema.SchemaFrom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is said of files that are read in another way than their user may mean.
class ReadingWarningsTest {
  @TempDir private Path path;

  private StructuredDataset with(String name, String text) throws IOException {
    Path file = path.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return new StructuredDataset(path.toString());
  }

  private static List<String> warnings(StructuredDataset dataset) {
    return dataset.warnings().stream().map(Advice::toString).toList();
  }

  @Test
  void aLoaderHasThemFromItsFirstEpoch() throws IOException {
    StructuredDataset dataset = with("a.csv", "a;b\n1;2\n");
    LoaderOptions options = LoaderOptions.defaults().workers(0);
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThat(loader.warnings()).isEmpty();
      try (EpochIterator<Batch> _ = loader.iterator()) {
        assertThat(loader.warnings()).hasSize(1).hasToString(dataset.warnings().toString());
      }
    }
    Mixture twice = Mixture.of(dataset, 1).and(dataset.splitRows(1), 1);
    assertThat(new StructuredDataset(twice).warnings()).hasSize(1);
  }

  @Nested
  class WhenAnotherDelimiterFits {
    @ParameterizedTest
    @ValueSource(strings = {";", "\t", "|"})
    void itIsNamed(String delimiter) throws IOException {
      StructuredDataset dataset = with("a.csv", "a;b;c\n1;2;3\n\n4;5;\n".replace(";", delimiter));
      String name = delimiter.equals("\t") ? "tab" : delimiter;
      assertThat(warnings(dataset))
          .containsExactly(
              ("There is a single column, but '%s' cuts each of the first records into 3 fields."
                      + " If that separates fields, set format option 'delimiter' to '%s'. [%s]")
                  .formatted(name, name, path.resolve("a.csv")));
      assertThat(dataset.schema().size()).isEqualTo(1);
      StructuredDataset told = dataset.formatOption("delimiter", name);
      assertThat(warnings(told)).isEmpty();
      assertThat(told.schema().names()).containsExactly("a", "b", "c");
    }

    @Test
    void quotesBeforeItAreAnErrorThatNamesIt() throws IOException {
      StructuredDataset dataset = with("a.csv", "a;b\n\"1\";2\n");
      assertThatThrownBy(dataset::schema)
          .hasMessageContaining("there is ';' but expected ',' or the end of the line. If that")
          .hasMessageContaining("set format option 'delimiter' to ';'.");
    }

    @Test
    void commasInTsvAreNamed() throws IOException {
      assertThat(warnings(with("a.tsv", "a,b\n1,2\n")).getFirst()).contains("'delimiter' to ','");
    }

    @Test
    void manyFilesAreOneSentence() throws IOException {
      for (int i = 0; i < 9; i++) {
        with(i + ".csv", "a;b\n1;2\n");
      }
      assertThat(warnings(new StructuredDataset(path.toString())))
          .singleElement()
          .asString()
          .endsWith("[" + path.resolve("0.csv") + ", and 8 more]");
    }

    @Test
    void oneThatTheUserStatedIsRight() throws IOException {
      StructuredDataset dataset = with("a.csv", "a;b\n1;2\n");
      assertThat(warnings(dataset.formatOption("delimiter", ","))).isEmpty();
      assertThat(warnings(dataset.formatOption("names", "text"))).isEmpty();
      Schema one = Schema.of(dataset.schema().fields());
      assertThat(warnings(dataset.schemaFrom(one))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "text\nfirst this; then that\n",
          "text;\nfirst this\n",
          "a;b\n",
          "a;b\n1;2\n1;2;3\n",
          "a;b,c\n1;2,3\n",
          "text\n\"a;b\"\n",
        })
    void textOfOneColumnIsNoDoubt(String text) throws IOException {
      assertThat(warnings(with("a.csv", text))).isEmpty();
    }
  }

  @Nested
  class WhenJsonChangesType {
    private static final String SAYS =
        "Column '%s' is read as text: its values are %s. State what is meant with cast(). [%s]";

    @Test
    void theRowIsNamed() throws IOException {
      StructuredDataset dataset =
          with(
              "a.jsonl",
              """
              {"n": 1, "o": {"x": 1, "y": [2]}, "same": null, "f": 1, "t": "2001-01-01", "b": true}
              {"n": null, "o": {"x": {}, "y": []}, "same": 5, "f": 1.5, "t": "x", "b": 1}

              {"n": "x", "o": {"x": "a", "y": [[3]]}, "same": 6, "f": 12345678901234567890}
              {"n": 1, "o": {"x": "a", "y": [3]}, "same": 6, "f": "c"}
              """);
      Path file = path.resolve("a.jsonl");
      assertThat(warnings(dataset))
          .containsExactlyInAnyOrder(
              SAYS.formatted("b", "true or false, but that of row 1 is a number", file),
              SAYS.formatted("n", "numbers, but that of row 2 is a text", file),
              SAYS.formatted("o.x", "numbers, but that of row 2 is a text", file),
              SAYS.formatted("o.y", "numbers, but that of row 2 is an array", file),
              SAYS.formatted(
                  "f", "numbers, but that of row 2 is a whole number of more than 64 bits", file));
      assertThat(warnings(dataset.columns("same", "t"))).isEmpty();
      assertThat(warnings(dataset.columns("o.x"))).hasSize(1);
      assertThat(warnings(dataset.columns("o"))).hasSize(2);
      assertThat(warnings(dataset.cast("n", DataType.string()).columns("n"))).isEmpty();
      assertThat(warnings(dataset.schemaFrom(dataset.schema()))).isEmpty();
    }

    @Test
    void whatIsTextAsAWholeIsToldOnce() throws IOException {
      StructuredDataset dataset =
          with("a.json", "[{\"o\": {\"x\": 1}}, {\"o\": [1, \"a\"]}, {\"o\": {\"x\": \"b\"}}]");
      assertThat(warnings(dataset))
          .containsExactly(
              SAYS.formatted(
                  "o", "objects, but that of row 1 is an array", path.resolve("a.json")));
    }

    @Test
    void manyColumnsAreCounted() throws IOException {
      StringBuilder first = new StringBuilder("{\"z\":0");
      StringBuilder second = new StringBuilder("{\"z\":0");
      for (int i = 0; i < 20; i++) {
        first.append(",\"c").append(i).append("\":1");
        second.append(",\"c").append(i).append("\":\"x\"");
      }
      assertThat(warnings(with("a.jsonl", first + "}\n" + second + "}\n")))
          .hasSize(6)
          .last()
          .isEqualTo("And 15 more columns like that.");
    }

    @Test
    void filesAreCompared() throws IOException {
      with("a.jsonl", "{\"o\":{\"n\":1,\"m\":null},\"t\":\"2001-01-01\"}\n");
      with("b.jsonl", "{\"o\":{\"n\":null,\"m\":1},\"t\":\"x\"}\n");
      with("c.jsonl", "{\"o\":{\"n\":\"2\",\"m\":2}}\n");
      StructuredDataset dataset = with("d.jsonl", "{\"o\":{\"n\":\"2\",\"m\":2.5}}\n");
      assertThat(warnings(dataset))
          .containsExactly(
              ("Column 'o.n' is read as text: its values are numbers in %s, but not here. State"
                      + " what is meant with cast(). [%s, and 1 more]")
                  .formatted(path.resolve("a.jsonl"), path.resolve("c.jsonl")));
    }

    @Test
    void onlyFilesThatDecideOnTypesCount() throws IOException {
      with("a.jsonl", "{\"n\":\"1\"}\n");
      StructuredDataset dataset = with("b.jsonl", "{\"n\":1}\n{\"n\":\"1\"}\n");
      assertThat(warnings(dataset)).hasSize(1);
      assertThat(warnings(dataset.schemaFrom(SchemaFrom.FIRST))).isEmpty();
    }
  }

  @Nested
  class WhenOtherFilesAreBesideTheData {
    private StructuredDataset lake() throws IOException {
      Folder folder = new Folder(path);
      folder.counting(new int[] {3}, new int[] {2});
      with("README.md", "# Data");
      with("sub/LICENSE", "Do.");
      with("sub/.part.crc", "x");
      with("_SUCCESS", "");
      return folder.dataset();
    }

    private static long rows(StructuredDataset dataset) {
      return dataset.files().stream().mapToLong(file -> file.rows()).sum();
    }

    @Test
    void theyAreLeftOutAndNamed() throws IOException {
      StructuredDataset dataset = lake();
      assertThat(rows(dataset)).isEqualTo(5);
      assertThat(warnings(dataset))
          .containsExactly(
              "Left out files that have neither the extension nor the first bytes of a data format:"
                  + " 1 .md (README.md), 1 no extension (LICENSE). One is read where it is named"
                  + " itself, with format().");
      assertThat(warnings(dataset.format("parquet"))).isEmpty();
      StructuredDataset matched = new StructuredDataset(path + "/*");
      assertThat(rows(matched)).isEqualTo(5);
      assertThat(warnings(matched)).hasSize(1);
    }

    @Test
    void dataWithAnotherNameIsReadByItsFirstBytes() throws IOException {
      StructuredDataset dataset = lake();
      Files.move(path.resolve("part-0.parquet"), path.resolve("README"));
      assertThat(rows(dataset)).isEqualTo(5);
    }

    @Test
    void oneThatALocationNamesIsAnError() throws IOException {
      lake();
      for (String other : List.of("/README.md", "/*.md", "/sub")) {
        assertThatThrownBy(() -> new StructuredDataset(path + "/*.parquet", path + other).schema())
            .hasMessageContaining("as one dataset: found ");
        assertThatThrownBy(() -> new StructuredDataset(path + other).schema())
            .hasMessageContaining("Cannot find any data in ");
      }
    }

    @Test
    void aSecondFormatIsAnError() throws IOException {
      lake();
      assertThatThrownBy(() -> with("a.csv", "a\n1\n").schema())
          .hasMessageContaining("as one dataset: found 1 .md (README.md), 1 csv (a.csv),");
    }
  }
}
