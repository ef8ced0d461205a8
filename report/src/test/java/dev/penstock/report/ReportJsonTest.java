package dev.penstock.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.RowGroup;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Plan;
import dev.penstock.split.Split;
import dev.penstock.storage.Location;
import java.nio.file.Path;
import java.util.List;
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
    PlanPart part = new PlanPart(plan, List.of(), List.of(), 0, List.of(), List.of());
    return ReportJson.of(Report.of(Report.Kind.PLAN, "plan").plan(part));
  }

  private static Split split(int firstRow, int count) {
    return new Split(
        IntStream.range(firstRow, firstRow + count)
            .mapToObj(row -> new FileSplit(FILE, row, 1))
            .toList());
  }

  @Test
  void splitsBeyondTenThousandAreCounted() {
    assertThat(json(4_000)).contains(",9999],\"endRow\":[").doesNotContain("splitsMore");
    assertThat(json(4_007)).contains(",9999],\"endRow\":[").contains("\"splitsMore\":7,");
  }
}
