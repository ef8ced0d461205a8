package dev.penstock.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TerminalTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private Terminal terminal(int errColumns) {
    PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    return new Terminal(OutputStream.nullOutputStream(), err, 0, errColumns);
  }

  private String err() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void thePromptGetsALineOfItsOwnAfterAnInterrupt() {
    Terminal terminal = terminal(80);
    terminal.interrupt();
    terminal.live("46 %");
    assertThat(err()).isEqualTo("\n");
  }

  @Test
  void anInterruptRemovesTheBarAndTheMarkBehindIt() {
    Terminal terminal = terminal(80);
    terminal.live("45 %");
    terminal.interrupt();
    terminal.live("46 %");
    assertThat(err()).isEqualTo("\r45 %\r      \r");
  }

  @Test
  void aSentenceReplacesTheBarAndBreaksBetweenWords() {
    Terminal terminal = terminal(10);
    terminal.live("45 %");
    terminal.live("5 %");
    terminal.say("one two three a-word-that-has-no-room four");
    assertThat(err())
        .isEqualTo("\r45 %\r5 % \r   \rone two\nthree\na-word-that-has-no-room\nfour\n");
  }

  @Test
  void listedLinesGoOnFurtherIn() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Terminal terminal = new Terminal(out, System.err, 12, 0);
    terminal.print("\n  one two three\n東京 東京 東京\n");
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo("\n  one two\n    three\n東京 東京\n東京\n");
    assertThat(terminal.shortened("  a/folder/part.csv")).isEqualTo("  …/part.csv");
    assertThat(terminal.shortened("  a/part.csv")).isEqualTo("  a/part.csv");
  }

  @Test
  void aCommandThatHasEndedIsNotInterrupted() {
    Terminal terminal = terminal(80);
    terminal.end();
    terminal.interrupt();
    assertThat(err()).isEmpty();
  }

  @Test
  void aLogGetsNoLineOfItsOwn() {
    terminal(0).interrupt();
    assertThat(err()).isEmpty();
  }

  @Test
  void whatIsOpenIsClosedOnAnInterruptNewestFirst() {
    Terminal terminal = terminal(0);
    StringBuilder closed = new StringBuilder();
    terminal.closeOnInterrupt(() -> closed.append("first "));
    terminal.closeOnInterrupt(() -> closed.append("second "));
    terminal.interrupt();
    assertThat(closed).hasToString("second first ");
  }

  @Test
  void whatWouldMoveTheCursorIsEscaped() {
    Terminal terminal = terminal(80);
    terminal.say("a\u001b[2J\nb");
    terminal.trace(new IllegalStateException("a\u001b[2J\nb"));
    assertThat(err())
        .startsWith(
            "a\\u001b[2J\\u000ab\njava.lang.IllegalStateException: a\\u001b[2J\nb\n    at ");
    bytes.reset();
    Step step = new Step("epoch \u001b[2J", "row", 0, 1, 2, 1, List.of());
    try (Progress progress = new Progress(terminal, true)) {
      while (err().isEmpty()) {
        progress.update(() -> step);
      }
      assertThat(err()).startsWith("\repoch \\u001b[2J ");
    }
  }
}
