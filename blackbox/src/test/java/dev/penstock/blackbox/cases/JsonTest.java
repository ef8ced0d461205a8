package dev.penstock.blackbox.cases;

import static dev.penstock.blackbox.cases.ReadText.error;
import static dev.penstock.blackbox.cases.ReadText.rows;
import static dev.penstock.tck.Values.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.RowDataset;
import dev.penstock.StructuredDataset;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.testing.Seeded;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files of JSON as people write them: what their columns are, and what is an error.
class JsonTest extends OwnFolder {
  @Test
  void typesAreToldFromTheValuesAndMissingFieldsAreNull() throws IOException {
    StructuredDataset dataset =
        file(
            "a.jsonl",
            """
            {"i":1,"f":1,"m":1,"b":true,"d":"2001-01-31","l":[1,2.5],"s":{"x":"a"},"e":[],"n":null}
            {"f":2.5,"m":"two","s":{"y":[{"z":1}]},"e":[]}
            {"i":-3,"m":{"k":[1, 2]},"l":[null]}
            """);
    assertThat(dataset.schema().toString())
        .isEqualTo(
            "[i: int64, f: float64, m: string, b: bool, d: date, l: list<float64>,"
                + " s: struct<x: string, y: list<struct<z: int64>>>, e: list<string>, n: string]");
    Map<String, Object> first = new java.util.LinkedHashMap<>();
    first.put("x", "a");
    first.put("y", null);
    List<List<Object>> rows = rows(dataset);
    assertThat(rows.get(0))
        .isEqualTo(
            row(
                1L,
                1.0,
                "1",
                true,
                LocalDate.of(2001, 1, 31),
                List.of(1.0, 2.5),
                first,
                List.of(),
                null));
    assertThat(rows.get(1).subList(0, 6)).isEqualTo(row(null, 2.5, "two", null, null, null));
    assertThat(rows.get(1).get(6).toString()).isEqualTo("{x=null, y=[{z=1}]}");
    assertThat(rows.get(2))
        .isEqualTo(
            row(-3L, null, "{\"k\":[1, 2]}", null, null, row((Object) null), null, null, null));
    assertThat(rows(dataset.columns("s.y", "s.x", "i")).get(1).toString())
        .isEqualTo("[[{z=1}], null, null]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a.json|[{\"a\":1},{\"a\":2}]",
        "a.json| [ {\"a\" : 1 } , ~ {\"a\":2} ] ~",
        "a.json|{\"a\":1}{\"a\":2}",
        "a.json|{\"a\":1}~{\"a\":2}~",
        "a.jsonl|{\"a\":1}~{\"a\":2}",
        "a.ndjson|~{\"a\":1}^~~{\"a\":2}~~",
      })
  void recordsAreWrittenInSeveralWays(String name, String text) throws IOException {
    StructuredDataset dataset = file(name, text.replace('~', '\n').replace('^', '\r'));
    for (String size : new String[] {"1", "1000000"}) {
      assertThat(rows(dataset.formatOption("row-group-bytes", size)))
          .containsExactly(row(1L), row(2L));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a.jsonl|{\"a\":1}~{\"a\":2,}|there is '}' but expected a string|line 2, byte 15",
        "a.jsonl|{\"a\":1}~{\"a\":2|expected ',' or '}'|line 2, byte 14",
        "a.jsonl|{\"a\":1} x~|there is 'x' but expected the end of the line|line 1, byte 8",
        "a.jsonl|{\"a\":nul}|expected a value|line 1, byte 5",
        "a.json|[{\"a\":1\"},{\"a\":2\"}]|there is '\"' but expected ',' or '}'|line 1, byte 7",
        "a.json|{\"a\":1[2}{\"a\":3]}|there is '[' but expected ',' or '}'|line 1, byte 6",
        "a.jsonl|[1]~|there is '[' but expected '{'|line 1, byte 0",
        "a.jsonl|{\"a\":\"x~\"}|expected a '\"' that ends the string|line 1, byte 7",
        "a.jsonl|{\"a\":1,\"a\":2}|field 'a' is there twice|line 1, byte 8",
        "a.jsonl|{\"a\":\"\\ud800\"}|an escape is half of a character|line 1, byte 6",
        "a.jsonl|{\"a\":\"\\x\"}|there is no such escape|line 1, byte 6",
        "a.json|[{\"a\":1}|the array of objects is never closed|line 1, byte 8",
        "a.json|[{\"a\":1},~{\"a\":|an object is opened here but never closed|line 2, byte 10",
        "a.json|[{\"a\":1}] x|neither an object nor what separates objects|line 1, byte 10",
        "a.json|{\"a\":1} 5|neither an object nor what separates objects|line 1, byte 8",
      })
  void whatIsNoJsonNamesFileLineAndByte(String name, String text, String message, String place)
      throws IOException {
    assertThat(error(file(name, text.replace('~', '\n')).cast("a", DataType.string())))
        .contains(message)
        .endsWith("[" + path + "/" + name + ", " + place + "]");
  }

  @Test
  void linesThatAreNoneOfJsonLinesSayWhatTheyMayBe() throws IOException {
    String json =
        "An array, or objects over several lines, are format 'json': state it with format().";
    assertThat(error(file("array.jsonl", "[{\"a\":1},\n{\"a\":2}]\n"))).contains(json);
    assertThat(error(file("pretty.jsonl", "{\n \"a\":1\n}\n"))).contains(json);
    assertThat(error(file("broken.jsonl", "{\"a\":1}}\n"))).doesNotContain(json);
    byte[] latin = "{\"a\":\"café\"}\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(error(file("latin.jsonl", latin)))
        .contains(
            "'caf\ufffd' is not UTF-8 from its byte 3 on, 0xe9. State the encoding if it is another,"
                + " for example format option 'encoding'");
    String late = "{\"a\":\"" + "a whale ".repeat(1_000) + "\u00e9\"}\n";
    assertThat(error(file("late.jsonl", late.getBytes(StandardCharsets.ISO_8859_1))))
        .contains("a whale a wh...' is not UTF-8 from its byte 8000 on, 0xe9")
        .endsWith("late.jsonl, line 1, byte 6]");
  }

  @Test
  void whatTheSampleHasNotSeenIsAnErrorThatSaysWhatToDo() throws IOException {
    StringBuilder text = new StringBuilder();
    text.repeat("{\"a\":1}\n", 20_000);
    StructuredDataset other = file("a.jsonl", text + "{\"a\":1,\"b\":2}\n");
    assertThat(error(other))
        .startsWith("Corrupt JSON: field 'b' is not in the sample. Set format option 'sample-rows'")
        .contains("line 20001");
    assertThat(rows(other.formatOption("unknown", "ignore"))).hasSize(20_001);
    assertThat(rows(other.formatOption("sample-rows", "30000")).getLast()).isEqualTo(row(1L, 2L));
    Schema stated =
        Schema.of(
            List.of(
                new Field("b", DataType.int32(), true), new Field("a", DataType.int8(), false)));
    assertThat(rows(other.schemaFrom(stated)).getLast()).isEqualTo(row(2, 1));
    assertThat(error(file("b.jsonl", text + "{\"a\":1.5}\n")))
        .startsWith("Cannot read column 'a' as int64: '1.5' is no such value.")
        .contains("line 20001");
    assertThat(error(file("c.jsonl", text + "{\"a\":\"1\"}\n"))).contains("'1' is a string");
    assertThat(error(file("d.jsonl", text + "{}\n").schemaFrom(stated)))
        .contains("Cannot read column 'a': it is null before here but was stated not to be.");
  }

  @Test
  void filesMayLackFieldsThatOthersHave() throws IOException {
    file("1.jsonl", "{\"a\":1}\n");
    file("2.jsonl", "{\"b\":\"x\",\"a\":2.5}\n");
    file("3.jsonl", "");
    StructuredDataset dataset = new StructuredDataset(path.toString());
    assertThat(dataset.schema().toString()).isEqualTo("[a: float64, b: string]");
    assertThat(rows(dataset)).containsExactly(row(1.0, null), row(2.5, "x"));
    assertThat(rows(dataset.missingColumns(MissingColumns.nulls().withDefault("b", "none"))))
        .containsExactly(row(1.0, "none"), row(2.5, "x"));
  }

  @Test
  void objectsAreReadAsMapsWhereThatIsStated() throws IOException {
    StructuredDataset dataset =
        file("a.jsonl", "{\"m\":{\"x\":1,\"\\u00df\":null}}\n{\"m\":{}}\n{}\n{\"m\":{\"y\":-2}}\n");
    DataType map = new DataType.Map(DataType.string(), DataType.int64(), true);
    StructuredDataset stated = dataset.schemaFrom(Schema.of(List.of(new Field("m", map, true))));
    assertThat(rows(stated).toString()).isEqualTo("[[[x=1, \u00df=null]], [[]], [null], [[y=-2]]]");
    assertThat(error(file("b.jsonl", "{\"m\":{\"x\":1,\"x\":2}}\n").schemaFrom(stated.schema())))
        .contains("field 'x' is there twice");
    assertThat(error(file("c.jsonl", "{\"m\":[1]}\n").schemaFrom(stated.schema())))
        .contains("Cannot read column 'm' as map<string, int64>: '[1]' is no object");
    DataType numbered = new DataType.Map(DataType.int64(), DataType.int64(), true);
    assertThat(error(dataset.schemaFrom(Schema.of(List.of(new Field("m", numbered, true))))))
        .contains("map<int64, int64>");
  }

  @Test
  void deepNestingIsRefused() throws IOException {
    String deep = "[".repeat(100) + "]".repeat(100);
    assertThat(error(file("a.jsonl", "{\"a\":" + deep + "}")))
        .startsWith("Corrupt JSON: values are nested deeper than 64.");
    StringBuilder text = new StringBuilder();
    text.repeat("{\"a\":\"x\"}\n", 20_000);
    assertThat(error(file("b.jsonl", text + "{\"a\":" + "[".repeat(100_000) + "}")))
        .startsWith("Corrupt JSON: values are nested deeper than 64.");
  }

  @Test
  void stringsMayHaveAnyCharacter() throws IOException {
    String text =
        "{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00df\\ud83d\\ude00\\u0000\u00df\ud83d\ude00\"}";
    String meant = "\"\\/\b\f\n\r\t\u00df\ud83d\ude00\0\u00df\ud83d\ude00";
    assertThat(rows(file("a.jsonl", text))).containsExactly(row(meant));
    assertThat(
            rows(
                file("a.json", text.getBytes(StandardCharsets.UTF_16BE))
                    .formatOption("encoding", "utf-16")))
        .containsExactly(row(meant));
    byte[] latin = "{\"a\":\"\u00df\"}".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(error(file("b.jsonl", latin))).contains("is not UTF-8");
    assertThat(rows(file("b.jsonl", latin).formatOption("encoding", "latin-1")))
        .containsExactly(row("\u00df"));
    assertThat(error(file("c.jsonl", "{\"a\":\"x\0\"}"))).contains("Corrupt JSON");
  }

  @Test
  void namesAreReadHoweverTheyAreSpelled() throws IOException {
    String first = "{\"a\":1,\"quite_long\":2,\"quite_long_too\":3,\"\\\"q\":4,\"\":5}\n";
    String second =
        "{\"\\u0061\" : 6, \"quite_long\"\t:7,\"quite_long_too\": 8 , \"\\\"q\":9,\"\" :10}\n";
    String third = "{\"\":15,\"quite_long_too\":13,\"quite_long\":12,\"a\":11,\"\\\"q\":14}\n";
    assertThat(rows(file("a.jsonl", first + second + third)))
        .containsExactly(
            row(1L, 2L, 3L, 4L, 5L), row(6L, 7L, 8L, 9L, 10L), row(11L, 12L, 13L, 14L, 15L));
    assertThat(error(file("b.jsonl", "{\"a\":1,\"a\":2}\n"))).contains("field 'a' is there twice");
  }

  @Test
  void longLinesAreReadAndVeryLongOnesAreRefused() throws IOException {
    String word = "x".repeat(4_000_000); // many times what is read at once
    for (String name : new String[] {"a.json", "a.jsonl"}) {
      StructuredDataset dataset = file(name, "{\"a\":1}\n{\"a\":\"" + word + "\"}\n");
      assertThat(rows(dataset)).containsExactly(row("1"), row(word));
      int bytes = word.length() + 8;
      assertThat(rows(dataset.formatOption("max-record-bytes", Integer.toString(bytes + 1))))
          .containsExactly(row("1"), row(word));
      assertThat(error(dataset.formatOption("max-record-bytes", Integer.toString(bytes - 2))))
          .startsWith("Unsupported text: a record of more than 4000006 bytes. Allow more by")
          .contains("line ");
    }
  }

  @Test
  void wrongOptionsAreRefused() throws IOException {
    StructuredDataset dataset = file("a.jsonl", "{\"a\":1}");
    assertThatThrownBy(() -> dataset.formatOption("delimiter", ";").schema())
        .hasMessage(
            "Cannot use format option 'delimiter': jsonl has no such option. Options are:"
                + " [encoding, max-record-bytes, row-group-bytes, row-group-rows, sample-rows,"
                + " unknown, zstd-window-log].");
    assertThatThrownBy(() -> dataset.formatOption("unknown", "x").schema())
        .hasMessageContaining("expected error or ignore");
  }

  /// Strings of what looks like structure: what the scan counts is what the reader finds.
  @Seeded(runs = 60)
  void rowsOfAnyTextAreCountedAsTheyAreRead(Random random) throws IOException {
    boolean lines = random.nextBoolean();
    boolean array = !lines && random.nextBoolean();
    StringBuilder text = new StringBuilder(array ? "[" : "");
    List<List<Object>> expected = new ArrayList<>();
    for (int i = random.nextInt(60); i >= 0; i--) {
      StringBuilder value = new StringBuilder();
      for (int length = random.nextInt(12); length > 0; length--) {
        value.append("ab\"{}[],:\\ß".charAt(random.nextInt(11)));
      }
      expected.add(row(value.toString()));
      text.append(expected.size() == 1 || !array ? "" : ",")
          .append("{\"a\":\"")
          .append(value.toString().replace("\\", "\\\\").replace("\"", "\\\""))
          .append("\"}")
          .append(lines ? "\n" : "");
    }
    byte[] bytes = text.append(array ? "]" : "").toString().getBytes(StandardCharsets.UTF_8);
    if (random.nextInt(3) == 0) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (OutputStream out = new GZIPOutputStream(packed)) {
        out.write(bytes);
      }
      bytes = packed.toByteArray();
    }
    StructuredDataset dataset =
        file(lines ? "a.jsonl" : "a.json", bytes)
            .cast("a", DataType.string())
            .formatOption("row-group-bytes", Integer.toString(1 + random.nextInt(200)));
    assertThat(rows(dataset)).isEqualTo(expected);
    assertThat(rows(dataset.splitRows(1 + random.nextInt(9)))).isEqualTo(expected);
  }

