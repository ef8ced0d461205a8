package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `penstock plan` on the held-out flights.
class PlanCommandTest {
  private static final String folder = HeldOutFlights.FOLDER.toString();

  @Test
  void saysWhoReadsWhat() {
    CommandRun run =
        CommandRun.of("plan", folder, "--workers", "2", "--split-rows", "20000", "--seed", "4");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("reader 0 reads\n", "reader 1 reads\n")
        .contains("part-6.parquet rows [0, 20000)")
        .contains("epoch 0, 75,000 rows, 2 files, 4 splits\n")
        .contains("strategy: row groups packed to 20000 rows, dealt largest first\n")
        .contains("shuffle: none, seed 4\n")
        .endsWith("pruned: none\n");
  }

  @Test
  void jsonHasFilesReadersAndTheSequence() {
    CommandRun run =
        CommandRun.of(
            "plan", "--json", folder, "--workers", "3", "--shuffle", "splits", "--epoch", "2");
    assertThat(run.lines()).hasSize(1);
    assertThat(run.out())
        .startsWith("{\"epoch\":2,\"shuffle\":\"splits\",\"seed\":0,\"rows\":75000,\"files\":[")
        .contains("\"rows\":37500,\"rowGroups\":8}", "\"readers\":[{\"reader\":0,\"rows\":37500,")
        .contains("\"sequence\":[{\"file\":\"")
        .contains("\"offset\":0,\"length\":37500}");
  }

  @Test
  void savesAPlanThatOtherCommandsRead(@TempDir Path place) {
    String plans = place + "/";
    CommandRun saved = CommandRun.of("plan", folder, "--save", plans, "--statistics", "date");
    assertThat(saved.status()).isZero();
    assertThat(saved.out())
        .matches("saved the plan " + plans + "plan-[0-9a-f]{32}\\.penstock-plan\n");
    assertThat(CommandRun.of("plan", folder, "--save", plans).out())
        .isEqualTo(saved.out().replace("saved the plan ", "left the plan that is there: "));
    assertThat(CommandRun.of("plan", folder, "--save", plans, "--json").out())
        .startsWith("{\"plan\":\"" + plans + "plan-")
        .endsWith("\"isNew\":false}\n");
    String[] plain = {"plan", folder, "--where", "date < '2001-03-20'"};
    assertThat(
            CommandRun.of("plan", folder, "--where", "date < '2001-03-20'", "--plan", plans).out())
        .isEqualTo(CommandRun.of(plain).out());
  }

  @Test
  void savesWhichRowsMatch(@TempDir Path place) {
    String plan = place + "/late";
    String late = "delay >= 15";
    CommandRun saved = CommandRun.of("plan", folder, "--where", late, "--save", plan);
    assertThat(saved.out()).isEqualTo("saved the plan " + plan + "\n");
    String[] plain = {"plan", folder, "--where", late, "--rank", "1/3"};
    assertThat(
            CommandRun.of("plan", folder, "--where", late, "--rank", "1/3", "--plan", plan).out())
        .isEqualTo(CommandRun.of(plain).out());
    CommandRun other = CommandRun.of("plan", folder, "--where", "delay >= 16", "--save", plan);
    assertThat(other.status()).isEqualTo(1);
    assertThat(other.err())
        .contains("there is one with the matches of 'delay >= 15, delay: int64' but not of");
  }

  @Test
  void savingNeedsAPlace() {
    CommandRun statistics = CommandRun.of("plan", folder, "--statistics", "date");
    assertThat(statistics.status()).isEqualTo(2);
    assertThat(statistics.err()).contains("Cannot use --statistics without --save: add it.");
    CommandRun both = CommandRun.of("plan", folder, "--save", "a", "--plan", "b");
    assertThat(both.status()).isEqualTo(2);
    assertThat(both.err()).contains("Cannot use --plan with --save: leave one of them out.");
  }

  @Test
  void namesTheRowGroupsThatAFilterRulesOut() {
    CommandRun run = CommandRun.of("plan", folder, "--where", "date < '2001-03-20'");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("pruned: 35,000 rows in 8 row groups\n")
        .contains("part-7.parquet rows [35000, 37500) by statistics\n");
    assertThat(CommandRun.of("plan", "--json", folder, "--where", "date < '2001-03-20'").out())
        .contains("part-7.parquet\",\"offset\":35000,\"length\":2500,\"by\":\"statistics\"}]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1000", "7000", "1000000"})
  void rowsReadAndRowsPrunedAreAllRows(String splitRows) {
    String where = "date >= '2001-02-10' and date < '2001-03-20'";
    String plan =
        CommandRun.of("plan", "--json", folder, "--where", where, "--split-rows", splitRows).out();
    assertThat(rows(plan, "\"sequence\":[", "]") + rows(plan, "\"pruned\":[", "]"))
        .isEqualTo(HeldOutFlights.ROWS);
    assertThat(rows(plan, "\"readers\":[", "\"sequence\""))
        .isEqualTo(rows(plan, "\"sequence\":[", "]"))
        .isEqualTo(Long.parseLong(CommandRun.field(plan, "rows")))
        .isLessThan(HeldOutFlights.ROWS);
  }

  private static long rows(String plan, String start, String end) {
    int from = plan.indexOf(start);
    return Pattern.compile("\"length\":([0-9]+)")
        .matcher(plan.substring(from, plan.indexOf(end, from)))
        .results()
        .mapToLong(length -> Long.parseLong(length.group(1)))
        .sum();
  }

  @Test
  void filterThatCannotBeReadIsWrongUsageAndOneThatDoesNotFitIsAFault() {
    CommandRun typo = CommandRun.of("plan", folder, "--where", "delay >== 15");
    assertThat(typo.status()).isEqualTo(2);
    assertThat(typo.err()).contains("delay >== 15");
    CommandRun unfit = CommandRun.of("load", folder, "--where", "origin > 15");
    assertThat(unfit.status()).isEqualTo(1);
    assertThat(unfit.err()).contains("'origin'", "string", "15").doesNotContain("Exception");
  }

  @Test
  void thereIsOneReaderWithoutWorkers() {
    assertThat(CommandRun.of("plan", folder, "--workers", "0").out())
        .contains("reader 0 reads")
        .doesNotContain("reader 1");
  }
}
