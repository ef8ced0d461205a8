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
  void negativeTimeToWarmUpIsWrongUsage() {
    CommandRun run = CommandRun.of("bench", folder, "--warm-up=-1");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("--warm-up must be at least 0, got -1.");
  }
}
