package dev.penstock.blackbox.cases;

import static dev.penstock.blackbox.cases.ReadText.error;
import static dev.penstock.blackbox.cases.ReadText.rows;
import static dev.penstock.blackbox.files.CsvFiles.gzip;
import static dev.penstock.tck.Values.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.schema.SchemaFrom;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// CSV as people write it: what its columns are, what its options change, what is an error.
class CsvTest extends OwnFolder {
  private StructuredDataset csv(String text) throws IOException {
    return file("a.csv", text);
  }

  @Test
  void typesAreToldFromTheText() throws IOException {
    StructuredDataset dataset =
        csv(
            """
            i,f,b,d,t,u,s,n
            1,1.5,true,2001-01-31,2001-01-31T13:45:00.25,2001-01-31 13:45:00Z,x,
            -2,3,FALSE,2001-02-01,2001-02-01,2001-01-31T13:45:00+02:00,1,NA
            NA,,,,,,,
            """);
    assertThat(dataset.schema().toString())
        .isEqualTo(
            "[i: int64, f: float64, b: bool, d: date, t: timestamp[us], u: timestamp[us, UTC],"
                + " s: string, n: string]");
    assertThat(rows(dataset))
        .containsExactly(
            row(
                1L,
                1.5,
                true,
                LocalDate.of(2001, 1, 31),
                LocalDateTime.parse("2001-01-31T13:45:00.25"),
                java.time.Instant.parse("2001-01-31T13:45:00Z"),
                "x",
                null),
            row(
                -2L,
                3.0,
                false,
                LocalDate.of(2001, 2, 1),
                LocalDateTime.parse("2001-02-01T00:00"),
                java.time.Instant.parse("2001-01-31T11:45:00Z"),
                "1",
                "NA"),
            row(null, null, null, null, null, null, null, null));
  }

  /// 9999-12-31 stands for "for ever" in many databases, and is beyond nanoseconds.
  @Test
  void typeOfTimesHoldsTheWholeSample() throws IOException {
    assertThat(csv("t\n2021-03-04 05:06:07.123456\n9999-12-31 00:00:00\n").schema().toString())
        .isEqualTo("[t: timestamp[us]]");
    assertThat(csv("t\n2021-03-04 05:06:07.123456789\n2262-04-11 00:00\n").schema().toString())
        .isEqualTo("[t: timestamp[ns]]");
    assertThat(csv("t\n9999-12-31\n0001-01-01\n").schema().toString()).isEqualTo("[t: date]");
    assertThat(csv("t\n9999-12-31\n2021-03-04 05:06\n").schema().toString())
        .isEqualTo("[t: timestamp[us]]");
    for (String far : List.of("9999-12-31 00:00:00", "9999-12-31", "0001-01-01T00:00")) {
      StructuredDataset both = csv("t\n" + far + "\n2021-03-04 05:06:07.1234567\n");
      assertThat(both.schema().toString()).isEqualTo("[t: string]");
      assertThat(rows(both)).containsExactly(row(far), row("2021-03-04 05:06:07.1234567"));
    }
    // Of two files, too.
    file("b.csv", "t\n2021-03-04 05:06:07.1234567\n");
    csv("t\n9999-12-31 00:00:00\n");
    assertThat(new StructuredDataset(path.toString()).schema().toString()).isEqualTo("[t: string]");
  }

  @Test
  void textIsReadInTheTypeOfTheTableAndNeverBySomethingBetween() throws IOException {
    file("1.csv", "zip,n\n00501,1\n007,2\n");
    file("2.csv", "zip,n\nK1A 0B1,9007199254740993.0\n");
    StructuredDataset dataset = new StructuredDataset(path.toString());
    assertThat(dataset.schema().toString()).isEqualTo("[zip: string, n: float64]");
    assertThat(rows(dataset))
        .containsExactly(row("00501", 1.0), row("007", 2.0), row("K1A 0B1", 9007199254740992.0));
    StructuredDataset first = dataset.schemaFrom(SchemaFrom.FIRST);
    assertThat(first.schema().toString()).isEqualTo("[zip: int64, n: int64]");
    assertThat(error(first))
        .startsWith("Cannot read column 'zip' as int64: 'K1A 0B1' is no such value.")
        .endsWith("[" + path + "/2.csv, line 2, column 'zip', byte 6]");
  }

