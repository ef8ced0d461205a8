package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.h2.tools.Csv;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `penstock cat --csv`, read by H2.
class CsvCommandTest {
  private static final String FLIGHTS = HeldOutFlights.FOLDER.toString();

  @TempDir Path folder;

  /// Returns the header and the rows of a CSV; an empty field without quotes is null.
  private static List<List<@Nullable String>> read(String csv) throws IOException, SQLException {
    List<List<@Nullable String>> records = new ArrayList<>();
    Csv reader = new Csv();
    reader.setPreserveWhitespace(true);
    reader.setCaseSensitiveColumnNames(true);
    try (ResultSet rows = reader.read(new StringReader(csv), null)) {
      ResultSetMetaData columns = rows.getMetaData();
      List<@Nullable String> names = new ArrayList<>();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        names.add(columns.getColumnName(i));
      }
      records.add(names);
      while (rows.next()) {
        List<@Nullable String> fields = new ArrayList<>();
        for (int i = 1; i <= names.size(); i++) {
          fields.add(rows.getString(i));
        }
        records.add(fields);
      }
    }
    return records;
  }

  private Path write(String name, String... lines) throws IOException {
    return Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n");
  }

  private static String csv(Path file, String... options) {
    List<String> args = new ArrayList<>(List.of("cat", "--csv", file.toString()));
    args.addAll(List.of(options));
    return CommandRun.of(args.toArray(String[]::new)).printed();
  }

  @Test
  void anotherReaderFindsEqualValues() throws IOException, SQLException {
    List<@Nullable String> texts =
        Arrays.asList(
            "plain",
            "",
            null,
            "a,b",
            "say \"hi\"",
            "\"",
            "two\nlines",
            "\r",
            "é東👍",
            " x ",
            "null");
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      String text = texts.get(i);
      String json =
          text == null
              ? "null"
              : '"'
                  + text.replace("\\", "\\\\")
                      .replace("\"", "\\\"")
                      .replace("\n", "\\n")
                      .replace("\r", "\\r")
                  + '"';
      lines.add(
          "{\"a \\\"name\\\", of it\": %s, \"id\": %d, \"x\": %s, \"yes\": %s}"
              .formatted(json, i, i == 3 ? "null" : i + ".5", i % 2 == 0));
    }
    String csv = csv(write("texts.jsonl", lines.toArray(String[]::new)));
    List<List<@Nullable String>> records = read(csv);
    assertThat(records.getFirst()).containsExactly("a \"name\", of it", "id", "x", "yes");
    for (int i = 0; i < texts.size(); i++) {
      assertThat(records.get(i + 1))
          .containsExactly(
              texts.get(i),
              String.valueOf(i),
              i == 3 ? null : i + ".5",
              i % 2 == 0 ? "true" : "false");
    }
  }

  @Test
  void penstockReadsTheSameValues() throws IOException {
    String csv = csv(Path.of(FLIGHTS), "--limit", "1500");
    assertThat(CommandRun.of("cat", write("flights.csv", csv.strip()).toString()).printed())
        .isEqualTo(CommandRun.of("cat", FLIGHTS, "--limit", "1500").printed());
  }

  @Test
  void datesNumbersAndBytesStandWithoutQuotes() throws IOException {
    Path file =
        write(
            "types.jsonl",
            "{\"d\": \"2001-02-03\", \"t\": \"2001-02-03T04:05:06Z\", \"c\": \"1.5\", \"f\": \"1\"}",
            "{\"d\": null, \"t\": null, \"c\": null, \"f\": \"NaN\"}");
    assertThat(
            csv(
                file,
                "--cast",
                "d=date",
                "--cast",
                "t=timestamp[ms, UTC]",
                "--cast",
                "c=decimal(4, 2)",
                "--cast",
                "f=float64"))
        .isEqualTo("d,t,c,f\n2001-02-03,2001-02-03T04:05:06.000Z,1.50,1.0\n,,,NaN\n");
  }

  @Test
  void aNullAloneInItsLineIsNotAnEmptyLine() throws IOException {
    assertThat(csv(write("one.jsonl", "{\"a\": 1}", "{\"a\": null}"))).isEqualTo("a\n1\n\"\"\n");
  }

  @Test
  void whatIsNestedIsRefusedWithTheColumnsThatWork() {
    CommandRun run =
        CommandRun.of("cat", "--csv", "src/test/resources/dev/penstock/cli/nested.parquet");
    assertThat(run)
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "Cannot print column 'embedding' as CSV, which has no form for list<float32>."
                    + " Choose columns that have one, --columns"
                    + " id,place.name,place.where.lat,place.where.at, or print JSON, without"
                    + " --csv.\n"));
    assertThat(
            CommandRun.of(
                    "cat",
                    "--csv",
                    "src/test/resources/dev/penstock/cli/nested.parquet",
                    "--columns",
                    "id,place.name,place.where.lat,place.where.at")
                .status())
        .isZero();
  }

  @Test
  void aResumedRunGoesOnWithoutAHeader() {
    String state = folder.resolve("state.json").toString();
    List<String> columns = List.of("--columns", "delay,origin", "--shuffle", "splits");
    String whole = csv(Path.of(FLIGHTS), columns.toArray(String[]::new));
    List<String> stopping = new ArrayList<>(columns);
    stopping.addAll(List.of("--stop-after-batches", "20", "--save-state", state));
    List<String> resuming = new ArrayList<>(columns);
    resuming.addAll(List.of("--resume", state));
    assertThat(
            csv(Path.of(FLIGHTS), stopping.toArray(String[]::new))
                + csv(Path.of(FLIGHTS), resuming.toArray(String[]::new)))
        .isEqualTo(whole)
        .startsWith("delay,origin\n");
  }
}
