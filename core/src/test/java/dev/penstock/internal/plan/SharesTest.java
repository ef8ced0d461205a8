package dev.penstock.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.internal.plan.Mix.Ending;
import dev.penstock.internal.plan.Mix.Stage;
import dev.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharesTest {
  private static final int BLOCK = Shares.BLOCK_ROWS;

  /// Sources with weights and numbers of rows.
  @SuppressWarnings("ArrayRecordComponent") // nobody compares cases
  private record Case(List<Double> weights, long[] available) {
    static Case random(Random random) {
      int sources = 1 + random.nextInt(6);
      long most = random.nextBoolean() ? 100 : 2_000_000;
      return new Case(
          SharesTest.weights(random, sources), random.longs(sources, 1, most).toArray());
    }

    int sources() {
      return available.length;
    }

    double share(int source) {
      return weights.get(source) / weights.stream().mapToDouble(each -> each).sum();
    }

    /// Its weights, and others from some later rows on.
    List<Stage> stages(Random random) {
      List<Stage> stages = new ArrayList<>(List.of(new Stage(0, weights)));
      long row = 0;
      for (int i = random.nextInt(3); i > 0; i--) {
        row += 1 + random.nextInt(5_000);
        stages.add(new Stage(row, SharesTest.weights(random, sources())));
      }
      return stages;
    }

    Shares shares(Ending ending) {
      return new Shares(available, List.of(new Stage(0, weights)), ending);
    }
  }

  private static List<Double> weights(Random random, int sources) {
    List<Double> weights = new ArrayList<>();
    for (int s = 0; s < sources; s++) {
      weights.add(random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0.01 + random.nextDouble());
    }
    return weights;
  }

  @Seeded(runs = 60)
  void everyBlockHasItsSharesToWithinOneRow(Random random) {
    Case each = Case.random(random);
    Shares shares = each.shares(Ending.FIRST);
    long[] sum = new long[each.sources()];
    for (long row = 0; row < shares.rows(); row += BLOCK) {
      Shares.Block block =
          shares.block(row + random.nextInt((int) Math.min(BLOCK, shares.rows() - row)));
      assertThat(block.start()).isEqualTo(row);
      assertThat(block.size()).isEqualTo((int) Math.min(BLOCK, shares.rows() - row));
      for (int s = 0; s < each.sources(); s++) {
        assertThat(shares.before(s, row)).isEqualTo(sum[s]);
        assertThat((double) block.rows()[s]).isCloseTo(each.share(s) * block.size(), within(1.001));
        sum[s] += block.rows()[s];
      }
    }
    for (int s = 0; s < each.sources(); s++) {
      assertThat(shares.rows(s)).isEqualTo(sum[s]).isLessThanOrEqualTo(each.available()[s]);
      assertThat((double) sum[s])
          .isCloseTo(each.share(s) * shares.rows(), within(6 + shares.rows() / 1e6));
    }
  }

  @Seeded(runs = 60)
  void firstEndsWhereASourceHasNoRowForItsPlace(Random random) {
    Case each = Case.random(random);
    Shares shares = each.shares(Ending.FIRST);
    double most =
        IntStream.range(0, each.sources())
            .mapToDouble(s -> each.available()[s] / each.share(s))
            .min()
            .orElse(0);
    double row =
        IntStream.range(0, each.sources()).mapToDouble(s -> 1 / each.share(s)).max().orElse(0);
    assertThat((double) shares.rows()).isCloseTo(most, within(6 * row + 1 + most / 1e6));
  }

  @Seeded(runs = 60)
  void allHasEveryRowOnce(Random random) {
    Case each = Case.random(random);
    long[] available = each.available();
    Shares shares = new Shares(available, each.stages(random), Ending.ALL);
    assertThat(shares.rows()).isEqualTo(Arrays.stream(available).sum());
    for (int s = 0; s < each.sources(); s++) {
      assertThat(shares.rows(s)).isEqualTo(available[s]);
    }
  }

  @Seeded(runs = 300)
  void repeatHasEveryRowAndEndsWithTheLastSource(Random random) {
    Case each = Case.random(random);
    Shares shares = new Shares(each.available(), each.stages(random), Ending.REPEAT);
    boolean isJust = false;
    for (int s = 0; s < each.sources(); s++) {
      assertThat(shares.rows(s)).isGreaterThanOrEqualTo(each.available()[s]);
      isJust |= shares.rows(s) - each.available()[s] <= 1;
    }
    assertThat(isJust).as("%s rows", shares.rows()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 100, 1, 3, 700", // The first source has 150 rows left at row 100.
    "1, 1, 400, 1, 3, 400",
    "1, 1, 1000000000000, 1, 3, 400",
    "1, 0, 100, 1, 3, 500",
    "1, 0, 1500, 1, 1, 1538", // The second source is awaited.
    "1, 1, 30, 1, 0, 215", // It never comes again, so it is not awaited.
    "1, 0, 100, 2, 0, 200",
  })
  void repeatEndsWithTheLastUnreadSource(
      double first, double second, long from, double third, double fourth, long rows) {
    List<Stage> stages =
        List.of(new Stage(0, List.of(first, second)), new Stage(from, List.of(third, fourth)));
    Shares shares = new Shares(new long[] {200, 19}, stages, Ending.REPEAT);
    assertThat(shares.rows()).isCloseTo(rows, within(2L));
  }

  @Test
  void weightsChangeAtTheirRows() {
    Shares shares =
        new Shares(
            new long[] {100_000, 100_000},
            List.of(new Stage(0, List.of(1.0, 0.0)), new Stage(1_500, List.of(1.0, 3.0))),
            Ending.FIRST);
    assertThat(shares.before(0, 1_500)).isEqualTo(1_500);
    assertThat(shares.before(1, 1_500)).isZero();
    assertThat(shares.block(1_500).rows()).containsExactly(256, 768);
    assertThat(shares.block(1_499))
        .satisfies(block -> {
          assertThat(block.start()).isEqualTo(1_024);
          assertThat(block.rows()).containsExactly(476, 0);
        });
    assertThat(shares.rows(1)).isEqualTo(100_000);
  }
}
