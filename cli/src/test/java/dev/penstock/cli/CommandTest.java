package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.cli.demo.SampleFlights;
import dev.penstock.schema.DataType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands on the bundled flights: 6 files of 37,500 rows to train on, 2 held out.
class CommandTest {
  private static final long ROWS = 75_000;
  private static final SampleFlights flights = SampleFlights.extract();
  private static final String folder = flights.heldOutFolder().toString();

  @AfterAll
  static void delete() {
    flights.close();
  }

  @Nested
  class Schema {
    @Test
    void listsColumnsAndCounts() {
      CommandRun run = CommandRun.of("schema", folder);
      assertThat(run.status()).isZero();
      assertThat(run.out())
          .startsWith(
              """
              column       type           nullable
              -----------  -------------  --------
              date         timestamp[us]  yes
              delay        int64          yes
              """)
          .contains("75,000 rows, 5 columns, 2 parquet files, 16 row groups, ");
      assertThat(run.err()).isEmpty();
    }

    @Test
    void formatOptionsSayHowTextIsWritten(@TempDir Path text) throws IOException {
      Files.writeString(text.resolve("a.csv"), "id;x\n7;y,z\n");
      CommandRun run = CommandRun.of("schema", "--format-option", "delimiter=;", text.toString());
      assertThat(run.status()).isZero();
      assertThat(run.out()).contains("id      int64 ", "x       string", "1 row, 2 columns, 1 csv");
      CommandRun wrong = CommandRun.of("schema", "--format-option", "colour=red", text.toString());
      assertThat(wrong.status()).isEqualTo(1);
      assertThat(wrong.err())
          .contains("Cannot use format option 'colour': csv has no such option.");
    }

    @Test
    void jsonIsOneObject() {
      CommandRun run = CommandRun.of("schema", "--json", "--columns", "origin,delay", folder);
      assertThat(run.lines()).hasSize(1);
      assertThat(run.out())
          .startsWith("{\"format\":\"parquet\",\"files\":2,\"rows\":75000,\"rowGroups\":16,")
          .endsWith(
              "\"columns\":[{\"name\":\"origin\",\"type\":\"string\",\"nullable\":true},"
                  + "{\"name\":\"delay\",\"type\":\"int64\",\"nullable\":true}]}\n");
    }
  }

  @Nested
  class PlanShown {
    @Test
    void saysWhoReadsWhat() {
      CommandRun run =
          CommandRun.of("plan", folder, "--workers", "2", "--split-rows", "20000", "--seed", "4");
      assertThat(run.status()).isZero();
      assertThat(run.out())
          .contains("reader 0 reads\n", "reader 1 reads\n")
          .contains("part-6.parquet rows [0, 20000)")
          .contains("epoch 0, 75,000 rows, 2 files, 4 splits\n")
          .contains("strategy: row groups packed to 20000 rows, dealt largest first\n")
          .contains("shuffle: none, seed 4\n")
          .endsWith("pruned: none\n");
    }

    @Test
    void jsonHasFilesReadersAndTheSequence() {
      CommandRun run =
          CommandRun.of(
              "plan", "--json", folder, "--workers", "3", "--shuffle", "splits", "--epoch", "2");
      assertThat(run.lines()).hasSize(1);
      assertThat(run.out())
          .startsWith("{\"epoch\":2,\"shuffle\":\"splits\",\"seed\":0,\"rows\":75000,\"files\":[")
          .contains("\"rows\":37500,\"rowGroups\":8}", "\"readers\":[{\"reader\":0,\"rows\":37500,")
          .contains("\"sequence\":[{\"file\":\"")
          .contains("\"offset\":0,\"length\":37500}");
    }

