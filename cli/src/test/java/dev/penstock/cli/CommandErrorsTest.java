package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.schema.DataType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Wrong usage, and data that cannot be read: a sentence each, which says what to do.
class CommandErrorsTest {
  private static final String folder = HeldOutFlights.FOLDER.toString();

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
    Path other = Files.writeString(data.resolve("c.jsonl"), "{}\n");
    assertThat(CommandRun.of("cat", data.toString()).err())
        .endsWith("Choose one with --format NAME, or a glob that leaves the others out.\n");
    Files.delete(other);
    Files.move(unknown, data.resolve("a.csv"));
    assertThat(CommandRun.of("cat", data.toString()).err())
        .contains(
            "Allow missing columns with --missing-columns nulls, leave the column out of --columns,");
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

  @ParameterizedTest
  @ValueSource(strings = {"schema", "head", "cat", "plan", "load --progress none", "bench"})
  void doubtsAreSaidOnceByEachCommand(String command, @TempDir Path data) throws IOException {
    Files.writeString(data.resolve("a.csv"), "a;b\n1;2\n");
    Files.writeString(data.resolve("LICENSE"), "Do.");
    assertThat(CommandRun.ofLine(command + " @", data.toString()).err().lines())
        .filteredOn(line -> line.startsWith("Warning: ") || line.startsWith("["))
        .containsExactly(
            "Warning: Left out files that have neither the extension nor the first bytes of a data"
                + " format: 1 no extension (LICENSE). One is read where it is named itself, with"
                + " --format NAME.",
            "Warning: There is a single column, but ';' cuts each of the first records into 2"
                + " fields. If that separates fields, set --format-option 'delimiter=;'. ["
                + data.resolve("a.csv")
                + "]");
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
          --batch-size 0 | Cannot use --batch-size '0': expected a whole number of at least 1.
          --workers -1 | Cannot use --workers '-1': expected a whole number from 0 to 1000, or auto.
          --prefetch-factor 0 | Cannot use --prefetch-factor '0': expected a whole number of at least 1.
          --workers many | Cannot use --workers 'many': expected a whole number from 0 to 1000, or auto.
          --epoch -1 | --epoch must be at least 0, got -1.
          --split-rows 0 | Cannot use --split-rows '0': expected a whole number of at least 1.
          --cast price | Cannot use --cast: expected KEY=VALUE, got a text without '='.
          --missing-columns no | Cannot use --missing-columns 'no': expected error or nulls.
          --nulls zero | Cannot treat nulls as 'zero': expected nan, fill:VALUE, mask or error. [--nulls]
          --nulls fill:x | Cannot fill nulls with 'x': expected a number, such as fill:0 or fill:-1.5. [--nulls]
          --limit -1 | --limit must be at least 0, got -1.
          --memory 0 | memory must be more than 0 bytes. [--memory]
          --memory much | Cannot read 'much' as a size: expected a number and a unit, such as '128MiB'. [--memory]
          --batch-size ten | Cannot use --batch-size 'ten': expected a whole number of at least 1.
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
        .endsWith("Give more with --memory SIZE, or make batches smaller.\n")
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
          .startsWith("Cannot use --workers '9999': expected a whole number from 0 to 1000");
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
        .startsWith("Missing location: name at least one folder, file or glob to read.");
    assertThat(CommandRun.of("schema").status()).isEqualTo(2);
    assertThat(CommandRun.of().err())
        .startsWith(
            "Missing command: expected one of [demo, schema, plan, head, cat, load, rows, audit, bench, score, cache, report, serve, order].");
    assertThat(CommandRun.of().status()).isEqualTo(2);
    assertThat(CommandRun.of("dog").err()).startsWith("Cannot run 'dog': no such command.");
    assertThat(CommandRun.of("laod").err())
        .contains(" bench, score, cache, report, serve, order]. Did you mean 'load'?\n");
    assertThat(CommandRun.of("dog").status()).isEqualTo(2);
  }
}
