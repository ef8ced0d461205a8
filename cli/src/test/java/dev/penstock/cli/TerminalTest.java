package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TerminalTest {
  @Test
  void aLineThatIsWrittenOverStaysWithinTheWidth() {
    PrintStream err =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    Terminal terminal = new Terminal(OutputStream.nullOutputStream(), err, true, 20);
    assertThat(terminal.fit("epoch 0: 1,000 of 2,000 rows")).isEqualTo("epoch 0: 1,000 of 2");
    assertThat(terminal.fit("warming up")).isEqualTo("warming up");
  }
}