    @Test
    void namesTheRowGroupsThatAFilterRulesOut() {
      CommandRun run = CommandRun.of("plan", folder, "--where", "date < '2001-03-20'");
      assertThat(run.status()).isZero();
      assertThat(run.out())
          .contains("pruned: 35,000 rows in 8 row groups\n")
          .contains("part-7.parquet rows [35000, 37500) by statistics\n");
      assertThat(CommandRun.of("plan", "--json", folder, "--where", "date < '2001-03-20'").out())
          .contains("part-7.parquet\",\"offset\":35000,\"length\":2500,\"by\":\"statistics\"}]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000", "7000", "1000000"})
    void rowsReadAndRowsPrunedAreAllRows(String splitRows) {
      String where = "date >= '2001-02-10' and date < '2001-03-20'";
      String plan =
          CommandRun.of("plan", "--json", folder, "--where", where, "--split-rows", splitRows)
              .out();
      assertThat(rows(plan, "\"sequence\":[", "]") + rows(plan, "\"pruned\":[", "]"))
          .isEqualTo(ROWS);
      assertThat(rows(plan, "\"readers\":[", "\"sequence\""))
          .isEqualTo(rows(plan, "\"sequence\":[", "]"))
          .isEqualTo(Long.parseLong(CommandRun.field(plan, "rows")))
          .isLessThan(ROWS);
    }

    private static long rows(String plan, String start, String end) {
      int from = plan.indexOf(start);
      return Pattern.compile("\"length\":([0-9]+)")
          .matcher(plan.substring(from, plan.indexOf(end, from)))
          .results()
          .mapToLong(length -> Long.parseLong(length.group(1)))
          .sum();
    }

    @Test
    void filterThatCannotBeReadIsWrongUsageAndOneThatDoesNotFitIsAFault() {
      CommandRun typo = CommandRun.of("plan", folder, "--where", "delay >== 15");
      assertThat(typo.status()).isEqualTo(2);
      assertThat(typo.err()).contains("delay >== 15");
      CommandRun unfit = CommandRun.of("load", folder, "--where", "origin > 15");
      assertThat(unfit.status()).isEqualTo(1);
      assertThat(unfit.err()).contains("'origin'", "string", "15").doesNotContain("Exception");
    }

    @Test
    void thereIsOneReaderWithoutWorkers() {
      assertThat(CommandRun.of("plan", folder, "--workers", "0").out())
          .contains("reader 0 reads")
          .doesNotContain("reader 1");
    }
  }

  @Nested
  class Head {
    @Test
    void showsTheFirstRowsAsATable() {
      CommandRun run = CommandRun.of("head", "-n", "2", folder);
      assertThat(run.status()).isZero();
      assertThat(run.lines()).hasSize(5);
      assertThat(run.out())
          .startsWith(
              """
              date                        delay  distance  origin  destination
              timestamp[us]               int64     int64  string  string
              --------------------------  -----  --------  ------  -----------
              """);
    }

    @Test
    void tenRowsComeWithoutANumber() {
      assertThat(CommandRun.of("head", folder).lines()).hasSize(13);
      assertThat(CommandRun.of("head", folder, "-n", "0").lines()).hasSize(3);
      assertThat(CommandRun.of("head", folder, "-n", "1500").lines()).hasSize(1503);
    }

    @Test
    void shortBatchIsShownWhateverIsDropped(@TempDir Path text) throws IOException {
      Path file = Files.writeString(text.resolve("rows.csv"), "id\n1\n2\n3\n");
      CommandRun run = CommandRun.of("head", file.toString(), "-n", "2000", "--drop-last");
      assertThat(run.lines()).hasSize(6);
    }
  }

  @Nested
  class Cat {
    @Test
    void printsEveryRowOnceInFileOrder() {
      CommandRun run = CommandRun.of("cat", folder);
      assertThat(run.status()).isZero();
      assertThat(run.lines()).hasSize((int) ROWS);
      List<String> firstFile = run.lines().subList(0, (int) ROWS / 2);
      assertThat(firstFile.stream().map(line -> line.substring(9, 35)).toList()).isSorted();
    }

    @Test
    void workersAndBatchSizeDoNotChangeTheLines() {
      String expected = CommandRun.of("cat", folder, "--workers", "0").out();
      assertThat(CommandRun.of("cat", folder, "--workers", "3", "--batch-size", "777").out())
          .isEqualTo(expected);
    }

