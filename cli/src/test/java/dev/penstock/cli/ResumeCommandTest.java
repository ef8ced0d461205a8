package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.LoaderState;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Stopping and going on, by the commands, on 75,000 bundled flights in 2 files.
class ResumeCommandTest {
  private static final String folder = HeldOutFlights.FOLDER.toString();

  @TempDir Path temporary;

  private Path file(String name) {
    return temporary.resolve(name);
  }

  private static CommandRun run(String... args) {
    CommandRun run = CommandRun.of(args);
    assertThat(run.status()).as(run.err()).isZero();
    return run;
  }

  /// Returns the words of a command on the flights.
  private static String[] words(String line, String... more) {
    List<String> words = new ArrayList<>(CommandRun.words(line).toList());
    words.add(1, folder);
    words.addAll(List.of(more));
    return words.toArray(String[]::new);
  }

  @Nested
  class Cat {
    @ParameterizedTest
    @ValueSource(
        strings = {
          "cat --columns delay,origin --batch-size 5000",
          "cat --columns delay,origin --batch-size 5000 --drop-last --epoch 3",
          "cat --columns delay,date --batch-size 9000 --shuffle splits --split-rows 5000 --seed 3",
          "cat --columns delay,date --batch-size 9000 --shuffle window:7000 --split-rows 2500",
          "cat --columns date,distance --where delay>=15 --batch-size 2000"
        })
    void stoppedAfterAnyBatchItGoesOnWithTheNextLine(String command) throws IOException {
      String whole = run(words(command)).out();
      String state = file("state.json").toString();
      int batch = Integer.parseInt(command.replaceFirst(".*--batch-size (\\d+).*", "$1"));
      int batches = Math.ceilDiv((int) whole.lines().count(), batch);
      for (int stop = 1; stop <= batches + 1; stop++) {
        String workers = String.valueOf(stop % 3);
        CommandRun first =
            run(
                words(
                    command,
                    "--stop-after-batches",
                    String.valueOf(stop),
                    "--save-state",
                    state,
                    "--workers",
                    workers));
        CommandRun second = run(words(command, "--resume", state, "--workers", "2"));
        assertThat(first.out().lines().count())
            .isEqualTo(Math.min(whole.lines().count(), (long) stop * batch));
        assertThat(first.out() + second.out()).as("stopped after %s", stop).isEqualTo(whole);
        assertThat(Files.size(Path.of(state))).isLessThan(1024);
      }
      try (var files = Files.list(temporary)) {
        assertThat(files).containsExactly(Path.of(state));
      }
    }

    @Seeded(runs = 4)
    void stoppedAgainAndAgainUntilNothingIsLeftItIsTheSame(Random random) {
      String command = "cat --columns delay,origin --shuffle splits --split-rows 5000";
      String state = file("state.json").toString();
      StringBuilder parts = new StringBuilder();
      CommandRun part = null;
      do {
        List<String> more = new ArrayList<>(List.of("--save-state", state));
        if (part != null) {
          more.addAll(List.of("--resume", state));
        }
        more.addAll(List.of("--stop-after-batches", String.valueOf(1 + random.nextInt(9))));
        more.addAll(List.of("--batch-size", String.valueOf(1000 + random.nextInt(5000))));
        part = run(words(command, more.toArray(String[]::new)));
        parts.append(part.out());
      } while (!part.out().isEmpty());
      assertThat(parts.toString()).isEqualTo(run(words(command)).out());
      assertThat(part.err()).startsWith("Note: nothing is left of epoch 0.");
      assertThat(run(words(command, "--resume", state, "--epoch", "1")).out())
          .isEqualTo(run(words(command, "--epoch", "1")).out());
    }

