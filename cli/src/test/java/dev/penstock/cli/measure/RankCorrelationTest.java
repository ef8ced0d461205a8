package dev.penstock.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.testing.Seeded;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RankCorrelationTest {
  private static RankCorrelation of(int rowsMax, LongStream places) {
    RankCorrelation correlation = new RankCorrelation(rowsMax);
    places.forEach(correlation::add);
    return correlation;
  }

  @Test
  void theSameOrderIsOneAndTheOtherWayRoundMinusOne() {
    assertThat(of(5000, LongStream.range(0, 3000).map(i -> i * i)).value()).isEqualTo(1);
    assertThat(of(5000, LongStream.range(0, 3000).map(i -> -i * i)).value()).isEqualTo(-1);
  }

  @Test
  void swappedHalvesAreAsArithmeticSays() {
    // Every rank differs by n / 2: 1 - 6 n (n / 2)^2 / (n (n^2 - 1)), here with n = 10.
    RankCorrelation swapped = of(100, LongStream.of(5, 6, 7, 8, 9, 0, 1, 2, 3, 4));
    assertThat(swapped.value()).isCloseTo(1 - 1.5 * 100 / 99, within(1e-12));
    assertThat(swapped.rows()).isEqualTo(10);
    assertThat(swapped.sampled()).isEqualTo(10);
  }

  @Test
  void rowsInOnePlaceShareTheMeanOfTheirRanks() {
    // Ranks 1, 2.5, 2.5, 4 beside 1, 2, 3, 4.
    assertThat(of(100, LongStream.of(10, 20, 20, 30)).value())
        .isCloseTo(4.5 / Math.sqrt(5 * 4.5), within(1e-12));
  }

  @Test
  void fewerThanTwoPlacesHaveNone() {
    assertThat(of(100, LongStream.of()).value()).isNaN();
    assertThat(of(100, LongStream.of(7)).value()).isNaN();
    assertThat(of(100, LongStream.of(7, 7)).value()).isNaN();
  }

  @Test
  void ofManyRowsASampleSpeaksForAll() {
    int n = 200_000;
    RankCorrelation same = of(4096, LongStream.range(0, n));
    RankCorrelation swapped = of(4096, LongStream.range(0, n).map(i -> (i + n / 2) % n));
    assertThat(same.rows()).isEqualTo(n);
    assertThat(same.sampled()).isBetween(1800, 4096);
    assertThat(same.value()).isEqualTo(1);
    assertThat(swapped.sampled()).as("rows are chosen by their place").isEqualTo(same.sampled());
    assertThat(swapped.value()).isCloseTo(-0.5, within(0.1));
  }

  @Seeded(runs = 3)
  void unrelatedOrdersAreAboutZero(Random random) {
    // The deviation is 1 / sqrt(n - 1), here at most 0.025.
    assertThat(of(4096, random.longs(100_000)).value()).isCloseTo(0, within(0.15));
  }
}
