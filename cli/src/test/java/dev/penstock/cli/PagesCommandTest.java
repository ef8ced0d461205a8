package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What packages install beside the command.
@TestInstance(Lifecycle.PER_CLASS)
class PagesCommandTest {
  private static final List<String> COMMANDS =
      List.of(
          "demo", "schema", "plan", "head", "cat", "load", "rows", "audit", "bench", "score",
          "cache", "report", "serve", "order");

  private Path folder = Path.of("");

  @BeforeAll
  void writePages(@TempDir Path folder) {
    this.folder = folder;
    assertThat(CommandRun.of("pages", folder.toString())).isEqualTo(new CommandRun(0, "", ""));
  }

  @Test
  void eachCommandOfTheHelpHasAManualPage() throws IOException {
    Stream<String> pages = COMMANDS.stream().map(command -> "penstock-" + command + ".1");
    try (Stream<Path> written = Files.list(folder.resolve("man/man1"))) {
      assertThat(written.map(page -> page.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(Stream.of("penstock.1"), pages).toList());
    }
  }

  @Test
  void aPageHasWhatTheHelpShows() throws IOException {
    String page = Files.readString(folder.resolve("man/man1/penstock-head.1"));
    assertThat(page)
        .startsWith(".TH PENSTOCK-HEAD 1 ")
        .contains(
            ".SH NAME\npenstock\\-head \\- Shows the first rows, in delivery order, as a table\n",
            ".SH SYNOPSIS\npenstock head [OPTIONS] LOCATION...\n",
            ".SH EXAMPLES\n.nf\npenstock head data/flights \\-n 5\n",
            ".TP\n\\fB\\-n\\fR \\fIN\\fR\nHow many rows. Default: 10.\n",
            ".SS What to read\n.TP\n\\fILOCATION...\\fR\n",
            "\\fB\\-\\-where\\fR \\fIEXPR\\fR\n",
            ".SS Batches and their order\n",
            "\\fB\\-\\-batch\\-size\\fR \\fIN\\fR\n",
            "\\fB\\-h\\fR, \\fB\\-\\-help\\fR\n",
            ".SH EXIT STATUS\n0 done, 1 the data or the request is at fault, 2 wrong usage, 70 a bug,"
                + " 130 interrupted.\n");
    assertThat(page.lines()).noneMatch(line -> line.startsWith("'"));
    assertThat(page).doesNotContain("${", "%n", "@|");
  }

  @ParameterizedTest
  @ValueSource(strings = {"penstock.bash", "_penstock"})
  void aShellCompletesCommandsAndOptions(String name) throws IOException {
    String script = Files.readString(folder.resolve("completions").resolve(name));
    assertThat(script).contains(COMMANDS).contains("--where", "--batch-size");
    assertThat(script).doesNotContain("train-cache");
  }

  @Test
  void theHelpListsNoneOfThis() {
    assertThat(CommandRun.of("--help").out()).contains("order").doesNotContain("pages", "train-");
  }

  @ParameterizedTest
  @ValueSource(strings = {"head", "serve", "order"})
  void aCommandIsHelpedAsIfAllWereMade(String command) {
    assertThat(CommandRun.of(command, "--help").out())
        .contains("\nUsage: penstock " + command + " ")
        .isEqualTo(CommandRun.of("help", command).out());
  }
}
