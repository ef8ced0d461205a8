package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The command where Java is not as it has to be.
class StartTest {
  @ParameterizedTest
  @CsvSource({"1.8,8", "17,17", "24,24"})
  void anOlderJavaIsToldWhichOneIsNeeded(String version, String feature) {
    assertThat(Launcher.refusal(version))
        .startsWith(
            "Cannot start penstock: it needs Java 25 or newer, but this is Java " + feature + " (");
  }

  @ParameterizedTest
  @CsvSource({"25", "26", "100"})
  void aNewerJavaWillDo(String version) {
    assertThat(Launcher.refusal(version)).isEmpty();
  }

  @Test
  @EnabledIfSystemProperty(
      named = "basedir",
      matches = ".+",
      disabledReason = "only Maven compiles the class apart")
  void whatTellsAnOlderJavaRunsThere() throws IOException {
    try (InputStream bytes = Launcher.class.getResourceAsStream("Launcher.class")) {
      DataInputStream data = new DataInputStream(Objects.requireNonNull(bytes));
      data.skipNBytes(6);
      assertThat(data.readUnsignedShort()).as("version of the class file").isEqualTo(52);
    }
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the script is for POSIX shells")
  void theScriptThatFindsAJdkPrintsWhereItIs() throws IOException, InterruptedException {
    CommandRun run = ended(List.of("sh", "../.mvn/find-jdk.sh"));
    assertThat(run.status()).isZero();
    assertThat(Path.of(run.err().strip(), "bin", "javac")).isExecutable();
  }

  private static CommandRun started(List<String> flags, String... args)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Launcher.class.getName());
    command.addAll(List.of(args));
    return ended(command);
  }

  private static CommandRun ended(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new CommandRun(process.waitFor(), "", told);
  }

  @Test
  void aJvmThatDeniesNativeAccessIsToldTheFlag() throws IOException, InterruptedException {
    assertThat(started(List.of("--illegal-native-access=deny"), "schema", "."))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "Cannot read files: decoders reach memory by address, and this JVM denies that to"
                    + " the class path. Start Java with --enable-native-access=ALL-UNNAMED.\n"));
  }

  @Test
  void aJvmThatDeniesUnsafeIsToldTheFlagForOrc() throws IOException, InterruptedException {
    CommandRun run =
        started(
            List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=deny"),
            "head",
            "../orc/src/test/resources/dev/penstock/orc/cpp.orc");
    assertThat(run)
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "Cannot read ORC files: ORC's library uses sun.misc.Unsafe, and this JVM denies"
                    + " that. Start Java with --sun-misc-unsafe-memory-access=allow.\n"));
  }

  @Test
  void aLibraryThatCannotBeLoadedIsASentence() throws IOException, InterruptedException {
    String file = "src/main/resources/dev/penstock/cli/demo/flights/part-0.parquet";
    CommandRun run =
        started(
            List.of("--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + file + "/none"),
            "head",
            file);
    assertThat(run.err())
        .contains("Cannot decompress zstd: its native library cannot be loaded (Cannot unpack ")
        .endsWith("noexec.\n");
    assertThat(run.status()).isEqualTo(1);
  }
}
