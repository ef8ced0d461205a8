package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `penstock cat` and `penstock head` on the held-out flights.
class CatCommandTest {
  private static final String folder = HeldOutFlights.FOLDER.toString();

  @Test
  void printsEveryRowOnceInFileOrder() {
    CommandRun run = CommandRun.of("cat", folder);
    assertThat(run.status()).isZero();
    assertThat(run.lines()).hasSize((int) HeldOutFlights.ROWS);
    List<String> firstFile = run.lines().subList(0, (int) HeldOutFlights.ROWS / 2);
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
        .isEqualTo(CommandRun.of("cat", folder, "--limit", "9", "--columns", "origin,delay").out());
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
    assertThat(run.lines().stream().sorted().toList()).isEqualTo(plain.stream().sorted().toList());
  }

  @Test
  void aReaderThatHasEnoughEndsItQuietly() {
    assertThat(writing("Broken pipe")).isEqualTo(new CommandRun(0, "", ""));
  }

  @Test
  void aFullDiskIsOneSentence() {
    assertThat(writing("No space left on device"))
        .isEqualTo(new CommandRun(1, "", "Cannot write the output: No space left on device.\n"));
  }

  /// Prints all rows to an output that takes none.
  private static CommandRun writing(String fault) {
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException(fault);
          }
        };
    return CommandRun.into(out, "cat", folder);
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
}