    @Test
    void limitStopsEarlyAndColumnsComeInTheirOrder() {
      CommandRun run = CommandRun.of("cat", folder, "--limit", "1500", "--columns", "origin,delay");
      assertThat(run.lines())
          .hasSize(1500)
          .allMatch(line -> line.matches("\\{\"origin\":\"[A-Z]{3}\",\"delay\":-?[0-9]+}"));
      assertThat(CommandRun.of("cat", folder, "--limit", "0").out()).isEmpty();
    }

    @Test
    void blanksBehindCommasAreNoPartOfAName() {
      assertThat(CommandRun.of("cat", folder, "--limit", "9", "--columns", "origin, delay").out())
          .isEqualTo(
              CommandRun.of("cat", folder, "--limit", "9", "--columns", "origin,delay").out());
    }

    @Test
    void rowsWithoutColumnsAreEmptyObjects(@TempDir Path data) throws IOException {
      Path file = Files.writeString(data.resolve("a.jsonl"), "{}\n{}\n");
      assertThat(CommandRun.of("cat", file.toString()).out()).isEqualTo("{}\n{}\n");
    }

    @Test
    void shuffledRowsAreTheSameRows() {
      List<String> plain = CommandRun.of("cat", folder).lines();
      CommandRun run = CommandRun.of("cat", folder, "--shuffle", "splits", "--split-rows", "5000");
      assertThat(run.lines()).isNotEqualTo(plain);
      assertThat(run.lines().stream().sorted().toList())
          .isEqualTo(plain.stream().sorted().toList());
    }

    @Test
    void aReaderThatHasEnoughEndsItQuietly() {
      OutputStream gone =
          new OutputStream() {
            @Override
            public void write(int b) throws IOException {
              throw new IOException("Broken pipe");
            }
          };
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      int status =
          Main.run(
              new String[] {"cat", folder},
              gone,
              new PrintStream(err, true, StandardCharsets.UTF_8));
      assertThat(status).isZero();
      assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void aFullDiskIsOneSentence() {
      OutputStream full =
          new OutputStream() {
            @Override
            public void write(int b) throws IOException {
              throw new IOException("No space left on device");
            }
          };
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      int status =
          Main.run(
              new String[] {"cat", folder},
              full,
              new PrintStream(err, true, StandardCharsets.UTF_8));
      assertThat(status).isEqualTo(1);
      assertThat(err.toString(StandardCharsets.UTF_8))
          .isEqualTo("Cannot write the output: No space left on device.\n");
    }
  }

  @Nested
  class Load {
    @Test
    void saysWhatAFilterLeftOutAndByWhat() {
      String where = "date < '2001-03-20' and delay >= 15";
      CommandRun run = CommandRun.of("load", folder, "--where", where);
      assertThat(run.out())
          .contains("The filter left out ", " 35,000 by statistics of row groups,");
      assertThat(CommandRun.of("load", "--json", folder, "--where", where).out())
          .contains("\"skippedRows\":{\"files\":0,\"statistics\":35000,\"bloomFilters\":0,");
      assertThat(CommandRun.of("cat", folder, "--where", where).lines())
          .hasSize((int) rows(run.out()));
    }

    private static long rows(String out) {
      return Long.parseLong(
          out.lines()
              .filter(line -> line.contains(" rows in "))
              .findFirst()
              .orElseThrow()
              .split(" ", 2)[0]
              .replace(",", ""));
    }

    @Test
    void jsonHasALineAnEpochWithAllFields() {
      CommandRun run = CommandRun.of("load", folder, "--epochs", "2", "--epoch", "3", "--json");
      assertThat(run.status()).isZero();
      assertThat(run.lines()).hasSize(2);
      String number = "-?[0-9.E-]+";
      assertThat(run.lines().get(1))
          .matches(
              "\\{\"epoch\":4,\"rows\":75000,\"batches\":74,\"seconds\":N,\"rowsPerSecond\":N,"
                      .replace("N", number)
                  + "\"bytesRead\":[1-9][0-9]*,\"waitSeconds\":N,\"peakMemoryBytes\":[1-9][0-9]*,"
                      .replace("N", number)
                  + "\"orderDigest\":\"[0-9a-f]{16}\",\"contentDigest\":\"[0-9a-f]{16}\"}");
    }

