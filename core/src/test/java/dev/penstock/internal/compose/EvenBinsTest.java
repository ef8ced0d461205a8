package dev.penstock.internal.compose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Seeded;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EvenBinsTest {
  private static double[] sums(double[] costs, int[] sizes, int[] things) {
    double[] sums = new double[sizes.length];
    int at = 0;
    for (int bin = 0; bin < sizes.length; bin++) {
      for (int end = at + sizes[bin]; at < end; at++) {
        sums[bin] += costs[things[at]];
      }
    }
    return sums;
  }

  /// Returns the least that the most expensive of bins can cost, by trying all ways.
  private static double optimum(double[] costs, int[] room, double[] sums, int thing) {
    if (thing == costs.length) {
      return Arrays.stream(sums).max().orElse(0);
    }
    double best = Double.POSITIVE_INFINITY;
    for (int bin = 0; bin < room.length; bin++) {
      if (room[bin] > 0) {
        room[bin]--;
        sums[bin] += costs[thing];
        best = Math.min(best, optimum(costs, room, sums, thing + 1));
        room[bin]++;
        sums[bin] -= costs[thing];
      }
    }
    return best;
  }

  @Seeded(runs = 100)
  void eachThingIsInABin(Random random) {
    int[] sizes = random.ints(1 + random.nextInt(20), 1, 30).toArray();
    double[] costs =
        random.doubles(Arrays.stream(sizes).sum()).map(cost -> random.nextInt(3) * cost).toArray();

    int[] things = EvenBins.fill(costs, sizes);

    assertThat(Arrays.stream(things).sorted())
        .containsExactly(IntStream.range(0, costs.length).boxed().toArray(Integer[]::new));
    assertThat(EvenBins.fill(costs, sizes)).isEqualTo(things);
  }

  /// Of bins of at most three things, longest first is at most a third above the optimum. H.
  /// Kellerer, G. Woeginger, A tight bound for 3-partitioning, 1993.
  @Seeded(runs = 200)
  void theMostExpensiveBinIsNearTheOptimum(Random random) {
    int[] sizes = new int[2 + random.nextInt(2)];
    Arrays.fill(sizes, 2 + random.nextInt(2));
    double[] costs = random.doubles(Arrays.stream(sizes).sum(), 1, 100).toArray();

    double[] made = sums(costs, sizes, EvenBins.fill(costs, sizes));

    assertThat(Arrays.stream(made).max().orElseThrow())
        .isLessThanOrEqualTo(1.34 * optimum(costs, sizes.clone(), new double[sizes.length], 0));
  }

  @Seeded(runs = 10)
  void manyThingsMakeEvenBins(Random random) {
    int[] sizes = new int[200];
    Arrays.fill(sizes, 32);
    sizes[0] = 5;
    sizes[199] = 17;
    double[] costs = random.doubles(32 * 198 + 22, 1, 50).toArray();

    double[] made = sums(costs, sizes, EvenBins.fill(costs, sizes));

    double mean = Arrays.stream(costs).average().orElseThrow();
    for (int bin = 0; bin < sizes.length; bin++) {
      assertThat(made[bin] / sizes[bin]).isBetween(0.8 * mean, 1.2 * mean);
      if (sizes[bin] == 32) {
        assertThat(made[bin] / 32).isBetween(0.99 * mean, 1.01 * mean);
      }
    }
  }

  @Test
  void anExpensiveThingIsWithTheCheapest() {
    assertThat(EvenBins.fill(new double[] {1, 5, 100, 2, 6, 7}, new int[] {3, 3}))
        .containsExactly(2, 3, 0, 5, 4, 1);
  }

  @Test
  void thingsOfTheSameCostKeepTheirOrder() {
    assertThat(EvenBins.fill(new double[4], new int[] {1, 2, 1})).containsExactly(0, 1, 2, 3);
    assertThat(EvenBins.fill(new double[0], new int[0])).isEmpty();
    assertThat(EvenBins.fill(new double[] {3}, new int[] {1})).containsExactly(0);
  }
}
