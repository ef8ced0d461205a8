package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `penstock rows`, and steps and rows that are left out, on 60 rows in 3 files.
class RowsCommandTest {
  private static final int FILES = 3;
  private static final int ROWS = 20;
  private static final Pattern ROW =
      Pattern.compile(
          "\\{\"epoch\":(\\d+),\"step\":(\\d+),\"rank\":(\\d+),\"place\":(\\d+),"
              + "\"file\":\"([^\"]*)\",\"row\":(\\d+)}");

  @TempDir Path folder;
  private Path data = Path.of("");

  @BeforeEach
  void writeFiles() throws IOException {
    data = Files.createDirectory(folder.resolve("data"));
    for (int file = 0; file < FILES; file++) {
      int first = file * ROWS;
      Files.writeString(
          data.resolve(file + ".csv"),
          IntStream.range(first, first + ROWS)
              .mapToObj(id -> id + "\n")
              .collect(Collectors.joining("", "id\n", "")));
    }
  }

  /// Runs a line, in which each `@` stands for a text or a file, and `DATA` for the data.
  private CommandRun run(String line, Object... files) {
    Iterator<Object> each = List.of(files).iterator();
    return CommandRun.of(
        Stream.of(line.strip().split(" +"))
            .map(word -> word.equals("@") ? each.next().toString() : word)
            .map(word -> word.equals("DATA") ? data.toString() : word)
            .toArray(String[]::new));
  }

  private List<String> done(String line, Object... files) {
    CommandRun run = run(line, files);
    assertThat(run.status()).as(run.err()).isZero();
    return run.lines();
  }

  /// Returns what `cat` prints for the row of a line.
  private static String printed(String line) {
    Matcher row = ROW.matcher(line);
    assertThat(row.matches()).as(line).isTrue();
    int file = Integer.parseInt(row.group(5).replaceFirst(".*/(\\d)\\.csv", "$1"));
    return "{\"id\":" + (file * ROWS + Integer.parseInt(row.group(6))) + "}";
  }

  private static List<String> printed(List<String> lines) {
    return lines.stream().map(RowsCommandTest::printed).toList();
  }