  @Test
  void typesCanBeStated() throws IOException {
    StructuredDataset dataset = csv("id,x\n007,1\n8,2.5\n");
    assertThat(rows(dataset.cast("id", DataType.string()).cast("x", DataType.float32())))
        .containsExactly(row("007", 1f), row("8", 2.5f));
    Schema stated =
        Schema.of(
            List.of(
                new Field("x", new dev.penstock.schema.DataType.Decimal(5, 2), false),
                new Field("id", DataType.int8(), true)));
    assertThat(dataset.schemaFrom(stated).schema()).isEqualTo(stated);
    assertThat(rows(dataset.schemaFrom(stated)))
        .containsExactly(
            row(new java.math.BigDecimal("1.00"), 7), row(new java.math.BigDecimal("2.50"), 8));
  }

  @Test
  void typeThatTextCannotBeReadInIsRefused() throws IOException {
    Schema bytes =
        Schema.of(List.of(new Field("a", new dev.penstock.schema.DataType.Binary(), true)));
    assertThat(error(csv("a\n1\n").schemaFrom(bytes)))
        .isEqualTo(
            "Cannot read column 'a' as binary: these are files of text, which cannot be read in"
                + " that type. State another.");
  }

  @Test
  void nullWhereNoneIsStatedToBeIsAnErrorOfItsLine() throws IOException {
    Schema stated = Schema.of(List.of(new Field("a", DataType.int64(), false)));
    assertThat(error(csv("a,b\n1,1\n,2\n").schemaFrom(stated)))
        .isEqualTo(
            "Cannot read column 'a': it is null here but was stated not to be. ["
                + path
                + "/a.csv, line 3, column 'a', byte 8]");
  }

  @Test
  void valueThatDoesNotParseNamesFileLineColumnAndText() throws IOException {
    StringBuilder text = new StringBuilder("a,b\n\"x\ny\",1\n");
    text.repeat("z,2\n", 20_000).append("z,12a\n");
    assertThat(error(csv(text.toString())))
        .isEqualTo(
            "Cannot read column 'b' as int64: '12a' is no such value. Cast the column to another"
                + " type with cast(), take a larger sample with format option 'sample-rows', or state"
                + " the text as null with 'null'. ["
                + path
                + "/a.csv, line 20004, column 'b', byte "
                + (text.length() - 4)
                + "]");
    assertThat(csv(text.toString()).formatOption("sample-rows", "100000").schema().toString())
        .isEqualTo("[a: string, b: string]");
  }

  @Test
  void textIsRoundedOnce() throws IOException {
    // Just above the middle of two halves, and nearer to it than any float.
    assertThat(rows(csv("h\n1.000488281250000001\n").cast("h", DataType.float16())))
        .containsExactly(row(1 + 0x1p-10f));
  }

  @Test
  void blanksAroundValuesDoNotCount() throws IOException {
    StructuredDataset dataset =
        csv("i, f,b,d,t,s\n1 ,\t2.5, true, 2001-01-31,2001-01-31 13:45 , x\n-2,3 ,false ,,,y \n");
    assertThat(dataset.schema())
        .hasToString("[i: int64,  f: float64, b: bool, d: date, t: timestamp[us], s: string]");
    assertThat(rows(dataset))
        .containsExactly(
            row(
                1L,
                2.5,
                true,
                LocalDate.of(2001, 1, 31),
                LocalDateTime.parse("2001-01-31T13:45"),
                " x"),
            row(-2L, 3.0, false, null, null, "y "));
    assertThat(csv("i,s\n1, \n2,\n").schema()).hasToString("[i: int64, s: string]");
  }