    @Test
    void withoutAStopTheStateIsThatOfTheEnd() {
      String state = file("state.json").toString();
      run(words("cat --columns delay --epoch 4 --save-state", state));
      CommandRun rest = run(words("cat --columns delay --epoch 4 --resume", state));
      assertThat(rest.out()).isEmpty();
      assertThat(run(words("cat --columns delay --resume", state)).out()).isEmpty();
      CommandRun other = CommandRun.of(words("cat --columns delay --epoch 7 --resume", state));
      assertThat(other.status()).isEqualTo(1);
      assertThat(other.err())
          .isEqualTo(
              "Cannot resume: the state is in epoch 5 after batch 0, but the epochs are [7, 8) here."
                  + " Choose epochs as in the stopped run.\n");
    }

    @Test
    void limitCountsTheLinesOfTheRestAndDoesNotGoWithSaving() {
      String state = file("state.json").toString();
      String[] stopped = words("cat --batch-size 1000 --stop-after-batches 2 --save-state", state);
      run(stopped);
      List<String> whole = run(words("cat --limit 2500")).lines();
      assertThat(run(words("cat --limit 500 --resume", state)).lines())
          .isEqualTo(whole.subList(2000, 2500));
      CommandRun both = CommandRun.of(words("cat --limit 5 --save-state", state));
      assertThat(both.status()).isEqualTo(2);
      assertThat(both.err()).startsWith("Cannot use both --limit and --save-state: ");
    }
  }

  @Nested
  class Ranks {
    @ParameterizedTest
    @ValueSource(
        strings = {
          "cat --columns delay,origin",
          "cat --columns delay,origin --shuffle splits --split-rows 2500 --seed 5"
        })
    void togetherTheyPrintTheEpoch(String command) {
      String whole = run(words(command)).out();
      StringBuilder together = new StringBuilder();
      for (String rank : List.of("0/3", "1/3", "2/3")) {
        together.append(run(words(command, "--rank", rank)).out());
      }
      assertThat(together.toString()).isEqualTo(whole);
    }

    @Test
    void padAndDropGiveAllTheSameNumberOfRows() {
      assertThat(ends("exact")).containsExactly(10715, 10715, 10714, 10714, 10714, 10714, 10714);
      assertThat(ends("pad")).containsOnly(10715);
      assertThat(ends("drop")).containsOnly(10714);
      assertThat(run(words("cat --columns delay --rank 6/7 --rank-end pad")).lines())
          .hasSize(10715)
          .last()
          .isEqualTo(run(words("cat --columns delay --limit 5")).lines().getLast());
    }

    private List<Integer> ends(String end) {
      List<Integer> rows = new ArrayList<>();
      for (int rank = 0; rank < 7; rank++) {
        String json = run(words("plan --json --rank", rank + "/7", "--rank-end", end)).out();
        assertThat(json)
            .contains("\"rank\":\"" + rank + "/7\",\"rankEnd\":\"" + end + "\",\"files\"");
        rows.add(Integer.parseInt(CommandRun.field(json, "rows")));
      }
      return rows;
    }

    @Test
    void stateOfOneRankLetsAnotherNumberOfThemGoOn() {
      String command = "cat --columns delay,origin,date --batch-size 3000";
      List<String> lines = new ArrayList<>();
      String state = file("state.json").toString();
      for (String rank : List.of("0/2", "1/2")) {
        lines.addAll(
            run(words(command, "--rank", rank, "--stop-after-batches", "4", "--save-state", state))
                .lines());
      }
      for (String rank : List.of("0/3", "1/3", "2/3")) {
        lines.addAll(run(words(command, "--rank", rank, "--resume", state)).lines());
      }
      assertThat(lines.stream().sorted().toList())
          .isEqualTo(run(words(command)).lines().stream().sorted().toList());
    }

