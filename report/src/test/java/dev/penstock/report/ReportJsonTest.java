package dev.penstock.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.RowGroup;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Plan;
import dev.penstock.split.Split;
import dev.penstock.stats.RankCosts;
import dev.penstock.storage.Location;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReportJsonTest {
  private static final DataFileInfo FILE =
      new DataFileInfo(Location.of(Path.of("part-0.csv")), 1, List.of(new RowGroup(20_000, 1)));

  /// Returns the JSON of a plan: one reader reads 6,000 splits, another as many as given.
  private static String json(int splits) {
    Split first = split(0, 6_000);
    Split second = split(6_000, splits);
    List<FileSplit> sequence =
        List.of(new FileSplit(FILE, 0, 6_000), new FileSplit(FILE, 6_000, splits));
    Plan plan =
        new Plan(
            0, List.of(FILE), List.of(first, second), sequence, List.of(), List.of(), List.of());
    PlanPart part =
        new PlanPart(plan, List.of(), List.of(), 0, List.of(), List.of(), Optional.empty());
    return ReportJson.of(Report.of(Report.Kind.PLAN, "plan").plan(part));
  }

  private static Split split(int firstRow, int count) {
    return new Split(
        IntStream.range(firstRow, firstRow + count)
            .mapToObj(row -> new FileSplit(FILE, row, 1))
            .toList());
  }

  /// Two ranks, one of which costs twice as much as the other when dealt in turn.
  @Test
  void costsOfRanksAreABoundedNumberOfPoints() {
    double[][] inTurn = new double[2][1_000];
    double[][] balanced = new double[2][1_000];
    Arrays.fill(inTurn[0], 1);
    Arrays.fill(inTurn[1], 2);
    Arrays.fill(balanced[0], 1.5);
    Arrays.fill(balanced[1], 1.5);
    Plan plan = new Plan(0, List.of(FILE), List.of(), List.of(), List.of(), List.of(), List.of());
    PlanPart part =
        new PlanPart(plan, List.of(), List.of(), 0, List.of(), List.of(), Optional.empty())
            .costs(new RankCosts(inTurn, balanced, 999));

    String json = ReportJson.of(Report.of(Report.Kind.PLAN, "plan").plan(part));

    assertThat(json)
        .contains(
            "\"work\":{\"ranks\":2,\"steps\":999,\"inTurn\":{\"median\":",
            "\"means\":[1.0,2.0],\"mosts\":[1.0,2.0]}",
            "\"balanced\":{\"median\":0.0,\"within2\":1.0,\"means\":[1.5,1.5]",
            "\"points\":{\"step\":[0,4,9,14,19,",
            ",\"inTurn\":[0.3333,0.3333,")
        .containsPattern("\"balanced\":\\[(0\\.0,){199}0\\.0]");
  }

  @Test
  void splitsBeyondTenThousandAreCounted() {
    assertThat(json(4_000)).contains(",9999],\"endRow\":[").doesNotContain("splitsMore");
    assertThat(json(4_007)).contains(",9999],\"endRow\":[").contains("\"splitsMore\":7,");
  }
}
