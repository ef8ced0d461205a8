package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes.Name;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The launch script and the command in a terminal of the system.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the `script` of others takes other options")
class PseudoTerminalTest {
  private static final Path ROOT = Path.of(System.getProperty("penstock.root", ".."));
  private static final Path SCRIPT = Path.of("/usr/bin/script");
  private static final int INTERRUPT = 3;

  @TempDir Path lib;

  @BeforeEach
  void layOut() throws IOException {
    assumeTrue(Files.isExecutable(SCRIPT), "it makes the pseudo-terminal");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(
            Name.CLASS_PATH,
            Stream.of(System.getProperty("java.class.path").split(":", -1))
                .map(each -> Path.of(each).toUri().toString())
                .collect(Collectors.joining(" ")));
    new JarOutputStream(Files.newOutputStream(lib.resolve("penstock.jar")), manifest).close();
  }

  private Process start(int columns, String args) throws IOException {
    String command = // a shell may have had Ctrl-C ignored
        "stty cols %d && exec env --default-signal=INT '%s' %s"
            .formatted(columns, ROOT.resolve("cli/src/dist/penstock").toAbsolutePath(), args);
    ProcessBuilder builder =
        new ProcessBuilder(SCRIPT.toString(), "-qec", command, "/dev/null")
            .redirectErrorStream(true);
    builder.environment().put("PENSTOCK_LIB", lib.toString());
    builder.environment().put("PENSTOCK_JAVA", System.getProperty("java.home") + "/bin/java");
    return builder.start();
  }

  /// Returns the lines of a terminal after some output; a line is as long as it ever was.
  private static List<String> screen(String output) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    int column = 0;
    for (int i = 0; i < output.length(); i++) {
      char c = output.charAt(i);
      if (c == '\n') {
        lines.add(line.toString());
        line.setLength(0);
      } else if (c == '\r') {
        column = 0;
      } else {
        line.replace(column, Math.min(line.length(), column + 1), String.valueOf(c));
        column++;
      }
    }
    lines.add(line.toString());
    return lines;
  }

  @ParameterizedTest
  @ValueSource(ints = {50, 80, 200})
  void whatARunShowsFitsTheTerminal(int columns) throws Exception {
    Process process = start(columns, "load " + HeldOutFlights.FOLDER + " --epochs 3");
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(screen(output))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns))
        .anyMatch(line -> line.startsWith("epoch ") && line.contains(" rows/s"))
        .anyMatch(line -> line.startsWith("225,000 rows in "));
  }

  @Test
  void anInterruptLeavesNothingOfTheBar() throws Exception {
    Process process = start(80, "load " + HeldOutFlights.FOLDER + " --epochs 1000000");
    StringBuilder output = new StringBuilder();
    try (InputStream out = process.getInputStream();
        OutputStream keys = process.getOutputStream()) {
      while (output.indexOf("% [") < 0) {
        int next = out.read();
        assertThat(next).as(output.toString()).isNotNegative();
        output.append((char) next);
      }
      keys.write(INTERRUPT);
      keys.flush();
      output.append(new String(out.readAllBytes(), StandardCharsets.UTF_8));
    }
    assertThat(process.waitFor()).isEqualTo(Main.INTERRUPTED);
    assertThat(screen(output.toString())).noneMatch(line -> line.contains("% ["));
  }
}
