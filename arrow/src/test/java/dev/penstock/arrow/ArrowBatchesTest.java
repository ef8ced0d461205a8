package dev.penstock.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ArrowBatchesTest {
  /// A program that is started without Arrow's flags.
  static final class WithoutFlags {
    @SuppressWarnings("SystemOut")
    public static void main(String[] args) {
      for (int i = 0; i < 2; i++) {
        try {
          ArrowBatches.allocator();
        } catch (IllegalStateException e) {
          System.out.println(e.getMessage());
        }
      }
    }
  }

  @Test
  void withoutTheFlagEveryErrorSaysWhichOneIsNeeded() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                WithoutFlags.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(output.lines().filter(line -> line.startsWith("Cannot start Arrow: ")))
        .hasSize(2)
        .allSatisfy(
            line -> assertThat(line).contains("--add-opens=java.base/java.nio=ALL-UNNAMED"));
  }
}
