package dev.penstock.blackbox.cases;

import static dev.penstock.blackbox.cases.ReadText.error;
import static dev.penstock.blackbox.cases.ReadText.rows;
import static dev.penstock.tck.Values.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.format.MalformedFileException;
import dev.penstock.schema.DataType;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/// What is no JSON by RFC 8259 is refused where it is read, and nothing else is; an independent
/// parser says what is.
class JsonGrammarTest extends OwnFolder {
  private static final JsonFactory JACKSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  @ParameterizedTest
  @CsvSource({
    "01, 0",
    "-01, 1",
    "00, 0",
    "-00, 1",
    "01.5, 0",
    "00000000000, 0",
    "1., 2",
    "1.e5, 2",
    "12345678., 9",
    "-.5, 1",
    ".5, 0",
    "+1, 0",
    "-, 1",
    "--1, 1",
    "1e, 2",
    "1e+, 3",
    "1.5e-, 5",
    "1e1.5, 3",
    "1.2.3, 3",
    "12abc, 2",
    "1234567890123x, 13",
    "1_000, 1",
    "0x10, 1",
    "1+1, 1",
    "1-1, 1",
    "1f, 1",
    "1L, 1",
    "-nan, 1",
    "nan, 0",
    "NaN, 0",
    "-NaN, 1",
    "inf, 0",
    "Infinity, 0",
    "-Infinity, 1",
    "-inf, 1",
    "2001-01-31, 4",
    "2001-01-31T10:00:00, 4",
    "True, 0",
    "TRUE, 0",
    "truex, 4",
    "true1, 4",
    "nullnull, 4",
    "nul, 0",
    "falsey, 5",
    "none, 0",
    "1e5\u00df, 3",
    "\u0661, 0",
    "'x', 0",
    "1;, 1"
  })
  void whatIsNoNumberAndNoWordIsRefusedWhereverItIs(String value, int place) throws IOException {
    String sampled = "{\"a\":" + value + "}\n";
    assertNoJson(file("a.jsonl", sampled), "line 1, byte " + (5 + place));
    assertNoJson(file("b.json", "[" + sampled + "]"), "line 1, byte " + (6 + place));
    for (String first : new String[] {"1", "1.5", "\"x\"", "true", "\"2001-01-31\"", "[1]"}) {
      String good = "{\"b\":1,\"a\":" + first + "}\n";
      StructuredDataset later =
          file("later.jsonl", good + "{\"b\":1,\"a\":" + value + "}\n")
              .formatOption("sample-rows", "1");
      String line = "line 2, byte " + (good.length() + 11 + place);
      if (!first.startsWith("[")) {
        assertNoJson(later, line);
      }
      assertNoJson(later.columns("b"), line);
    }
    StructuredDataset asWritten =
        file("raw.jsonl", "{\"a\":\"\"}\n{\"a\":[" + value + "]}\n")
            .formatOption("sample-rows", "1");
    assertNoJson(asWritten, "line 2, byte " + (15 + place));
  }