  private static List<String> ofRank(List<String> lines, int rank) {
    return lines.stream().filter(line -> line.contains("\"rank\":" + rank + ",")).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--batch-size 7",
        "--batch-size 7 --drop-last --epoch 2",
        "--batch-size 4 --shuffle splits --split-rows 6 --seed 3",
        "--batch-size 5 --shuffle window:13 --epoch 1",
        "--batch-size 7 --rank-end pad",
        "--batch-size 8 --rank-end drop --shuffle window:30"
      })
  void rowsOfAllStepsAreWhatCatPrints(String options) {
    for (int world : new int[] {1, 3}) {
      String asked = "rows DATA --steps 0..99 --json --world " + world + " " + options;
      List<String> rows = done(asked);
      for (int rank = 0; rank < world; rank++) {
        String ofRank = " --rank " + rank + "/" + world + " " + options;
        List<String> printed = done("cat DATA" + ofRank);
        assertThat(printed(ofRank(rows, rank))).isEqualTo(printed).isNotEmpty();
        assertThat(done("rows DATA --steps 0..99 --json" + ofRank)).isEqualTo(ofRank(rows, rank));
      }
    }
  }

  @Test
  void stateTellsStepsOfEarlierWorldsToo() {
    Path state = folder.resolve("s.json");
    String options = " --batch-size 6 --shuffle window:20 --seed 5 ";
    List<String> before = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      before.addAll(
          done(
              "cat DATA --stop-after-batches 2 --save-state @ --rank " + rank + "/2" + options,
              state));
    }
    List<String> rows = done("rows DATA --steps 0..99 --json --state @" + options, state);
    List<String> first = done("rows DATA --steps 0..2 --json --state @" + options, state);
    assertThat(rows.subList(0, 24)).isEqualTo(first);
    assertThat(printed(first)).hasSameElementsAs(before).hasSize(24);
    assertThat(printed(rows)).doesNotHaveDuplicates().hasSize(60);
    Path later = folder.resolve("later.json");
    List<String> after =
        done("cat DATA --resume @ --save-state @ --stop-after-batches 3" + options, state, later);
    List<String> third = done("rows DATA --batch 3 --json --state @" + options, later);
    assertThat(printed(third)).isEqualTo(after.subList(6, 12));
  }

  @Test
  void consecutiveRowsAreALine() {
    CommandRun run = run("rows DATA --steps 2..4 --batch-size 8");
    assertThat(run.out())
        .isEqualTo(
            """
            epoch 0, steps 2..4: 16 rows of 2 files, to 1 rank
            files are in %s/

            step  rank   place       row  file
            ----  ----  ------  --------  -----
               2     0  [0, 4)  [16, 20)  0.csv
               2     0  [4, 8)    [0, 4)  1.csv
               3     0  [0, 8)   [4, 12)  1.csv
            """
                .formatted(data));
    assertThat(run.err()).contains("--exclude", "--skip").hasLineCount(1);
  }

  @Test
  void longTablesEndWithANumber() {
    String asked = "rows DATA --steps 0..60 --batch-size 1";
    assertThat(run(asked).lines())
        .hasSize(46)
        .last()
        .isEqualTo("and 20 more lines: --limit N shows more, --json all.");
    assertThat(run(asked + " --limit 100").lines()).hasSize(65);
    assertThat(run(asked + " --limit 2 --json").lines()).hasSize(2);
  }

  @Test
  void rowsAreFoundInEachEpoch() {
    String options = " --batch-size 4 --shuffle window:25 --world 2 --json";
    List<String> found = done("rows DATA --where-row @ --epochs 0..3" + options, "id in (17, 41)");
    assertThat(printed(found)).hasSize(6).containsOnly("{\"id\":17}", "{\"id\":41}");
    for (int epoch = 0; epoch < 3; epoch++) {
      List<String> all = done("rows DATA --steps 0..99 --epoch " + epoch + options);
      assertThat(found.subList(2 * epoch, 2 * epoch + 2)).isSubsetOf(all);
    }
    CommandRun none = run("rows DATA --where-row @", "id = 99");
    assertThat(none.status()).isEqualTo(1);
    assertThat(none.err()).isEqualTo("No row of the epoch is one where id = 99.\n");
  }

  @Test
  void skippedStepsAreLeftOutAlsoAfterAStop() {
    String options = " --batch-size 7 --shuffle window:30 ";
    List<String> whole = done("cat DATA" + options);
    List<String> kept = new ArrayList<>(whole.subList(0, 14));
    kept.addAll(whole.subList(28, 60));
    assertThat(done("cat DATA --skip 2..4" + options)).isEqualTo(kept);
    Path state = folder.resolve("s.json");
    List<String> parts =
        new ArrayList<>(
            done("cat DATA --skip 2..4 --stop-after-batches 1 --save-state @" + options, state));
    assertThat(parts).hasSize(7);
    parts.addAll(done("cat DATA --resume @" + options, state));
    assertThat(parts).isEqualTo(kept);
    List<String> asked = done("rows DATA --steps 0..99 --json --state @" + options, state);
    assertThat(printed(asked)).isEqualTo(kept);
    assertThat(run("rows DATA --steps 2..4 --state @" + options, state).err())
        .isEqualTo(
            "Cannot show steps 2..4 of epoch 0: they have no rows. The epoch ends before them, or"
                + " they are skipped.\n");
  }

  @Test
  void stepsAreSkippedFromAState() {
    String options = " --batch-size 7 ";
    Path state = folder.resolve("s.json");
    List<String> whole = done("cat DATA" + options);
    done("cat DATA --stop-after-batches 3 --save-state @" + options, state);
    assertThat(done("cat DATA --resume @ --skip 0..1 --skip 3..5" + options, state))
        .isEqualTo(whole.subList(35, 60));
  }

  @Test
  void printedRowsAreExcluded() throws IOException {
    String options = " --batch-size 7 --shuffle window:30 ";
    Path bad = folder.resolve("bad.jsonl");
    List<String> lines = done("rows DATA --batch 1 --json" + options);
    Files.write(bad, lines);
    List<String> kept = new ArrayList<>(done("cat DATA" + options));
    kept.removeAll(printed(lines));
    assertThat(done("cat DATA --exclude @" + options, bad))
        .containsExactlyInAnyOrderElementsOf(kept)
        .hasSize(53);
    Path state = folder.resolve("s.json");
    List<String> parts =
        new ArrayList<>(
            done(
                "cat DATA --exclude @ --save-state @ --stop-after-batches 2" + options,
                bad,
                state));
    parts.addAll(done("cat DATA --resume @" + options, state));
    assertThat(parts).isEqualTo(done("cat DATA --exclude @" + options, bad));
  }

  @Test
  void excludedInTheMiddleTheRestComesOnce() throws IOException {
    String options = " --batch-size 7 --shuffle window:30 ";
    Path bad = Files.writeString(folder.resolve("bad.jsonl"), "{\"id\":3}\n{\"id\":59}\n");
    Path state = folder.resolve("s.json");
    List<String> first = done("cat DATA --save-state @ --stop-after-batches 3" + options, state);
    List<String> rest = done("cat DATA --resume @ --exclude @" + options, state, bad);
    assertThat(rest).doesNotContain("{\"id\":3}", "{\"id\":59}").doesNotContainAnyElementsOf(first);
    List<String> all = new ArrayList<>(done("cat DATA"));
    all.removeAll(first);
    all.removeAll(List.of("{\"id\":3}", "{\"id\":59}"));
    assertThat(rest).containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  void loadCountsWhatIsLeft() {
    CommandRun run = run("load DATA --batch-size 7 --skip 2..4 --epochs 2 --json --progress none");
    assertThat(run.lines().get(0)).contains("\"rows\":46,\"batches\":7");
    assertThat(run.lines().get(1)).contains("\"rows\":60,\"batches\":9");
    Path state = folder.resolve("s.json");
    CommandRun stopped =
        run("load DATA --batch-size 7 --skip 2..4 --stop-after-batches 4 --save-state @", state);
    assertThat(stopped.err()).contains("Stopped in epoch 0 after its batch 6: ");
    String rest = done("load DATA --batch-size 7 --resume @ --json", state).getFirst();
    assertThat(rest).contains("\"rows\":46,\"batches\":7", "\"resumedAfterBatches\":6");
    for (String digest : List.of("orderDigest", "contentDigest")) {
      assertThat(CommandRun.field(rest, digest))
          .isEqualTo(CommandRun.field(run.lines().get(0), digest));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rows | Missing what to ask for: give --steps A..B, --batch N or --where-row EXPR.
          rows --steps 1..2 --batch 1 | Cannot use --steps, --batch and --where-row together: choose one.
          rows --steps 1 | Cannot use --steps '1': expected A..B, the first and the one after the last, such as 40..42.
          rows --steps 5..3 | Cannot use --steps '5..3': expected A..B, the first and the one after the last, such as 40..42.
          rows --steps 5..5 | Cannot use --steps 5..5: it is empty, as B is the one after the last. For 5 alone it is 5..6.
          rows --steps -1..5 | Cannot use --steps '-1..5': expected A..B, the first and the one after the last, such as 40..42.
          rows --steps 0..99999999999999999999 | Cannot use --steps '0..99999999999999999999': expected A..B, the first and the one after the last, such as 40..42.
          rows --batch -1 | --batch must be at least 0, got -1.
          rows --batch 1 --limit 0 | --limit must be at least 1, got 0.
          rows --batch 1 --world 0 | --world must be at least 1, got 0.
          rows --batch 1 --world 4 --rank 0/4 | Cannot use --world with --rank: R/W has the number of ranks.
          rows --batch 1 --world 4 --state s | Cannot use --world with --state: the state has it.
          rows --batch 1 --epochs 0..2 | Cannot use --epochs without --where-row: choose one by --epoch.
          rows --where-row id=1 --epochs 0..2 --epoch 1 | Cannot use --epochs with --epoch: choose one of them.
          rows --batch 9223372036854775807 | A step is a number from 0 on, got 9223372036854775807.
          cat --skip 4 | Cannot use --skip '4': expected A..B, the first and the one after the last, such as 40..42.
          load --skip 4..4 | Cannot use --skip 4..4: it is empty, as B is the one after the last. For 4 alone it is 4..5.
          """)
  void wrongValuesAreWrongUsage(String command, String sentence) {
    CommandRun run = run(command + " DATA");
    assertThat(run.err())
        .isEqualTo(
            sentence + "\nTry 'penstock %s --help'.\n".formatted(command.replaceFirst(" .*", "")));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void whatTheDataDoesNotHaveIsOneSentence() throws IOException {
    CommandRun behind = run("rows DATA --steps 9..20 --batch-size 7");
    assertThat(behind.status()).isEqualTo(1);
    assertThat(behind.err()).startsWith("Cannot show steps 9..20 of epoch 0: they have no rows.");
    assertThat(run("rows DATA --batch 0 --state @", folder.resolve("none")).err())
        .isEqualTo("Cannot resume from '%s': no such file.\n".formatted(folder.resolve("none")));
    Path state = folder.resolve("s.json");
    done("cat DATA --stop-after-batches 1 --save-state @ --batch-size 7 --seed 1", state);
    CommandRun other = run("rows DATA --batch 0 --batch-size 7 --seed 2 --state @", state);
    assertThat(other.status()).isEqualTo(1);
    assertThat(other.err()).contains("the seed is '2' here but '1' in the state").hasLineCount(1);
    CommandRun later = run("rows DATA --batch 0 --seed 2 --epoch 3 --state @", state);
    assertThat(later.status()).isEqualTo(1);
    assertThat(later.err()).contains("the seed is '2' here but '1' in the state").hasLineCount(1);
    for (String line : List.of("{\"id\":", "[1]", "{}", "{\"ids\":4}", "{\"id\":4711}", "x")) {
      Path bad = Files.writeString(folder.resolve("bad.jsonl"), "{\"id\":4}\n" + line + "\n");
      CommandRun run = run("cat DATA --exclude @", bad);
      assertThat(run.status()).as(line).isEqualTo(1);
      assertThat(run.err()).as(line).startsWith("Cannot ").hasLineCount(1);
      assertThat(run.out()).as(line).isEmpty();
    }
    assertThat(run("cat DATA --exclude @", folder.resolve("none")).err())
        .isEqualTo(
            "Cannot read '%s' of --exclude: no such file.\n".formatted(folder.resolve("none")));
  }
}
