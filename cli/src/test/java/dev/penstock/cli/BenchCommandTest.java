package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// `penstock bench` on the held-out flights.
class BenchCommandTest {
  private static final String folder = HeldOutFlights.FOLDER.toString();

  @Test
  void recommendsExactlyOneSetting() {
    CommandRun run =
        CommandRun.of("bench", folder, "--workers=0,2", "--warm-up=0", "--rounds=1", "--json");
    assertThat(run.status()).isZero();
    assertThat(run.lines()).hasSize(2);
    assertThat(run.lines())
        .allMatch(line ->
            line.matches(
                "\\{\"workers\":[02],\"rowsPerSecond\":[0-9.E]+,\"waitSeconds\":[0-9.E-]+,"
                    + "\"recommended\":(true|false)}"));
    assertThat(run.lines().stream().filter(line -> line.contains("true"))).hasSize(1);
  }

  @Test
  void saysWhatTheLoaderChose() {
    CommandRun run =
        CommandRun.of("bench", folder, "--workers=1,auto", "--warm-up=0", "--rounds=1", "--json");
    assertThat(run.status()).isZero();
    assertThat(run.lines().getFirst()).doesNotContain("auto");
    assertThat(run.lines().getLast()).startsWith("{\"workers\":").endsWith(",\"auto\":true}");
  }

  @Test
  void measuresTheFeatureMatrix() {
    CommandRun run =
        CommandRun.of(
            "bench",
            folder,
            "--workers",
            "1",
            "--warm-up",
            "0",
            "--rounds",
            "1",
            "--features",
            "delay,distance",
            "--matrix");
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("Use --workers 1: ");
  }

  @Test
  void saysHowBusyAnAcceleratorIs() {
    CommandRun run =
        CommandRun.of(
            "bench",
            folder,
            "--accelerator=20ms",
            "--batch-size=37500",
            "--workers=0,1",
            "--warm-up=0",
            "--rounds=1");
    assertThat(run.status()).isZero();
    assertThat(run.lines().getFirst()).startsWith("workers  rows/s  noise").endsWith("busy");
    assertThat(run.out()).contains("What holds it back? ");
  }

  @Test
  void jsonHasWhatScriptsAskOfAnAccelerator() {
    CommandRun run =
        CommandRun.of(
            "bench",
            folder,
            "--accelerator=1us",
            "--workers=0,2",
            "--warm-up=0",
            "--rounds=1",
            "--json");
    assertThat(run.status()).isZero();
    assertThat(run.lines()).hasSize(2);
    // Steps of 1 us are over long before the next batch is there.
    assertThat(run.lines())
        .allMatch(line ->
            line.matches(
                "\\{\"workers\":[02],\"rowsPerSecond\":[0-9.E]+,\"waitSeconds\":[0-9.E-]+,"
                    + "\"recommended\":(true|false),\"acceleratorSeconds\":1\\.0E-6,"
                    + "\"utilisation\":[0-9.E-]+,\"suffices\":false,\"bottleneck\":\"[^\"]+\","
                    + "\"workersEstimate\":[0-9]+}"));
    assertThat(run.lines().stream().filter(line -> line.contains("\"recommended\":true")))
        .hasSize(1);
  }

  @Test
  void stepWithoutAUnitIsWrongUsage() {
    CommandRun run = CommandRun.of("bench", folder, "--accelerator=5");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .startsWith(
            "Cannot use --accelerator '5': expected a number with the unit us, ms or s, from 1us to"
                + " 3600s, such as 0.375ms.");
  }

  @Test
  void negativeTimeToWarmUpIsWrongUsage() {
    CommandRun run = CommandRun.of("bench", folder, "--warm-up=-1");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("--warm-up must be at least 0, got -1.");
  }
}
