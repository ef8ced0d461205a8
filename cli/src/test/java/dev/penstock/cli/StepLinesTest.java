package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.steps.StepRow;
import dev.penstock.storage.Location;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StepLinesTest {
  private static StepRow row(int place, OptionalLong id) {
    return new StepRow(
        0,
        7,
        0,
        place,
        OptionalLong.empty(),
        new Location("t/a.parquet"),
        10 + place,
        11 + place,
        id,
        Optional.empty());
  }

  @Test
  void rowsOfALineHaveRowIdsThatFollowEachOther() {
    StepLines lines = new StepLines(40, "");
    long[] ids = {5, 6, 90, 91, -1, -1, 3};
    for (int place = 0; place < ids.length; place++) {
      lines.add(row(place, ids[place] < 0 ? OptionalLong.empty() : OptionalLong.of(ids[place])));
    }
    assertThat(lines.text("step 7", 100).lines().map(String::strip))
        .containsSubsequence(
            "step  rank   place       row    row id  file",
            "7     0  [0, 2)  [10, 12)    [5, 7)  a.parquet",
            "7     0  [2, 4)  [12, 14)  [90, 92)  a.parquet",
            "7     0  [4, 6)  [14, 16)            a.parquet",
            "7     0       6        16         3  a.parquet");
  }
}
