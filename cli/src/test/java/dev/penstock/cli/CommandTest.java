package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What all commands have.
class CommandTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo", "schema", "plan", "head", "cat", "load", "rows", "audit", "bench", "score", "cache",
        "report", "serve", "order", ""
      })
  void everyCommandSaysWhichVersionItIs(String command) {
    for (String option : List.of("-V", "--version")) {
      CommandRun run = command.isEmpty() ? CommandRun.of(option) : CommandRun.of(command, option);
      assertThat(run.status()).isZero();
      assertThat(run.out()).startsWith("penstock ").hasLineCount(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo", "schema", "plan", "head", "cat", "load", "rows", "audit", "bench", "score", "cache",
        "report", "serve", "order"
      })
  void everyCommandHasHelpAndTakesProgressNone(String command) {
    CommandRun run = CommandRun.of(command, "--help", "--progress", "none");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .containsSubsequence(
            ".\n\n  penstock " + command,
            "\n  penstock " + command,
            "\n\nUsage: penstock " + command + " ",
            "[OPTIONS]",
            "\nOptions:\n",
            "  -h, --help");
    assertThat(run.err()).isEmpty();
  }
}