    @Test
    void digestsDoNotDependOnWorkersOrBatchSize() {
      Set<String> digests = new HashSet<>();
      for (String[] setting :
          new String[][] {{"0", "1024"}, {"1", "100"}, {"2", "75000"}, {"4", "4096"}}) {
        String line =
            CommandRun.of(
                    "load", folder, "--json", "--workers", setting[0], "--batch-size", setting[1])
                .out();
        digests.add(
            CommandRun.field(line, "orderDigest") + CommandRun.field(line, "contentDigest"));
      }
      assertThat(digests).hasSize(1);
    }

    @Test
    void shuffleMovesTheOrderDigestOnly() {
      List<String> lines =
          CommandRun.of(
                  "load",
                  folder,
                  "--json",
                  "--epochs",
                  "2",
                  "--shuffle",
                  "splits",
                  "--split-rows",
                  "5000")
              .lines();
      assertThat(CommandRun.field(lines.get(0), "orderDigest"))
          .isNotEqualTo(CommandRun.field(lines.get(1), "orderDigest"));
      assertThat(CommandRun.field(lines.get(0), "contentDigest"))
          .isEqualTo(CommandRun.field(lines.get(1), "contentDigest"));
    }

    @Test
    void bottleneckIsNamedBesideTheData() {
      assertThat(CommandRun.of("load", folder, "--json").err())
          .matches("[A-Z].* bottleneck.*\\.\n");
      assertThat(CommandRun.of("load", folder, "--json", "--progress", "none").err()).isEmpty();
    }

    @Test
    void peopleGetATableAndASentence() {
      CommandRun run = CommandRun.of("load", folder, "--drop-last", "--workers", "1");
      assertThat(run.out())
          .startsWith("epoch    rows  batches")
          .contains("74,752       73")
          .endsWith("s over 1 epoch, with 1 worker and batches of 1,024.\n");
    }

    @Test
    void anEpochIsReportedWhenItEndsWhateverBecomesOfTheNext() {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      OutputStream fullAfterOne =
          new OutputStream() {
            @Override
            public void write(int b) throws IOException {
              if (out.toString(StandardCharsets.UTF_8).chars().filter(c -> c == '\n').count() > 2) {
                throw new IOException("No space left on device");
              }
              out.write(b);
            }
          };
      String[] words = {"load", folder, "--epochs", "2"};
      int status =
          Main.run(
              words,
              fullAfterOne,
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
      assertThat(status).isEqualTo(1);
      assertThat(out.toString(StandardCharsets.UTF_8))
          .startsWith("epoch ")
          .contains("\n    0  75,000 ");
    }

    @Test
    void aShuffleThatMovesNothingIsPointedOut() {
      assertThat(
              CommandRun.of("load", folder + "/part-6.parquet", "--shuffle", "splits", "--json")
                  .err())
          .startsWith("Note: --shuffle splits has a single split here");
    }
  }

  @Nested
  class TablesAtLocations {
    private static final String DELTA =
        "../delta/src/test/resources/golden/dv-partitioned-with-checkpoint";

    @Test
    void deltaTableIsReadAsTheTable() {
      CommandRun run = CommandRun.of("load", DELTA, "--json");
      assertThat(run.status()).as(run.err()).isZero();
      assertThat(run.out()).contains("\"rows\":35,");
      assertThat(CommandRun.of("load", DELTA, "--json", "--snapshot", "0").out())
          .contains("\"rows\":")
          .doesNotContain("\"rows\":35,");
      assertThat(CommandRun.of("schema", DELTA).out())
          .contains("part", "col1", "col2")
          .endsWith("\ntable testId at version(15), 2 rows deleted by vectors\n");
      assertThat(CommandRun.of("schema", DELTA, "--json").out()).contains("\"deletedRows\":2}");
      assertThat(CommandRun.of("plan", DELTA).out()).contains(" at version(15), 2 rows deleted");
    }

