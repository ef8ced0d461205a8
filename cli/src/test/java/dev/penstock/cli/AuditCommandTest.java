package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `penstock audit` of what `load` and `cat` have logged, on 60 rows in 2 files.
class AuditCommandTest {
  private static final String OPTIONS = " --batch-size 8 --shuffle window:25 --seed 4 ";

  @TempDir Path folder;
  private Path data = Path.of("");
  private Path log = Path.of("");

  @BeforeEach
  void writeFiles() throws IOException {
    data = Files.createDirectory(folder.resolve("data"));
    log = folder.resolve("steps.jsonl");
    for (int file = 0; file < 2; file++) {
      Files.writeString(
          data.resolve(file + ".csv"),
          IntStream.range(0, 30)
              .mapToObj(id -> id + "\n")
              .collect(Collectors.joining("", "id\n", "")));
    }
  }

  private CommandRun run(String line) {
    return CommandRun.of(
        Stream.of((line + " --progress none").strip().split(" +"))
            .map(word -> word.startsWith("@") ? folder.resolve(word.substring(1)).toString() : word)
            .toArray(String[]::new));
  }

  private void done(String line) {
    CommandRun run = run(line);
    assertThat(run.status()).as(run.err()).isZero();
  }

  private CommandRun audit(String more) {
    return run("audit @data --log @steps.jsonl" + OPTIONS + more);
  }

  @Test
  void trueLogIsAsExpected() {
    done("load @data --epochs 2 --step-log @steps.jsonl" + OPTIONS);
    assertThat(audit(""))
        .isEqualTo(new CommandRun(0, "As expected: 16 steps of 1 rank, 16 lines.\n", ""));
    assertThat(audit("--json").out())
        .isEqualTo(
            "{\"asExpected\":true,\"lines\":16,\"steps\":16,\"ranks\":[0],\"repeated\":0,"
                + "\"abandoned\":0,\"wrong\":0,\"findings\":[]}\n");
  }

  @Test
  void logsOfRanksAreOne() throws IOException {
    done("cat @data --rank 0/2 --step-log @steps.jsonl" + OPTIONS);
    done("cat @data --rank 1/2 --step-log @other.jsonl" + OPTIONS);
    CommandRun run = audit("--rank 0/2 --log @other.jsonl");
    assertThat(run.out()).isEqualTo("As expected: 4 steps of 2 ranks, 8 lines.\n");
    List<String> lines = new ArrayList<>(Files.readAllLines(log));
    lines.addAll(Files.readAllLines(folder.resolve("other.jsonl")));
    Collections.reverse(lines);
    Files.write(log, lines);
    assertThat(audit("--rank 1/2").out()).isEqualTo(run.out());
  }

  @Test
  void firstStepThatDiffersIsNamedWithItsRows() throws IOException {
    done("cat @data --step-log @steps.jsonl" + OPTIONS);
    String before = Files.readString(log);
    List<String> lines = new ArrayList<>(before.lines().toList());
    lines.set(5, lines.get(5).replace("\"step\":5", "\"step\":3"));
    lines.set(3, lines.get(3).replace("\"step\":3", "\"step\":5"));
    Files.write(log, lines);
    CommandRun run = audit("");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).isEmpty();
    String digest = CommandRun.field(before.lines().toList().get(3), "digest");
    String found = CommandRun.field(before.lines().toList().get(5), "digest");
    assertThat(run.lines().getFirst()).contains("Step 3 of epoch 0", digest, found);
    assertThat(run.out())
        .contains("expected in step 3, rank 0: 8 rows of ", " file\n", "Compared: ");
    assertThat(audit("--json").out())
        .contains("\"kind\":\"different\",\"epoch\":0,\"steps\":\"3..4\"", "\"wrong\":2");
  }

  @Test
  void logOfAnotherOrderDiffers() {
    done("cat @data --step-log @steps.jsonl" + OPTIONS);
    CommandRun run = run("audit @data --log @steps.jsonl --batch-size 8 --shuffle window:25");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.lines().getFirst()).startsWith("Step 0 of epoch 0");
  }

  @Test
  void skippedStepsAreNotMissed() {
    done(
        "cat @data --skip 2..4 --step-log @steps.jsonl --save-state @s.json --stop-after-batches 4"
            + OPTIONS);
    assertThat(audit("--state @s.json").out())
        .isEqualTo("As expected: 4 steps of 1 rank, 4 lines.\n");
    CommandRun without = audit("");
    assertThat(without.status()).isEqualTo(1);
    assertThat(without.out()).contains("No state of epoch 0: ");
  }

  @Test
  void excludedRowsAreNotExpectedInOtherEpochsOfTheRun() throws IOException {
    Files.writeString(folder.resolve("bad.jsonl"), "{\"id\":17}");
    done("load @data --step-log @steps.jsonl --save-state @0.json" + OPTIONS);
    done(
        "load @data --resume @0.json --exclude @bad.jsonl --epochs 2 --step-log @steps.jsonl"
            + " --save-state @1.json --stop-after-batches 2"
            + OPTIONS);
    done(
        "load @data --resume @1.json --epochs 3 --step-log @steps.jsonl --save-state @3.json"
            + OPTIONS);
    CommandRun right = new CommandRun(0, "As expected: 24 steps of 1 rank, 24 lines.\n", "");
    assertThat(audit("--state @1.json")).isEqualTo(right);
    assertThat(audit("--state @3.json")).isEqualTo(right);
    assertThat(run("rows @data --where-row id=17 --state @3.json --epochs 0..3 --json" + OPTIONS))
        .satisfies(run -> assertThat(run.lines()).hasSize(2).allMatch(at -> at.contains(":0,")));
  }

  @Test
  void rowsExcludedWithinAnEpochTakeAStateOfIt() throws IOException {
    Files.writeString(folder.resolve("bad.jsonl"), "{\"id\":17}");
    done("load @data --epochs 1 --stop-after-batches 1 --save-state @0.json" + OPTIONS);
    done(
        "load @data --resume @0.json --exclude @bad.jsonl --epochs 1 --step-log @steps.jsonl"
            + " --save-state @1.json"
            + OPTIONS);
    CommandRun run = audit("--state @1.json");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "Cannot tell the steps of epoch 0: rows were excluded at its step 1. Give a state that"
                + " was saved in this epoch after that step.\n");
  }

  @Test
  void whatIsNoLogIsRefused() throws IOException {
    CommandRun none = audit("");
    assertThat(none.status()).isEqualTo(1);
    assertThat(none.err()).startsWith("Cannot ").contains("steps.jsonl").hasLineCount(1);
    done("cat @data --step-log @steps.jsonl" + OPTIONS);
    Files.writeString(log, Files.readString(log) + "{\"epoch\":0,\"st");
    CommandRun cut = audit("");
    assertThat(cut.status()).isEqualTo(1);
    assertThat(cut.out()).contains("line 9");
    Files.writeString(log, "");
    assertThat(audit(""))
        .isEqualTo(new CommandRun(1, "", "Cannot audit: the log has no lines to compare.\n"));
    assertThat(run("audit @data --log @data").err())
        .startsWith("Cannot read the log: ")
        .endsWith(" [" + data + "]\n");
    CommandRun missing = run("audit @data");
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err()).startsWith("Missing required option: '--log=FILE'");
  }
}
