package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// `penstock load` on the held-out flights.
class LoadCommandTest {
  private static final String folder = HeldOutFlights.FOLDER.toString();

  @Test
  void saysWhatAFilterLeftOutAndByWhat() {
    String where = "date < '2001-03-20' and delay >= 15";
    CommandRun run = CommandRun.of("load", folder, "--where", where);
    assertThat(run.out()).contains("The filter left out ", " 35,000 by statistics of row groups,");
    assertThat(CommandRun.of("load", "--json", folder, "--where", where).out())
        .contains("\"skippedRows\":{\"files\":0,\"statistics\":35000,\"bloomFilters\":0,");
    assertThat(CommandRun.of("cat", folder, "--where", where).lines())
        .hasSize((int) rows(run.out()));
  }

  private static long rows(String out) {
    return Long.parseLong(
        out.lines()
            .filter(line -> line.contains(" rows in "))
            .findFirst()
            .orElseThrow()
            .split(" ", 2)[0]
            .replace(",", ""));
  }

  @Test
  void jsonHasALineAnEpochWithAllFields() {
    CommandRun run = CommandRun.of("load", folder, "--epochs", "2", "--epoch", "3", "--json");
    assertThat(run.status()).isZero();
    assertThat(run.lines()).hasSize(2);
    String number = "-?[0-9.E-]+";
    assertThat(run.lines().get(1))
        .matches(
            "\\{\"epoch\":4,\"rows\":75000,\"batches\":74,\"seconds\":N,\"rowsPerSecond\":N,"
                    .replace("N", number)
                + "\"bytesRead\":[1-9][0-9]*,\"waitSeconds\":N,\"peakMemoryBytes\":[1-9][0-9]*,"
                    .replace("N", number)
                + "\"orderDigest\":\"[0-9a-f]{16}\",\"contentDigest\":\"[0-9a-f]{16}\"}");
  }

  @Test
  void digestsDoNotDependOnWorkersOrBatchSize() {
    Set<String> digests = new HashSet<>();
    for (String[] setting :
        new String[][] {{"0", "1024"}, {"1", "100"}, {"2", "75000"}, {"4", "4096"}}) {
      String line =
          CommandRun.of(
                  "load", folder, "--json", "--workers", setting[0], "--batch-size", setting[1])
              .out();
      digests.add(CommandRun.field(line, "orderDigest") + CommandRun.field(line, "contentDigest"));
    }
    assertThat(digests).hasSize(1);
  }

  @Test
  void shuffleMovesTheOrderDigestOnly() {
    List<String> lines =
        CommandRun.of(
                "load",
                folder,
                "--json",
                "--epochs",
                "2",
                "--shuffle",
                "splits",
                "--split-rows",
                "5000")
            .lines();
    assertThat(CommandRun.field(lines.get(0), "orderDigest"))
        .isNotEqualTo(CommandRun.field(lines.get(1), "orderDigest"));
    assertThat(CommandRun.field(lines.get(0), "contentDigest"))
        .isEqualTo(CommandRun.field(lines.get(1), "contentDigest"));
  }

  @Test
  void bottleneckIsNamedBesideTheData() {
    assertThat(CommandRun.of("load", folder, "--json").err()).matches("[A-Z].* bottleneck.*\\.\n");
    assertThat(CommandRun.of("load", folder, "--json", "--progress", "none").err()).isEmpty();
  }

  @Test
  void peopleGetATableAndASentence() {
    CommandRun run = CommandRun.of("load", folder, "--drop-last", "--workers", "1");
    assertThat(run.out())
        .startsWith("epoch    rows  batches")
        .contains("74,752       73")
        .endsWith("s over 1 epoch, with 1 worker and batches of 1,024.\n");
  }

  @Test
  void anEpochIsReportedWhenItEndsWhateverBecomesOfTheNext() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    OutputStream fullAfterOne =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            if (out.toString(StandardCharsets.UTF_8).chars().filter(c -> c == '\n').count() > 2) {
              throw new IOException("No space left on device");
            }
            out.write(b);
          }
        };
    CommandRun run = CommandRun.into(fullAfterOne, "load", folder, "--epochs", "2");
    assertThat(run.status()).isEqualTo(1);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("epoch ")
        .contains("\n    0  75,000 ");
  }

  @Test
  void aShuffleThatMovesNothingIsPointedOut() {
    assertThat(
            CommandRun.of("load", folder + "/part-6.parquet", "--shuffle", "splits", "--json")
                .err())
        .startsWith("Note: --shuffle splits has a single split here");
  }
}