    @Test
    void deltaTableIsReadAsOfATime() {
      assertThat(CommandRun.of("schema", DELTA, "--as-of", "2100-01-01T00:00:00").out())
          .contains(" at version(15)");
      CommandRun early = CommandRun.of("schema", DELTA, "--as-of", "1960-01-01T00:00:00Z");
      assertThat(early.status()).isEqualTo(1);
      assertThat(early.err()).contains("the first version in its log is version(0) of ");
    }

    @Test
    void formatReadsTheFilesAllTheSame() {
      CommandRun run = CommandRun.of("load", DELTA, "--json", "--format", "parquet");
      assertThat(run.status()).as(run.err()).isZero();
      assertThat(run.out()).doesNotContain("\"rows\":35,");
    }

    @Test
    void optionsOfIcebergAreRefused() {
      CommandRun run = CommandRun.of("load", DELTA, "--ref", "main");
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err()).startsWith("Cannot use --catalog or --ref with '" + DELTA + "'");
    }

    @Test
    void locationsAreMapped() {
      CommandRun run = CommandRun.of("load", DELTA, "--json", "--map-location", "file:/a=/b");
      assertThat(run.status()).as(run.err()).isZero();
      CommandRun none = CommandRun.of("load", DELTA, "--json", "--map-location", "=/b");
      assertThat(none.status()).isEqualTo(2);
      assertThat(none.err()).startsWith("Cannot use --map-location: expected KEY=VALUE");
    }

    @Test
    void tableBelowALocationIsAnError() {
      CommandRun run = CommandRun.of("load", "../delta/src/test/resources/golden");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).contains("is a Delta table").contains("--format");
    }
  }

  @Nested
  class Bench {
    @Test
    void recommendsExactlyOneSetting() {
      CommandRun run =
          CommandRun.of("bench", folder, "--workers=0,2", "--warm-up=0", "--rounds=1", "--json");
      assertThat(run.status()).isZero();
      assertThat(run.lines()).hasSize(2);
      assertThat(run.lines())
          .allMatch(line ->
              line.matches(
                  "\\{\"workers\":[02],\"rowsPerSecond\":[0-9.E]+,\"waitSeconds\":[0-9.E-]+,"
                      + "\"recommended\":(true|false)}"));
      assertThat(run.lines().stream().filter(line -> line.contains("true"))).hasSize(1);
    }

    @Test
    void saysWhatTheLoaderChose() {
      CommandRun run =
          CommandRun.of("bench", folder, "--workers=1,auto", "--warm-up=0", "--rounds=1", "--json");
      assertThat(run.status()).isZero();
      assertThat(run.lines().getFirst()).doesNotContain("auto");
      assertThat(run.lines().getLast()).startsWith("{\"workers\":").endsWith(",\"auto\":true}");
    }

    @Test
    void measuresTheFeatureMatrix() {
      CommandRun run =
          CommandRun.of(
              "bench",
              folder,
              "--workers",
              "1",
              "--warm-up",
              "0",
              "--rounds",
              "1",
              "--features",
              "delay,distance",
              "--matrix");
      assertThat(run.status()).isZero();
      assertThat(run.out()).contains("Use --workers 1: ");
    }