  @Seeded(runs = 60)
  void linesOfBlanksAreNoRows(Random random) throws IOException {
    StringBuilder text = new StringBuilder();
    List<List<Object>> expected = new ArrayList<>();
    int lines = 1 + random.nextInt(60);
    for (int i = 0; i < lines; i++) {
      for (int blanks = random.nextInt(3) * random.nextInt(12); blanks > 0; blanks--) {
        text.append(random.nextBoolean() ? ' ' : '\t');
      }
      if (i == 0 || random.nextInt(3) > 0) {
        text.append("{\"a\": ").append(i).append('}').append(" ".repeat(random.nextInt(4)));
        expected.add(row((long) i));
      }
      boolean isLast = i + 1 == lines && random.nextBoolean();
      text.append(isLast ? "" : random.nextInt(4) == 0 ? "\r\n" : "\n");
    }
    StructuredDataset dataset =
        file("blanks.jsonl", text.toString())
            .formatOption("row-group-bytes", Integer.toString(1 + random.nextInt(100)));
    assertThat(rows(dataset)).isEqualTo(expected);
    assertThat(rows(dataset.splitRows(1 + random.nextInt(9)))).isEqualTo(expected);
    try (RowDataset rows = dataset.openRows("1")) {
      int row = random.nextInt(expected.size());
      assertThat(rows.get(row)).containsEntry("a", expected.get(row).getFirst());
    }
  }
}