    @Test
    void behindAFilterRanksHaveEqualNumbersOfWhatItKeeps() {
      String command = "cat --columns delay,origin,date --batch-size 1000 --where delay>=10";
      List<String> whole = run(words(command)).lines();
      String state = file("state.json").toString();
      List<String> all = new ArrayList<>();
      for (int rank = 0; rank < 3; rank++) {
        String one = rank + "/3";
        List<String> lines = run(words(command, "--rank", one)).lines();
        assertThat(lines.size()).isBetween(whole.size() / 3, Math.ceilDiv(whole.size(), 3));
        all.addAll(lines);
        CommandRun load =
            run(words("load --json --batch-size 100 --where delay>=10", "--rank", one));
        assertThat(CommandRun.field(load.out(), "rows")).isEqualTo("" + lines.size());
        assertThat(CommandRun.field(load.out(), "batches"))
            .isEqualTo("" + Math.ceilDiv(whole.size(), 300));
      }
      assertThat(all).isEqualTo(whole);
      List<String> parts =
          new ArrayList<>(
              run(words(
                      command, "--rank", "0/2", "--stop-after-batches", "3", "--save-state", state))
                  .lines());
      parts.addAll(run(words(command, "--rank", "1/2", "--stop-after-batches", "3")).lines());
      parts.addAll(run(words(command, "--resume", state)).lines());
      assertThat(parts).containsExactlyInAnyOrderElementsOf(whole);
    }

    @Test
    void behindAFilterTheStatesOfAllRanksAreTakenToo() {
      String command = "cat --columns delay,origin,date --batch-size 1000 --where delay>=10";
      List<String> lines = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        lines.addAll(
            run(words(
                    command,
                    "--rank",
                    rank + "/2",
                    "--stop-after-batches",
                    "3",
                    "--save-state",
                    file(rank + ".json").toString()))
                .lines());
      }
      String zero = file("0.json").toString();
      lines.addAll(
          run(words(command, "--resume", file("1.json").toString(), "--resume", zero)).lines());
      assertThat(lines.stream().sorted().toList())
          .isEqualTo(run(words(command)).lines().stream().sorted().toList());
    }

