package dev.penstock.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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
    terminal.sayRaw("\r 45 % [==>   ]");
    terminal.interrupt();
    terminal.sayRaw("\r 46 % [==>   ]");
    assertThat(err()).isEqualTo("\r 45 % [==>   ]\n");
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
}
