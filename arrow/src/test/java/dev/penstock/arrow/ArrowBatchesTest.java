package dev.penstock.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;

class ArrowBatchesTest {
  /// A program that is started without one of Arrow's flags.
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

  private static ListAssert<String> assertMessages(String... flags)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(WithoutFlags.class.getName());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return assertThat(output.lines().filter(line -> line.startsWith("Cannot start Arrow: ")))
        .hasSize(2);
  }

  @Test
  void withoutTheFlagEveryErrorSaysWhichOneIsNeeded() throws IOException, InterruptedException {
    assertMessages()
        .allSatisfy(line ->
            assertThat(line)
                .startsWith("Cannot start Arrow: java.lang.RuntimeException: Failed to initialize")
                .contains(". Start Java with --add-opens=java.base/java.nio=ALL-UNNAMED, and"));
  }

  @Test
  void aJvmThatDeniesUnsafeIsToldTheFlagEachTime() throws IOException, InterruptedException {
    assertMessages(
            "--add-opens=java.base/java.nio=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=deny")
        .containsOnly(
            "Cannot start Arrow: its memory uses sun.misc.Unsafe, and this JVM denies that. Start"
                + " Java with --sun-misc-unsafe-memory-access=allow and"
                + " --add-opens=java.base/java.nio=ALL-UNNAMED.");
  }
}