  @Test
  void digitsAreThoseOfAscii() throws IOException {
    String arabic = "1\u0662.5";
    for (DataType type :
        List.of(
            new DataType.Decimal(5, 1), DataType.float64(), DataType.float16(), DataType.int64())) {
      assertThat(error(csv("x\n" + arabic + "\n").cast("x", type)))
          .startsWith("Cannot read column 'x' as " + type + ": '" + arabic + "' is no such value.");
    }
    assertThat(csv("x\n" + arabic + "\n").schema()).hasToString("[x: string]");
  }

  @Test
  void textThatIsNoUuidIsRefused() throws IOException {
    String uuid = "123E4567-e89b-12d3-a456-426614174000";
    assertThat(rows(csv("u\n" + uuid + "\n").cast("u", new DataType.Uuid())))
        .containsExactly(row(UUID.fromString(uuid)));
    String moved = "0123e4567-e89b-12d3-a456-42661417400";
    assertThat(error(csv("u\n" + uuid + "\n" + moved + "\n").cast("u", new DataType.Uuid())))
        .startsWith("Cannot read column 'u' as uuid: '" + moved + "' is no such value.")
        .contains("a.csv, line 3, column 'u'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "delimiter=;|a;b~1;x,y~|1 x,y",
        "quote='|a,b~1,'x,''y'~|1 x,'y",
        "quote=none|a,b~1,\"x~|1 \"x",
        "escape=\\|a,b~1,x\\,y\\\\~2,\"\\\"\"~|1 x,y\\ 2 \"",
        "comment=#|# all~# two~a,b~# \"none~##~1,x#~#2,y~#|1 x#",
        "header=false|1,x~2,y|1 x 2 y",
        "names=p,q|1,x~|1 x",
        "ragged=fill|a,b~1~2,x|1 null 2 x",
        "null=x,-|a,b~1,x~-,\"x\"~|1 null null x",
        "trailing-delimiter=true|a,b,~1,x,~2,,~3,z~|1 x 2 null 3 z",
        "row-group-rows=1|a,b~1,x~~2,y|1 x 2 y",
      })
  void optionsSayHowFilesAreWritten(String option, String text, String expected)
      throws IOException {
    String[] parts = option.split("=", 2);
    StructuredDataset dataset = csv(text.replace('~', '\n')).formatOption(parts[0], parts[1]);
    List<Object> values = rows(dataset).stream().flatMap(List::stream).toList();
    assertThat(String.join(" ", values.stream().map(String::valueOf).toList())).isEqualTo(expected);
    List<String> names =
        switch (parts[0]) {
          case "header" -> List.of("f0", "f1");
          case "names" -> List.of("p", "q");
          default -> List.of("a", "b");
        };
    assertThat(dataset.schema().names()).isEqualTo(names);
  }

  @ParameterizedTest
  @CsvSource({
    "delimiter, ';;', one ASCII character",
    "delimiter, none, one ASCII character",
    "quote, ',', another character",
    "header, yes, true or false",
    "ragged, skip, error or fill",
    "sample-rows, 0, a whole number from 1",
    "skip-rows, -1, a whole number from 0",
    "encoding, utf-9, an encoding such as",
    "trailing-delimiter, yes, true or false",
    "decimal, 0, one ASCII character that is no letter, digit or sign",
    "thousands, .., one character that is no letter, digit or sign",
    "thousands, ., another character than option 'decimal'",
    "true, 'yes,false', other texts than option 'false'",
    "date-format, dd.MM, a pattern of dates such as dd.MM.yyyy",
    "date-format, dd.MM.YYYY, a pattern of dates such as dd.MM.yyyy",
    "date-format, jj, a pattern of dates such as dd.MM.yyyy",
    "timestamp-format, dd.MM.yyyy, a pattern of dates and times such as dd.MM.yyyy HH:mm:ss",
    "timestamp-format, dd.MM.yyyy hh:mm, a pattern of dates and times such as",
    "colour, red, csv has no such option",
  })
  void wrongOptionsAreRefused(String key, String value, String message) throws IOException {
    StructuredDataset dataset = csv("a\n1\n").formatOption(key, value);
    assertThatThrownBy(dataset::schema)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot use format option '" + key + "'")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void lineBreaksAreOfAnyKindAndTheLastMayBeMissing(String end) throws IOException {
    String text = String.join(end, "a,b", "1,\"x" + end + "y\"", "", "2,z");
    List<List<Object>> expected = List.of(row(1L, "x" + end + "y"), row(2L, "z"));
    assertThat(rows(csv(text))).isEqualTo(expected);
    assertThat(rows(csv(end + text + end + end))).isEqualTo(expected);
  }

