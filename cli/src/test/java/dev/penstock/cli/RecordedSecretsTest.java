package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Secrets in recordings of the flight recorder: what it notes of a process, and what a report of
/// it shows.
@Tag("outer")
class RecordedSecretsTest {
  @TempDir Path folder;

  private static String ran(String tool, String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(args));
    command.addFirst(Path.of(System.getProperty("java.home"), "bin", tool).toString());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PENSTOCK_TEST_SECRET", "hush-of-the-environment");
    Process process = builder.start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(told).isZero();
    return told;
  }

  @Test
  void aReportShowsNoneOfTheSecretsThatARecordingHas() throws Exception {
    Path recording = folder.resolve("load.jfr");
    ran(
        "java",
        "-XX:StartFlightRecording:filename=" + recording,
        "-Dsecret=hush-of-a-property",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        Main.class.getName(),
        "load",
        HeldOutFlights.FOLDER.toString(),
        "--storage",
        "secret-access-key=hush-of-the-command-line",
        "--storage",
        "session-token=@env:PENSTOCK_TEST_SECRET");
    assertThat(ran("jfr", "print", recording.toString()))
        .contains("hush-of-the-command-line", "hush-of-a-property", "hush-of-the-environment");

    assertThat(report(recording)).contains("Recording load.jfr").doesNotContain("hush");

    Path scrubbed = folder.resolve("penstock.jfr");
    ran(
        "jfr",
        "scrub",
        "--include-events",
        "penstock.*",
        recording.toString(),
        scrubbed.toString());
    assertThat(Files.readString(scrubbed, StandardCharsets.ISO_8859_1)).doesNotContain("hush");
    assertThat(report(scrubbed)).contains("Recording penstock.jfr");
  }

  private String report(Path recording) throws IOException {
    Path page = folder.resolve("page.html");
    CommandRun run = CommandRun.of("report", recording.toString(), "--report", page.toString());
    return run.printed() + run.err() + ReportCommandTest.data(page) + Files.readString(page);
  }
}