    @Test
    void loadSaysWhichRankItWas() {
      String[] options = {"--rank", "1/2", "--columns", "delay"};
      assertThat(run(words("load --json", options)).out()).contains(",\"rank\":\"1/2\"}");
      assertThat(run(words("load --workers 1", options)).out())
          .endsWith("with 1 worker and batches of 1,024, as rank 1/2.\n");
      assertThat(run(words("plan", options)).out()).contains("\nrank: 1/2, exact\n");
      assertThat(run(words("head -n 1", options)).lines().getLast())
          .isEqualTo(run(words("head -n 37501 --columns delay")).lines().getLast());
    }
  }

  @Nested
  class Load {
    private static final String COMMAND =
        "load --json --epochs 2 --batch-size 10000 --shuffle splits --split-rows 5000";

    private static List<String> values(CommandRun run) {
      return run.lines().stream()
          .map(line -> {
            assertThat(line).doesNotContain("partial");
            return String.join(
                " ",
                CommandRun.field(line, "epoch"),
                CommandRun.field(line, "rows"),
                CommandRun.field(line, "batches"),
                CommandRun.field(line, "orderDigest"),
                CommandRun.field(line, "contentDigest"));
          })
          .toList();
    }

    @Test
    void stoppedAfterAnyBatchItReportsEveryEpochOnce() {
      List<String> whole = values(run(words(COMMAND)));
      assertThat(whole).hasSize(2);
      String state = file("state.json").toString();
      for (int stop = 0; stop <= 17; stop++) {
        String[] saving = {"--stop-after-batches", String.valueOf(stop), "--save-state", state};
        CommandRun first = run(words(COMMAND, saving));
        CommandRun second = run(words(COMMAND, "--resume", state, "--workers", "3"));
        List<String> both = new ArrayList<>(values(first));
        both.addAll(values(second));
        assertThat(both).as("stopped after %s", stop).isEqualTo(whole);
        if (stop % 8 != 0 && stop < 16) {
          assertThat(first.err())
              .startsWith("Stopped in epoch " + stop / 8 + " after its batch " + stop % 8 + ":");
          assertThat(second.lines().getFirst()).contains("\"resumedAfterBatches\":" + stop % 8);
        }
      }
    }

    @Test
    void epochOfWhichTheFirstRowsAreNotKnownIsMarked() {
      String state = file("state.json").toString();
      String[] options = {"--batch-size", "10000"};
      run(words("cat --stop-after-batches 3 --save-state " + state, options));
      String line = run(words("load --json --resume " + state, options)).out();
      assertThat(line)
          .contains("\"rows\":45000,\"batches\":5,", "\"resumedAfterBatches\":3,\"partial\":true}");
      String stopped = run(words("load --json --stop-after-batches 2", options)).out();
      assertThat(stopped).contains("\"rows\":20000,\"batches\":2,", "\"partial\":true}");
      assertThat(run(words("load --stop-after-batches 2", options)).out())
          .contains("\n0, a part  20,000        2 ");
      run(words("load --rank 0/2 --stop-after-batches 2 --save-state " + state, options));
      assertThat(run(words("load --json --rank 1/2 --resume " + state, options)).out())
          .contains("\"partial\":true");
    }

    @Test
    void whenNothingIsLeftThereIsNothingToReport() {
      String state = file("state.json").toString();
      run(words("load --columns delay --epochs 2 --save-state", state));
      String[] again =
          words("load --columns delay --epochs 2 --save-state " + state, "--resume", state);
      for (int i = 0; i < 2; i++) {
        CommandRun rest = run(again);
        assertThat(rest.out()).isEmpty();
        assertThat(rest.err()).startsWith("Note: nothing is left");
      }
      assertThat(run(words("load --json --columns delay --epochs 3 --resume", state)).lines())
          .hasSize(1)
          .first()
          .asString()
          .startsWith("{\"epoch\":2,\"rows\":75000,");
      CommandRun wrong = CommandRun.of(words("load --columns delay --epochs 1 --resume", state));
      assertThat(wrong.status()).isEqualTo(1);
      assertThat(wrong.err()).startsWith("Cannot resume: the state is in epoch 2 after batch 0, ");
    }
  }

  @Nested
  class WhenTheStateIsAtFault {
    private String[] state = {};

    @BeforeEach
    void name() {
      state = new String[] {"--resume", file("state.json").toString()};
    }

    private void expect(String command, String sentence) {
      CommandRun run = CommandRun.of(words(command, state));
      assertThat(run.status()).as(run.err()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).startsWith(sentence).hasLineCount(1).doesNotContain("Exception");
    }

    @Test
    void aMissingFileIsOneSentence() {
      expect("cat", "Cannot resume from '" + file("state.json") + "': no such file.");
      expect("load", "Cannot resume from '" + file("state.json") + "': no such file.");
    }

    @Test
    void whatIsNoStateIsNamed() throws IOException {
      Files.writeString(file("state.json"), "{\"format\":\"other\",\"version\":1}");
      String damaged =
          "Cannot resume from '"
              + file("state.json")
              + "': it is no state of Penstock, or a damaged one. Give a file that --save-state"
              + " wrote. [Cannot read a loader's state: ";
      expect("load", damaged + "it is 'other' of version 1 but expected ");
      Files.writeString(file("state.json"), "{\"format\":");
      expect("load", damaged + "it ends too early.]");
      Files.writeString(file("state.json"), "{\"format\":x}");
      expect("load", damaged + "it is no such JSON at character 10.]");
      Files.writeString(file("state.json"), "");
      expect("cat", damaged + "it is empty.]");
      Files.write(file("state.json"), new byte[2_000_000]);
      expect(
          "cat",
          "Cannot resume from '" + file("state.json") + "': it has more than 1048576 bytes, ");
      Files.delete(file("state.json"));
      Files.createDirectory(file("state.json"));
      expect("cat", "Cannot re");
    }

    @Test
    void everyPartOfAStateThatIsCutOffIsRefused() throws IOException {
      run(words("load --stop-after-batches 2 --columns delay --save-state", state[1]));
      String text = Files.readString(file("state.json"));
      assertThat(text).endsWith("\"}}\n").contains(",\"load\":{\"rank\":\"0/1\",\"rows\":2048,");
      for (int end = 0; end < text.length() - 2; end += 7) {
        Files.writeString(file("state.json"), text.substring(0, end));
        expect("load --columns delay", "Cannot resume from '" + file("state.json") + "': it is no");
      }
    }

    @Test
    void stateOfAnotherRunShowsBothSides() {
      run(words("cat --stop-after-batches 2 --seed 7 --save-state", state[1]));
      expect("cat --seed 8", "Cannot resume: the seed is '8' here but '7' in the state.");
      expect("load --seed 8", "Cannot resume: the seed is '8' here but '7' in the state.");
      expect("cat --seed 7 --where delay>1", "Cannot resume: the filter is 'delay > 1' here but ");
      expect("cat --seed 7 --epoch 1", "Cannot resume: the state is in epoch 0 after batch 2, but");
    }

    @Test
    void placeThatCannotBeWrittenIsFoundBeforeAnythingIsPrinted() {
      CommandRun run = CommandRun.of(words("cat --save-state", file("no/state").toString()));
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.err())
          .isEqualTo(
              "Cannot save the state to '" + file("no/state") + "': there is no such folder.\n");
    }

    private void expectRefusal(Path place, String why) {
      CommandRun run = CommandRun.of(words("cat --save-state", place.toString()));
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).isEqualTo("Cannot save the state to '" + place + "': " + why + "\n");
    }

    @Test
    void whatIsNotAFileIsRefusedAndLeftAsItIs() throws Exception {
      Path pipe = file("pipe");
      assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
      Path link = Files.createSymbolicLink(file("link"), pipe);
      expectRefusal(pipe, "it is a pipe or a device, not a file. Name a file.");
      expectRefusal(link, "it is a pipe or a device, not a file. Name a file.");
      expectRefusal(temporary, "it is a folder.");
      Path circle = Files.createSymbolicLink(file("circle"), file("circle"));
      expectRefusal(circle, "its links lead in a circle.");
      assertThat(Files.isRegularFile(pipe)).isFalse();
      assertThat(temporary.toFile().list()).containsOnly("pipe", "link", "circle");
    }

    @Test
    void linksAreWrittenThrough() throws IOException {
      Path real = Files.createDirectory(file("real"));
      Path inner = Files.createSymbolicLink(file("inner"), Path.of("real", "state"));
      Path outer = Files.createSymbolicLink(file("outer"), inner);
      for (String batches : List.of("1", "2")) { // the file is new, and then replaced
        run(words("cat --save-state " + outer + " --stop-after-batches " + batches));
        assertThat(outer).isSymbolicLink();
        assertThat(inner).isSymbolicLink();
        assertThat(Files.readString(real.resolve("state"))).contains("\"batches\":" + batches);
      }
      assertThat(real.toFile().list()).containsExactly("state");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            --stop-after-batches -1 | --stop-after-batches must be at least 0, got -1.
            --save-every 3 | Cannot use --save-every without --save-state: name the file.
            --save-every 0 --save-state x | --save-every must be at least 1, got 0.
            --rank 2/2 | A rank must be in [0, 2), got 2; ranks are counted from 0. [--rank]
            --rank 2 | Cannot read '2' as a rank: expected index/count, such as '3/8'. [--rank]
            --rank-end none | Cannot use --rank-end 'none': expected exact, pad or drop.
            """)
    void wrongValuesAreWrongUsage(String options, String sentence) {
      CommandRun run = CommandRun.of(words("cat " + options));
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err()).isEqualTo(sentence + "\nTry 'penstock cat --help'.\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cat", "load"})
  void noBatchesAreNoted(String command) {
    CommandRun none = CommandRun.of(words(command + " --stop-after-batches 0"));
    assertThat(none.printed()).isEmpty();
    assertThat(none.err()).isEqualTo("Note: nothing is read, as --stop-after-batches is 0.\n");
  }

  @Test
  void savedStateIsThatOfTheLoaderAlone() throws IOException {
    String state = file("state.json").toString();
    run(words("cat --columns delay --stop-after-batches 2 --save-state", state));
    assertThat(LoaderState.parse(Files.readString(Path.of(state)).strip()).batches()).isEqualTo(2);
    try (var files = Files.list(temporary)) {
      assertThat(files).containsExactly(Path.of(state));
    }
  }
}