  /// Such lines are no records: empty ones count, and quotes are text.
  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void linesBeforeTheHeaderAreSkipped(String end) throws IOException {
    String noise = String.join(end, "Report \"of", "", "2026;x" + "y".repeat(300_000)) + end;
    for (String before : List.of("", "\ufeff")) {
      String text = before + noise + String.join(end, "a,b", "1,\"x\"", "2,y");
      StructuredDataset dataset = csv(text).formatOption("skip-rows", "3");
      assertThat(dataset.schema().toString()).isEqualTo("[a: int64, b: string]");
      assertThat(rows(dataset)).containsExactly(row(1L, "x"), row(2L, "y"));
      assertThat(rows(dataset.formatOption("row-group-rows", "1")))
          .containsExactly(row(1L, "x"), row(2L, "y"));
      assertThat(rows(dataset.formatOption("names", "p,q"))).hasSize(3);
      assertThat(rows(dataset.formatOption("skip-rows", "4").formatOption("header", "false")))
          .containsExactly(row(1L, "x"), row(2L, "y"));
    }
    assertThatThrownBy(() -> csv(noise).formatOption("skip-rows", "9").schema())
        .hasMessageContaining("Truncated CSV file: it has no header.");
  }

  /// What a text means where options say how values are written, and its type by the sample.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "decimal=,|1,5 -,5 2 1e-3 3,25e2|float64|1.5 -0.5 2.0 0.001 325.0",
        "decimal=,|1.5 2|string|1.5 2",
        "decimal=,&thousands=.|1.234,5 12 -1.234.567,25 999|float64|1234.5 12.0 -1234567.25 999.0",
        "decimal=,&thousands=.|1.234 12.345.678|int64|1234 12345678",
        "decimal=,&thousands=.|1.23|string|1.23",
        "decimal=,&thousands=.|1234.567|string|1234.567",
        "decimal=,&thousands=.|1.234.56,7|string|1.234.56,7",
        "decimal=,&thousands=.|.234|string|.234",
        "decimal=,&thousands=.|1..234|string|1..234",
        "decimal=,&thousands=.|1,234.567|string|1,234.567",
        "decimal=,&thousands=.|31.01.2001|string|31.01.2001",
        "thousands=,|1,234.5|float64|1234.5",
        "thousands='|1'234|int64|1234",
        "thousands=\u202f|1\u202f234|int64|1234",
        "thousands=,|9,223,372,036,854,775,808|string|9,223,372,036,854,775,808",
        "true=ja,Y&false=nein|ja nein Y TRUE false|bool|true false true true false",
        "true=ja|ja JA|string|ja JA",
        "true=1&false=0|1 0|int64|1 0",
        "date-format=dd.MM.yyyy|31.01.2001 29.02.2004|date|2001-01-31 2004-02-29",
        "date-format=dd.MM.yyyy|29.02.2001|string|29.02.2001",
        "date-format=dd.MM.yyyy|1.2.2001|string|1.2.2001",
        "date-format=dd.MM.yyyy|2001-01-31|string|2001-01-31",
        "date-format=d-MMM-yy|3-Feb-01 13-AUG-99|date|2001-02-03 2099-08-13",
        "date-format=uuuuMMdd|20010131|int64|20010131",
        "date-format=dd.MM.yyyy|31.12.9999|date|9999-12-31",
        "date-format=dd.MM.yyyy|31.01.2001 2001-01-31T13:45|timestamp[us]|2001-01-31T00:00"
            + " 2001-01-31T13:45",
        "timestamp-format=dd.MM.yyyy/HH:mm[:ss[.SSS]]|31.01.2001/13:45 01.02.2001/00:00:00.250"
            + "|timestamp[us]|2001-01-31T13:45 2001-02-01T00:00:00.250",
        "timestamp-format=dd.MM.yyyy/HH:mm|31.01.2001/13:45 2001-01-31|timestamp[us]"
            + "|2001-01-31T13:45 2001-01-31T00:00",
        "timestamp-format=dd.MM.yyyy/HH:mm|2001-01-31T13:45|string|2001-01-31T13:45",
        "timestamp-format=MM/dd/yyyy_hh:mm_a|01/31/2001_01:45_pm|timestamp[us]|2001-01-31T13:45",
        "timestamp-format=dd.MM.yyyy/HHX|31.01.2001/13+02|timestamp[us, UTC]|2001-01-31T11:00:00Z",
        "timestamp-format=dd.MM.yyyy/HH:mm|31.01.2001/24:00|string|31.01.2001/24:00",
      })
  void optionsSayHowValuesAreWritten(String options, String texts, String type, String expected)
      throws IOException {
    for (String quote : List.of("", "\"")) {
      String lines = quote + texts.replace(" ", quote + "\n" + quote) + quote;
      StructuredDataset dataset = csv("a\n" + lines + "\n\n").formatOption("delimiter", ";");
      for (String option : options.split("&", -1)) {
        String[] parts = option.split("=", 2);
        dataset = dataset.formatOption(parts[0], parts[1]);
      }
      assertThat(dataset.schema().toString()).isEqualTo("[a: " + type + "]");
      String values = String.join(" ", rows(dataset).stream().map(r -> r.get(0) + "").toList());
      assertThat(values).isEqualTo(expected);
    }
  }

  /// A cast takes what the options say, and what is not written so stays an error.
  @Test
  void castsTakeValuesAsOptionsSayThatTheyAreWritten() throws IOException {
    String text =
        """
        d;n;b;t
        20010131;1.234,50;1;20010131
         20010201 ; -,5 ; 0 ;2001-01-31T13:45
        ;;;
        """;
    assertThat(rows(cast(text)))
        .containsExactly(
            row(
                LocalDate.of(2001, 1, 31),
                new BigDecimal("1234.50"),
                true,
                LocalDateTime.of(2001, 1, 31, 0, 0)),
            row(
                LocalDate.of(2001, 2, 1),
                new BigDecimal("-0.50"),
                false,
                LocalDateTime.of(2001, 1, 31, 13, 45)),
            row(null, null, null, null));
    assertThat(error(cast(text.replace("-,5", "-1.5"))))
        .startsWith("Cannot read column 'n' as decimal(9, 2): ' -1.5 ' is");
    assertThat(error(cast(text.replace("20010201", "2001-02-01"))))
        .startsWith("Cannot read column 'd' as date: ' 2001-02-01 ' is");
    assertThat(error(cast(text.replace("2001-01-31T13:45", "2001-01-31"))))
        .startsWith("Cannot read column 't' as timestamp[ms]: '2001-01-31' is");
    assertThat(error(cast(text.replace("-,5", "1".repeat(2000)))))
        .startsWith("Cannot read column 'n' as decimal(9, 2): ' 1111");
  }

  private StructuredDataset cast(String text) throws IOException {
    return csv(text)
        .formatOption("delimiter", ";")
        .formatOption("decimal", ",")
        .formatOption("thousands", ".")
        .formatOption("true", "1")
        .formatOption("false", "0")
        .formatOption("date-format", "yyyyMMdd")
        .cast("d", DataType.date())
        .cast("n", new DataType.Decimal(9, 2))
        .cast("b", DataType.bool())
        .cast("t", new DataType.Timestamp(DataType.TimeUnit.MILLIS, false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
  void byteOrderMarkSaysTheEncoding(String charset) throws IOException {
    byte[] bytes = "\ufeffä,b\n1,ß\ud83d\ude00\n".getBytes(Charset.forName(charset));
    StructuredDataset dataset = file("a.csv", bytes);
    assertThat(dataset.schema().names()).containsExactly("ä", "b");
    assertThat(rows(dataset)).containsExactly(row(1L, "ß\ud83d\ude00"));
    assertThat(rows(file("a.csv.gz", gzip(bytes)))).isEqualTo(rows(dataset));
    byte[] unmarked = "a,b\n1,x\n".getBytes(Charset.forName(charset));
    assertThat(rows(file("b.csv", unmarked).formatOption("encoding", charset)))
        .containsExactly(row(1L, "x"));
    String family = charset.replaceAll("[LB]E", "");
    assertThat(rows(file("c.csv", bytes).formatOption("encoding", family)))
        .isEqualTo(rows(dataset));
  }

  @Test
  void wrongEncodingIsAnErrorThatSaysWhatToDo() throws IOException {
    byte[] latin = "a,b\n1,stra\u00dfe\n".getBytes(StandardCharsets.ISO_8859_1);
    StructuredDataset dataset = file("a.csv", latin);
    assertThat(error(dataset))
        .contains(
            "is not UTF-8 from its byte 4 on, 0xdf. State the encoding", "line 2, column 'b'");
    assertThat(rows(dataset.formatOption("encoding", "latin-1")))
        .containsExactly(row(1L, "stra\u00dfe"));
    byte[] wide = "a,b\n1,x\n".getBytes(StandardCharsets.UTF_16LE);
    StructuredDataset unmarked = file("b.csv", wide);
    assertThat(error(unmarked)).contains("the header has a byte 0. State the encoding");
    assertThat(rows(unmarked.formatOption("encoding", "utf-16le"))).containsExactly(row(1L, "x"));
    assertThat(error(dataset.formatOption("encoding", "utf-16")))
        .contains("its first 13 bytes do not tell the order of bytes");
  }

  @Test
  void recordOfAnotherLengthIsAnError() throws IOException {
    assertThat(error(csv("a,b\n1,2\n3\n")))
        .isEqualTo(
            "Corrupt CSV file: the record has 1 field but expected 2. Set format option 'ragged' to"
                + " 'fill' to read missing ones as null. ["
                + path
                + "/a.csv, line 3, byte 8]");
    assertThat(error(csv("a,b\n1,2,3\n").formatOption("ragged", "fill")))
        .startsWith(
            "Corrupt CSV file: the record has 3 fields but expected 2. If a delimiter ends each"
                + " record, set format option 'trailing-delimiter' to 'true'. [");
    StructuredDataset semicolons = csv("a;b\n1;2,5\n");
    assertThat(error(semicolons))
        .startsWith(
            "Corrupt CSV file: the record has 2 fields but expected 1. If fields are separated"
                + " otherwise, say so: for example format option 'delimiter' = ';'. [");
    assertThat(rows(semicolons.formatOption("delimiter", ";"))).containsExactly(row(1L, "2,5"));
  }

  @Test
  void quoteThatIsNeverClosedIsAnErrorOfTheLineWhereItIsOpened() throws IOException {
    assertThat(error(csv("a,b\n1,2\n3,\"x\n4,5\n")))
        .contains("a quote is opened here but never closed")
        .endsWith("a.csv, line 3, byte 10]");
    String far = "a,b\n" + "1,2\n".repeat(20_000) + "3,\"x\n4,5\n";
    assertThat(error(csv(far))).endsWith("a.csv, line 20002, byte 80006]");
    assertThat(error(csv("a,b\n1,\"x\"y\n")))
        .contains("behind a closing quote there is 'y' but expected ','");
  }

  @Test
  void emptyFileIsAnErrorAndAHeaderAloneIsNoRows() throws IOException {
    assertThat(error(csv(""))).startsWith("Truncated CSV file: it has no header.");
    assertThat(error(csv("\n\n"))).startsWith("Truncated CSV file: it has no header.");
    StructuredDataset header = csv("a,b");
    assertThat(header.schema().toString()).isEqualTo("[a: string, b: string]");
    assertThat(rows(header)).isEmpty();
    assertThat(rows(csv("").formatOption("names", "a,b"))).isEmpty();
    file("b.csv", "a,b\n1,2\n");
    csv("a,b\n");
    assertThat(new StructuredDataset(path.toString()).schema().toString())
        .as("what no sample can tell is told by the others")
        .isEqualTo("[a: int64, b: int64]");
  }

  /// As a writer leaves it for a task without rows.
  @Test
  void fileWithoutAByteHasNoRowsAmongOthers() throws IOException {
    file("b.csv", "a,b\n1,2\n");
    for (String name : List.of("a.csv", "c.csv")) { // first and last
      file(name, new byte[0]);
      StructuredDataset all = new StructuredDataset(path.toString());
      assertThat(all.schema().toString()).isEqualTo("[a: int64, b: int64]");
      assertThat(rows(all)).containsExactly(row(1L, 2L));
      assertThat(rows(all.where("a > 1"))).isEmpty();
    }
  }

  @Test
  void columnThatIsThereTwiceIsAnError() throws IOException {
    StructuredDataset dataset = csv("a,a\n1,2\n");
    assertThat(error(dataset)).contains("the header has column 'a' twice.");
    assertThat(rows(dataset.formatOption("names", "a,b").formatOption("header", "true")))
        .containsExactly(row(1L, 2L));
  }

  @Test
  void zeroBytesArePartsOfStringsAndOfNoNumbers() throws IOException {
    assertThat(rows(csv("a,b\nx\0y,1\n"))).containsExactly(row("x\0y", 1L));
    assertThat(error(csv("a,b\nx,1\0\n").cast("b", DataType.int64())))
        .contains("as int64: '1\\u0000' is no");
  }

  @Test
  void longLinesAreReadAndVeryLongOnesAreRefused() throws IOException {
    String word = "x".repeat(4_000_000); // many times what is read at once
    StructuredDataset dataset = csv("a,b\n1," + word + "\n2,y\n");
    assertThat(rows(dataset)).containsExactly(row(1L, word), row(2L, "y"));
    int bytes = word.length() + 2;
    assertThat(rows(dataset.formatOption("max-record-bytes", Integer.toString(bytes))))
        .containsExactly(row(1L, word), row(2L, "y"));
    assertThat(error(dataset.formatOption("max-record-bytes", Integer.toString(bytes - 1))))
        .startsWith("Unsupported text: a record of more than 4000001 bytes. Allow more by")
        .contains("line 2");
    assertThat(error(csv("a,b\n1," + "y".repeat(16 << 20) + "\n2,y\n")))
        .startsWith("Unsupported text: a record of more than 16777216 bytes.");
    assertThatThrownBy(() -> dataset.formatOption("max-record-bytes", "0").schema())
        .hasMessageContaining("it is '0' but expected a whole number from 1 to 536870912");
  }

  /// Made by Python's bz2, as two streams, and by pyarrow 26.0.1's zstd codec.
  @Test
  void compressedFilesAreToldByTheirFirstBytes() throws IOException {
    byte[] plain = "a,b\n1,x\n2,y\n".getBytes(StandardCharsets.UTF_8);
    List<List<Object>> expected = List.of(row(1L, "x"), row(2L, "y"));
    byte[] gzip = gzip(plain);
    assertThat(rows(file("a.csv.gz", gzip))).isEqualTo(expected);
    byte[] rest = gzip("3,z\n".getBytes(StandardCharsets.UTF_8));
    byte[] both = Arrays.copyOf(gzip, gzip.length + rest.length);
    System.arraycopy(rest, 0, both, gzip.length, rest.length);
    assertThat(rows(file("a.csv.gz", both))).hasSize(3);
    byte[] bzip2 = Base64.getDecoder().decode(BZIP2);
    assertThat(rows(file("a.csv.bz2", bzip2))).isEqualTo(expected);
    byte[] zstd = Base64.getDecoder().decode(ZSTD);
    assertThat(rows(file("a.csv.zst", zstd))).isEqualTo(expected);
    assertThat(error(file("a.csv.gz", Arrays.copyOf(gzip, gzip.length - 9))))
        .startsWith("Truncated gzip file:");
    assertThat(error(file("a.csv.bz2", Arrays.copyOf(bzip2, bzip2.length - 9))))
        .startsWith("Truncated bzip2 file:");
    assertThat(error(file("a.csv.zst", Arrays.copyOf(zstd, zstd.length - 5))))
        .startsWith("Truncated zstd file:");
    gzip[gzip.length - 6] ^= 1;
    assertThat(error(file("a.csv.gz", gzip))).startsWith("Corrupt gzip file:");
    bzip2[20] ^= 1;
    assertThat(error(file("a.csv.bz2", bzip2))).contains("bzip2 file:");
  }

  private static final String BZIP2 =
      "QlpoOTFBWSZTWdR78W4AAALZgAAQAAQgADAAAEAgACGmmaDAKBULC7kinChIaj34twBCWmg5MUFZJlNZrcGy6gAAAViAABAABBAAACAgACGaaDNNFzxdyRThQkK3Bsuo";
  private static final String ZSTD = "KLUv/SAMYQAAYSxiCjEseAoyLHkK";

  /// Text of quotes, delimiters and line breaks in any order: what the scan counts is what the
  /// reader finds, wherever row groups are cut and whatever was skipped.
  @Seeded(runs = 60)
  void rowsOfAnyTextAreCountedAsTheyAreRead(Random random) throws IOException {
    StringBuilder text = new StringBuilder("a,b\n");
    int count = 1 + random.nextInt(60);
    List<List<Object>> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<Object> row = new ArrayList<>();
      for (int c = 0; c < 2; c++) {
        String value = value(random);
        row.add(value);
        text.append(c == 0 ? "" : ",").append('"').append(value.replace("\"", "\"\"")).append('"');
      }
      expected.add(row);
      text.append(random.nextBoolean() ? "\n" : random.nextBoolean() ? "\r\n" : "\n\n\r");
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    StructuredDataset dataset =
        file("a.csv", random.nextInt(3) == 0 ? gzip(bytes) : bytes)
            .cast("*", DataType.string())
            .formatOption("row-group-bytes", Integer.toString(1 + random.nextInt(200)));
    assertThat(dataset.files().getFirst().rows()).isEqualTo(count);
    assertThat(rows(dataset)).isEqualTo(expected);
    assertThat(rows(dataset.splitRows(1 + random.nextInt(9)))).isEqualTo(expected);
  }

  private static String value(Random random) {
    StringBuilder value = new StringBuilder();
    for (int length = random.nextInt(12); length > 0; length--) {
      value.append("ab\"\n\r,ß".charAt(random.nextInt(7)));
    }
    return value.toString();
  }

  @Test
  void optionsArePartOfTheState() throws IOException {
    StructuredDataset dataset = csv("a,b\n1,2\n3,4\n");
    LoaderOptions options = LoaderOptions.defaults().batchSize(1);
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      loader.iterator().next().close();
      state = loader.state();
    }
    try (DataLoader loader = DataLoader.of(dataset.formatOption("null", "3"), options)) {
      loader.resume(state);
      assertThatThrownBy(loader::iterator).hasMessageContaining("read with {null=3}' here but");
    }
  }

  @Test
  void formatWithoutOptionsRefusesThem() throws IOException {
    StructuredDataset dataset =
        folder.counting(new int[] {3}).dataset().formatOption("delimiter", ";");
    assertThatThrownBy(dataset::schema)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot use format option 'delimiter': parquet has no such option. Options are:"
                + " [int96-unit, int96-zone, page-index].");
  }

  @Test
  void fileThatChangedIsRefused() throws IOException {
    StructuredDataset dataset = csv("a\n1\n2\n");
    assertThat(dataset.schema().size()).isEqualTo(1);
    csv("a\n1\n");
    assertThatThrownBy(() -> rows(dataset))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("it has 4 bytes but had 6 when the dataset was planned");
  }
}