  private static void assertNoJson(StructuredDataset dataset, String place) {
    assertThat(error(dataset)).startsWith("Corrupt JSON: there is ").endsWith(", " + place + "]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "1",
        "-1",
        "10",
        "0.5",
        "-0.0",
        "0e0",
        "0E-0",
        "1e5",
        "1E+5",
        "1.5e-7",
        "0.0001",
        "1234567",
        "12345678",
        "123456789",
        "1234567890123456",
        "-9223372036854775808",
        "1234567.12345678",
        "12345678.1234567812345678",
        "0.30000000000000004",
        "1e007"
      })
  void numbersAreRead(String value) throws IOException {
    for (String end : new String[] {"}", " }", "\t,\"b\":1}", ",\"b\":1}"}) {
      StructuredDataset dataset = file("a.jsonl", "{\"a\":" + value + end);
      boolean whole = value.matches("-?[0-9]+");
      assertThat(rows(dataset).getFirst().getFirst())
          .isEqualTo(whole ? (Object) Long.valueOf(value) : (Object) Double.valueOf(value));
      assertThat(rows(dataset.cast("a", DataType.string())).getFirst().getFirst()).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[\"\\q\"]|there is no such escape|7",
        "[\"\\ud800\"]|an escape is half of a character|7",
        "[\"\\udc00\\ud800\"]|an escape is half of a character|7",
        "[\"\\u12g4\"]|an escape has no four hexadecimal digits|7",
        "[\"\\u12\"]|an escape has no four hexadecimal digits|7",
        "{\"\\q\":1}|there is no such escape|7",
        "[01]|there is '0' but expected a number without zeros before it|6",
        "[1,--]|there is '-' but expected a digit|9",
        "{\"k\":1,\"k\":2}|field 'k' is there twice|13",
        "[{\"k\":1,\"\\u006b\":2}]|field 'k' is there twice|14",
        "{\"\":{\"x\":{}},\"\":2}|field '' is there twice|19",
        "{\"x\":{\"a\":1,\"b\":2,\"a\":3},\"y\":1}|field 'a' is there twice|24",
        "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"d\":1}"
            + "|field 'd' is there twice|61",
        "[1 2]|there is '2' but expected ',' or ']'|8",
        "[1,]|there is ']' but expected a value|8",
        "{\"k\"}|there is '}' but expected ':'|9",
        "{\"k\":1,}|there is '}' but expected a string|12",
      })
  void whatIsTakenAsItIsWrittenIsJson(String value, String message, int place) throws IOException {
    String text = "{\"a\":\"\"}\n{\"a\":" + value + "}\n";
    assertThat(error(file("a.jsonl", text).formatOption("sample-rows", "1")))
        .contains(message)
        .endsWith("[" + path + "/a.jsonl, line 2, byte " + (9 + place) + "]");
    assertThat(error(file("b.jsonl", "{\"a\":" + value + "}\n").cast("a", DataType.string())))
        .contains(message);
  }

  @Test
  void whatIsTakenAsItIsWrittenComesByteForByte() throws IOException {
    String many =
        "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":{\"a\":1}}";
    for (String value :
        new String[] {
          "{}",
          "[ ]",
          "[{\"k\":1},{\"k\":2}]",
          "{\"k\":{\"k\":{\"k\":[{\"k\":0}]}}, \"K\" : -0.5e+3}",
          "[\"\\ud83d\\ude00\\n\\/\\\"\", null , true,false,\"\u00df\"]",
          many,
        }) {
      assertThat(rows(file("a.jsonl", "{\"a\":\"\"}\n{\"a\":" + value + "}\n")))
          .containsExactly(row(""), row(value));
    }
  }

  /// Beyond the sample, what nobody reads has the structure, numbers and words of JSON.
  @Test
  void columnsThatNobodyReadsAreCheckedLess() throws IOException {
    String first = "{\"a\":1,\"b\":\"\"}\n";
    for (String value : new String[] {"\"\\q\"", "\"\\ud800\"", "{\"k\":1,\"k\":2}"}) {
      StructuredDataset dataset =
          file("a.jsonl", first + "{\"a\":2,\"b\":" + value + "}\n")
              .formatOption("sample-rows", "1");
      assertThat(rows(dataset.columns("a"))).containsExactly(row(1L), row(2L));
      assertThat(error(dataset)).startsWith("Corrupt JSON: ");
    }
    for (String value : new String[] {"[01]", "{\"k\":12abc}", "{k:1}", "[1,]", "\"\t\"", "\"x"}) {
      StructuredDataset dataset =
          file("b.jsonl", first + "{\"a\":2,\"b\":" + value + "}\n")
              .formatOption("sample-rows", "1");
      assertThat(error(dataset.columns("a"))).startsWith("Corrupt JSON: ").contains("line 2");
    }
  }

  @Test
  void rowsBeforeWhatIsNoJsonComeAsThoseBeforeAnyError() throws IOException {
    String good = "{\"a\":\"x\"}\n".repeat(100);
    List<Integer> counts = new ArrayList<>();
    for (String bad : new String[] {"{\"a\":}", "{\"a\":01}", "{\"a\":[01]}"}) {
      StructuredDataset dataset =
          file("a.jsonl", good + bad + "\n" + good)
              .formatOption("sample-rows", "10")
              .formatOption("row-group-rows", "20");
      List<Object> before = new ArrayList<>();
      Throwable thrown =
          catchThrowable(() -> {
            try (DataLoader loader =
                DataLoader.of(dataset, o -> o.workers(0).batchSize(10).output(OutputFormat.MAP))) {
              for (Batch batch : loader) {
                try (batch) {
                  before.addAll((List<?>) batch.column("a"));
                }
              }
            }
          });
      assertThat(thrown).hasStackTraceContaining("line 101, byte ");
      counts.add(before.size());
    }
    assertThat(counts).containsExactly(100, 100, 100);
  }

  @Test
  void hostileTextIsATypedErrorOrRead() throws IOException {
    String first = "{\"a\":\"\"}\n{\"a\":";
    for (String part : new String[] {"[", "{\"k\":", "[{\"k\":"}) {
      StructuredDataset deep =
          file("deep.jsonl", first + part.repeat(100_000) + "\n").formatOption("sample-rows", "1");
      assertThat(error(deep)).startsWith("Corrupt JSON: values are nested deeper than 64.");
    }
    StringBuilder names = new StringBuilder("{");
    for (int i = 0; i < 100_000; i++) {
      names.append("\"name ").append(i).append("\":{},");
    }
    String wide = names + "\"z\":0}";
    assertThat(rows(file("wide.jsonl", first + wide + "}\n").formatOption("sample-rows", "1")))
        .containsExactly(row(""), row(wide));
    String twice = names + "\"name 7\":0}";
    assertThat(error(file("twice.jsonl", first + twice + "}\n").formatOption("sample-rows", "1")))
        .contains("field 'name 7' is there twice");
    String digits = "7".repeat(100_000);
    assertThat(rows(file("digits.jsonl", first + digits + "}\n").formatOption("sample-rows", "1")))
        .containsExactly(row(""), row(digits));
    assertThat(error(file("x.jsonl", first + digits + "x}\n").formatOption("sample-rows", "1")))
        .contains("there is 'x' but expected");
  }

  /// Valid lines with a few bytes changed: only what the other parser takes is read, as JSON of a
  /// known shape and as text.
  @Seeded(runs = 300)
  void onlyWhatAnotherParserTakesIsRead(Random random) throws IOException {
    String line = "{\"n\":" + number(random) + ",\"t\":" + value(random, 0) + "}";
    String changed = line;
    for (int i = random.nextInt(3); i > 0; i--) {
      changed = mutated(changed, random);
    }
    boolean taken = jacksonTakes(changed);
    String good = "{\"n\":1.5,\"t\":\"\"}\n";
    boolean sampled = random.nextBoolean();
    StructuredDataset dataset =
        file("a.jsonl", good + changed + "\n")
            .formatOption("sample-rows", sampled ? "10" : "1")
            .formatOption("unknown", "ignore")
            .cast("t", DataType.string());
    dataset = random.nextBoolean() ? dataset.cast("n", DataType.string()) : dataset;
    StructuredDataset read = dataset;
    Throwable thrown = catchThrowable(() -> rows(read));
    if (thrown == null) {
      assertThat(taken).as("reads what is no JSON: %s", changed).isTrue();
    } else {
      assertThat(thrown)
          .as(changed)
          .hasStackTraceContaining(MalformedFileException.class.getName());
      boolean ours = changed.equals(line);
      assertThat(ours).as("refuses JSON: %s", changed).isFalse();
    }
  }

  private static boolean jacksonTakes(String text) {
    ThrowingCallable parse =
        () -> {
          try (JsonParser json = JACKSON.createParser(ObjectReadContext.empty(), text)) {
            while (json.nextToken() != null) {
              json.getString();
            }
          }
        };
    Throwable thrown = catchThrowable(parse);
    assertThat(thrown)
        .satisfiesAnyOf(
            t -> assertThat(t).isNull(), t -> assertThat(t).isInstanceOf(JacksonException.class));
    return thrown == null;
  }

  private static String number(Random random) {
    String whole =
        random.nextInt(4) == 0
            ? "0"
            : Long.toString(1 + (random.nextLong() >>> (1 + random.nextInt(62))));
    String fraction =
        random.nextBoolean() ? "" : "." + Integer.toString(random.nextInt(1 << random.nextInt(30)));
    String exponent =
        random.nextInt(4) > 0
            ? ""
            : (random.nextBoolean() ? "e" : "E")
                + List.of("", "+", "-").get(random.nextInt(3))
                + random.nextInt(30);
    return (random.nextInt(3) == 0 ? "-" : "") + whole + fraction + exponent;
  }

  private static String value(Random random, int depth) {
    StringBuilder text = new StringBuilder();
    switch (random.nextInt(depth > 3 ? 4 : 6)) {
      case 0 -> text.append(number(random));
      case 1 -> text.append(List.of("true", "false", "null").get(random.nextInt(3)));
      case 2, 3 -> text.append(string(random));
      case 4 -> {
        text.append('[');
        for (int i = random.nextInt(4); i >= 0; i--) {
          text.append(value(random, depth + 1)).append(i > 0 ? ", " : "");
        }
        text.append(']');
      }
      default -> {
        text.append('{');
        for (int i = random.nextInt(12); i >= 0; i--) {
          String name = string(random);
          text.append(name, 0, name.length() - 1).append(i).append("\": ");
          text.append(value(random, depth + 1)).append(i > 0 ? "," : "");
        }
        text.append('}');
      }
    }
    return text.toString();
  }

  private static String string(Random random) {
    List<String> parts =
        List.of(
            "a", "k", "\\n", "\\\\", "\\u006b", "\\ud83d\\ude00", "\u00df", "\ud83d\ude00", "0");
    StringBuilder text = new StringBuilder("\"");
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(parts.get(random.nextInt(parts.size())));
    }
    return text.append('"').toString();
  }

  private static String mutated(String text, Random random) {
    String alphabet = "0123456789.-+eEnultrfasxNIk\\\"u{}[],: \t_/\u00df\u0001";
    int at = random.nextInt(text.length());
    char other = alphabet.charAt(random.nextInt(alphabet.length()));
    return switch (random.nextInt(4)) {
      case 0 -> text.substring(0, at) + text.substring(at + 1) + (text.length() == 1 ? "{" : "");
      case 1 -> text.substring(0, at) + other + text.substring(at);
      case 2 -> {
        int end = at + random.nextInt(Math.min(12, text.length() - at)); // a piece twice
        yield text.substring(0, end) + text.substring(at);
      }
      default -> text.substring(0, at) + other + text.substring(at + 1);
    };
  }
}