    @Test
    void negativeTimeToWarmUpIsWrongUsage() {
      CommandRun run = CommandRun.of("bench", folder, "--warm-up=-1");
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err()).startsWith("--warm-up must be at least 0, got -1.");
    }
  }

  @Nested
  class Demo {
    @Test
    void beatsTheBaseRateAndRepeatsItself() {
      CommandRun first = CommandRun.of("demo", "--epochs", "2", "--workers", "0");
      CommandRun second =
          CommandRun.of("demo", "--epochs", "2", "--workers", "2", "--progress", "none");
      assertThat(first.status()).isZero();
      assertThat(second.err()).isEmpty();
      assertThat(results(second)).isEqualTo(results(first)).hasSize(4);
      double base = lastNumber(results(first).get(2), 1);
      double model = lastNumber(results(first).get(3), 1);
      assertThat(model).isLessThan(base - 0.03);
      assertThat(lastNumber(results(first).get(2), 0)).isEqualTo(0.5);
      assertThat(lastNumber(results(first).get(3), 0)).isGreaterThan(0.65);
    }

    private static List<String> results(CommandRun run) {
      return run.lines().stream()
          .filter(line -> line.matches(" *(epoch [0-9]+:|always|the model).*"))
          .toList();
    }

    private static double lastNumber(String line, int fromTheEnd) {
      String[] words = line.split(" +", -1);
      return Double.parseDouble(words[words.length - 1 - fromTheEnd]);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo", "schema", "plan", "head", "cat", "load", "bench", "cache", "report", "serve",
        "order", ""
      })
  void everyCommandSaysWhichVersionItIs(String command) {
    for (String option : List.of("-V", "--version")) {
      CommandRun run = command.isEmpty() ? CommandRun.of(option) : CommandRun.of(command, option);
      assertThat(run.status()).isZero();
      assertThat(run.out()).startsWith("penstock ").hasLineCount(1);
    }
  }

  @Nested
  class WhenTheRequestIsAtFault {
    @Test
    void aMissingPathIsOneSentence() {
      CommandRun run = CommandRun.of("cat", "/no/such/place");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.err())
          .startsWith("Cannot read '/no/such/place': no such file or folder.")
          .hasLineCount(1);
    }

    @Test
    void adviceOfTheLibraryHasTheOptionThatFollowsIt(@TempDir Path data) throws IOException {
      Path unknown = Files.writeString(data.resolve("a.dat"), "a,b\n1,2\n");
      assertThat(CommandRun.of("cat", unknown.toString()).err())
          .endsWith("is read where it is named itself, with --format NAME.\n");
      assertThat(CommandRun.of("cat", unknown.toString(), "--format", "csv").lines()).hasSize(1);
      Files.writeString(data.resolve("b.csv"), "a\n1\n");
      assertThat(CommandRun.of("cat", data.toString()).err())
          .endsWith("Choose one with --format NAME, or a glob that leaves the others out.\n");
      Files.move(unknown, data.resolve("a.csv"));
      assertThat(CommandRun.of("cat", data.toString()).err())
          .contains("Allow missing columns with --missing-columns nulls, read other columns")
          .endsWith(" On the command line: --columns a,b.\n");
      assertThat(CommandRun.of("cat", data.toString(), "--columns", "a").lines()).hasSize(2);
      assertThat(CommandRun.of("cat", data.toString(), "--missing-columns", "nulls").lines())
          .containsExactly("{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":null}");
    }

    @Test
    void columnsAreReadInTheTypeThatIsAskedFor(@TempDir Path data) throws IOException {
      Files.writeString(data.resolve("a.csv"), "n,when\n1,2001-02-03\n");
      Files.writeString(data.resolve("b.csv"), "n,when\n1.5,2001-02-04\n");
      assertThat(CommandRun.of("cat", data + "/*.csv", "--cast", "n=int64").err())
          .contains("column 'n'", "--cast COLUMN=TYPE")
          .doesNotContain("cast()");
      assertThat(
              CommandRun.of(
                      "cat",
                      data + "/*.csv",
                      "--cast",
                      "n=decimal(3, 1)",
                      "--cast",
                      "wh*=timestamp[us]")
                  .lines())
          .containsExactly(
              "{\"n\":\"1.0\",\"when\":\"2001-02-03T00:00:00.000000\"}",
              "{\"n\":\"1.5\",\"when\":\"2001-02-04T00:00:00.000000\"}");
    }

    @Test
    void aCastThatWouldChangeAValueNamesNoCall() {
      CommandRun run = CommandRun.of("load", folder, "--columns", "delay", "--cast", "delay=int8");
      assertThat(run.err())
          .startsWith("Cannot read column 'delay' as int8: the value '")
          .contains("' (int64) is out of its range. Choose another type. [");
      assertThat(run.status()).isEqualTo(1);
    }

    @Test
    void everyTypeThatSchemaPrintsCanBeNamed() {
      for (String type :
          List.of(
              "bool",
              "int8",
              "uint64",
              "float16",
              "decimal(38, 10)",
              "string",
              "binary",
              "fixed(16)",
              "uuid",
              "date",
              "time[ms]",
              "timestamp[ns, UTC]")) {
        assertThat(DataType.parse(type)).hasToString(type);
      }
      for (String none : List.of("", "int", "int7", "decimal(1)", "date[ms]", "list<int8>")) {
        assertThatThrownBy(() -> DataType.parse(none))
            .hasMessageStartingWith("Cannot cast to '" + none + "': expected a type as");
      }
    }

    @Test
    void nullsThatAPolicyRefusesNameTheOthers(@TempDir Path data) throws IOException {
      Path file = Files.writeString(data.resolve("a.csv"), "a,s\n1,x\n2,\n");
      assertThat(CommandRun.of("load", file.toString(), "--nulls", "error").err())
          .isEqualTo(
              "Cannot batch column 's': row 1 is null and --nulls error has no place for one. Use"
                  + " --nulls nan or --nulls mask, which keep it, or --nulls fill:VALUE. [%s, row 1]\n"
                      .formatted(file));
    }

    @Test
    void nullsThatWillEndTheEpochAreSaidAtItsStart(@TempDir Path data) throws IOException {
      Path null1 = Files.createDirectories(data.resolve("k=__HIVE_DEFAULT_PARTITION__"));
      Files.writeString(Files.createDirectories(data.resolve("k=1")).resolve("a.csv"), "a\n1\n2\n");
      Files.writeString(null1.resolve("a.csv"), "a\n3\n");
      String[] load = {"load", data.toString(), "--partitioning", "hive", "--progress", "none"};
      assertThat(CommandRun.of(load).err())
          .startsWith(
              "Warning: The first null will end the epoch, as there is no place for it: column 'k'"
                  + " has 1 null. Use --nulls fill:VALUE or --nulls mask, or leave the rows out by a"
                  + " filter such as 'k is not null'.\nCannot batch column 'k': ");
      assertThat(CommandRun.of(with(load, "--nulls", "mask")).err()).isEmpty();
      assertThat(CommandRun.of(with(load, "--where", "k is not null")).err()).isEmpty();
    }

    private static String[] with(String[] arguments, String... more) {
      return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void anOptionOfAFormatNeedsAValue() {
      CommandRun run = CommandRun.of("cat", folder, "--format-option", "delimiter");
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err())
          .startsWith("Cannot use --format-option: expected KEY=VALUE, got a text without '='.\n");
    }

    @Test
    void anUnknownColumnListsTheColumns() {
      CommandRun run = CommandRun.of("load", folder, "--columns", "dellay");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err())
          .contains(
              "'dellay'",
              ". Did you mean 'delay'? Columns are: [date, delay, distance, origin, destination].")
          .hasLineCount(1);
    }

    @Test
    void aFileThatIsNoParquetIsNamed(@TempDir Path temporary) throws IOException {
      Path file = Files.writeString(temporary.resolve("x.parquet"), "not a table, I fear");
      CommandRun run = CommandRun.of("schema", file.toString());
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).contains("x.parquet").hasLineCount(1).doesNotContain("Exception");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            --batch-size 0 | --batch-size must be at least 1, got 0.
            --workers -1 | --workers must be at least 0, got -1.
            --prefetch-factor 0 | --prefetch-factor must be at least 1, got 0.
            --workers many | Cannot use 'many' as a number of workers: expected 0, 1, 2, ... or auto.
            --epoch -1 | --epoch must be at least 0, got -1.
            --split-rows 0 | --split-rows must be at least 1, got 0.
            --split-rows 1 --split-bytes 1 | Cannot use both --split-bytes and --split-rows: choose one.
            --cast price | Cannot use --cast: expected KEY=VALUE, got a text without '='.
            --missing-columns no | Cannot use missing-columns 'no': expected error or nulls.
            --nulls zero | Cannot treat nulls as 'zero': expected nan, fill:VALUE, mask or error.
            --nulls fill:x | Cannot fill nulls with 'x': expected a number, such as fill:0 or fill:-1.5.
            --limit -1 | --limit must be at least 0, got -1.
            --memory 0 | memory must be more than 0 bytes.
            --memory much | Cannot read 'much' as a size: expected a number and a unit, such as '128MiB'.
            --batch-size ten | Invalid value for option '--batch-size': 'ten' is not an int.
            """)
    void wrongValuesAreWrongUsage(String options, String sentence) {
      CommandRun run = CommandRun.ofLine("cat " + folder + " " + options);
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).isEqualTo(sentence + "\nTry 'penstock cat --help'.\n");
    }

    @Test
    void tooLittleMemoryIsOneSentenceThatSaysWhatIsNeeded() {
      CommandRun run = CommandRun.of("cat", folder, "--memory", "1KiB");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.err())
          .contains("with 1 KiB of memory: at least ")
          .endsWith(
              "Give more with --memory SIZE, or make batches smaller. On the command line:"
                  + " --batch-size N.\n")
          .hasLineCount(1);
    }

    @Test
    void unknownOptionIsWrongUsage() {
      CommandRun run = CommandRun.of("cat", folder, "--tabel", "x");
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err())
          .isEqualTo(
              "Unknown option: '--tabel'. Did you mean '--table'?\nTry 'penstock cat --help'.\n");
      assertThat(CommandRun.of("plan", "--workres=2", folder).err())
          .startsWith("Unknown option: '--workres=2'. Did you mean '--workers'?\n");
      assertThat(CommandRun.of("cat", folder, "--zzzzzz").err())
          .startsWith("Unknown option: '--zzzzzz'.\n");
    }

    @Test
    void moreWorkersThanDoAnyGoodAreWrongUsage() {
      for (String command : List.of("load", "bench")) {
        CommandRun run = CommandRun.of(command, folder, "--workers", "9999");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
            .startsWith("--workers must be at most 1000, got 9999: each is a thread with memory");
      }
    }

    @Test
    void homeIsForTheShellToFill() {
      assertThat(CommandRun.of("cat", "~/nowhere").err())
          .startsWith("Cannot read '~/nowhere': no such file or folder. A leading ~ is the home");
      assertThat(CommandRun.of("cat", folder, "--resume=~/nowhere").err())
          .startsWith(
              "Invalid value for option '--resume' (FILE): Cannot use '~/nowhere' as a local path: a"
                  + " leading ~ is the home folder to a shell");
    }

    @Test
    void noPathAndNoCommandAreWrongUsage() {
      assertThat(CommandRun.of("schema").err())
          .startsWith("Missing URI: name at least one folder, file or glob to read.");
      assertThat(CommandRun.of("schema").status()).isEqualTo(2);
      assertThat(CommandRun.of().err())
          .startsWith(
              "Missing command: expected one of [demo, schema, plan, head, cat, load, bench, cache, report, serve, order].");
      assertThat(CommandRun.of().status()).isEqualTo(2);
      assertThat(CommandRun.of("dog").err()).startsWith("Cannot run 'dog': no such command.");
      assertThat(CommandRun.of("laod").err())
          .contains(" bench, cache, report, serve, order]. Did you mean 'load'?\n");
      assertThat(CommandRun.of("dog").status()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo", "schema", "plan", "head", "cat", "load", "bench", "cache", "report", "serve",
        "order"
      })
  void everyCommandHasHelpAndTakesProgressNone(String command) {
    CommandRun run = CommandRun.of(command, "--help", "--progress", "none");
    assertThat(run.status()).isZero();
    assertThat(run.out()).startsWith("Usage: penstock " + command);
    assertThat(run.err()).isEmpty();
  }
}
