package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The commands on a Delta table.
class DeltaCommandTest {
  private static final String DELTA =
      "../delta/src/test/resources/golden/dv-partitioned-with-checkpoint";

  @Test
  void deltaTableIsReadAsTheTable() {
    CommandRun run = CommandRun.of("load", DELTA, "--json");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("\"rows\":35,");
    assertThat(CommandRun.of("load", DELTA, "--json", "--snapshot", "0").out())
        .contains("\"rows\":")
        .doesNotContain("\"rows\":35,");
    assertThat(CommandRun.of("schema", DELTA).out())
        .contains("part", "col1", "col2")
        .endsWith("\ntable testId at version(15), 2 rows deleted by vectors\n");
    assertThat(CommandRun.of("schema", DELTA, "--json").out()).contains("\"deletedRows\":2}");
    assertThat(CommandRun.of("plan", DELTA).out()).contains(" at version(15), 2 rows deleted");
  }

  @Test
  void deltaTableIsReadAsOfATime() {
    assertThat(CommandRun.of("schema", DELTA, "--as-of", "2100-01-01T00:00:00").out())
        .contains(" at version(15)");
    CommandRun early = CommandRun.of("schema", DELTA, "--as-of", "1960-01-01T00:00:00Z");
    assertThat(early.status()).isEqualTo(1);
    assertThat(early.err()).contains("the first version in its log is version(0) of ");
  }

  @Test
  void formatReadsTheFilesAllTheSame() {
    CommandRun run = CommandRun.of("load", DELTA, "--json", "--format", "parquet");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).doesNotContain("\"rows\":35,");
  }

  @Test
  void optionsOfIcebergAreRefused() {
    CommandRun run = CommandRun.of("load", DELTA, "--ref", "main");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("Cannot use --ref with '" + DELTA + "'");
  }

  @Test
  void locationsAreMapped() {
    CommandRun run = CommandRun.of("load", DELTA, "--json", "--map-location", "file:/a=/b");
    assertThat(run.status()).as(run.err()).isZero();
    CommandRun none = CommandRun.of("load", DELTA, "--json", "--map-location", "=/b");
    assertThat(none.status()).isEqualTo(2);
    assertThat(none.err()).startsWith("Cannot use --map-location: expected KEY=VALUE");
  }

  @Test
  void tableBelowALocationIsAnError() {
    CommandRun run = CommandRun.of("load", "../delta/src/test/resources/golden");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("is a Delta table").contains("--format");
  }
}
