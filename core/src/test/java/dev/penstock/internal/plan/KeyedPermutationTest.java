package dev.penstock.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Seeded;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyedPermutationTest {
  /// Enough rows that they are not listed.
  private static final int ROWS = 100_003;

  private static final int SEEDS = 60;

  /// A mean of standard normal numbers over all seeds is within this, but for one in a billion.
  private static final double MEAN_MAX = 6 / Math.sqrt(SEEDS);

  private static int[] order(RowPermutation permutation) {
    return Arrays.stream(permutation.rows(0, (int) permutation.size()))
        .mapToInt(row -> (int) row)
        .toArray();
  }

  @Seeded(runs = 60)
  void eachRowHasOnePlace(Random random) {
    int size = random.nextInt(4) == 0 ? random.nextInt(2000) : 65_530 + random.nextInt(70_000);
    RowPermutation permutation = new KeyedPermutation(size, random.nextLong(), random.nextInt(5));
    int[] order = order(permutation);
    long[] places = permutation.places(0, size);
    for (int place = 0; place < size; place++) {
      assertThat(places[order[place]]).isEqualTo(place);
    }
    Arrays.sort(order);
    assertThat(order).isEqualTo(IntStream.range(0, size).toArray());
  }

  @Seeded(runs = 20)
  void eachRowHasOnePlaceAmongMoreThanAnArrayHolds(Random random) {
    long size = (1L << (32 + random.nextInt(20))) + random.nextInt(1000);
    KeyedPermutation permutation = new KeyedPermutation(size, random.nextLong(), 0);
    long first = random.nextLong(size - 1000);
    long[] rows = permutation.rows(first, 1000);
    for (int i = 0; i < rows.length; i++) {
      assertThat(permutation.places(rows[i], 1)).containsExactly(first + i);
    }
    assertThat(Arrays.stream(rows).sorted().distinct())
        .hasSize(1000)
        .allMatch(row -> row >= 0 && row < size);
  }

  @Test
  void ordersAreTheSameInEveryRelease() {
    assertThat(hashes(70_000)).containsExactly(-7987531300024609426L, 1252100096253394246L);
    assertThat(hashes(100_003)).containsExactly(2129140530421899713L, -1937689263673419231L);
    assertThat(hashes((1L << 40) + 17))
        .containsExactly(-7258971587504606947L, 3431648449087024860L);
  }

  private static long[] hashes(long size) {
    RowPermutation permutation = new KeyedPermutation(size, 42, 3);
    return new long[] {
      hash(permutation.rows(size - 5000, 5000)), hash(permutation.places(size - 5000, 5000))
    };
  }

  private static long hash(long[] numbers) {
    return Arrays.stream(numbers).reduce(0, (hash, number) -> 31 * hash + number);
  }

  @Test
  void allOrdersOfFewRowsAreEquallyLikely() {
    Map<String, Integer> seen = new HashMap<>();
    int runs = 24_000;
    for (int seed = 0; seed < runs; seed++) {
      seen.merge(Arrays.toString(order(new KeyedPermutation(4, seed, 1))), 1, Integer::sum);
    }
    assertThat(seen).hasSize(24);
    double squares =
        seen.values().stream().mapToDouble(count -> Math.pow(count - runs / 24.0, 2)).sum();
    // Chi-squared with 23 degrees of freedom has a mean of 23; above 84 it is one in a billion.
    assertThat(squares / (runs / 24.0)).isLessThan(84);
  }

  /// All of these statistics are standard normal for orders that are equally likely.
  private static double[] statistics(int[] order) {
    int n = order.length;
    double mean = (n - 1) / 2.0;
    double rank = 0; // of a row and its place
    double serial = 0; // of a row and the next one
    int ascents = 0;
    int fixed = 0;
    for (int i = 0; i < n; i++) {
      rank += (i - mean) * (order[i] - mean);
      int next = order[(i + 1) % n];
      serial += (order[i] - mean) * (next - mean);
      ascents += i + 1 < n && next > order[i] ? 1 : 0;
      fixed += order[i] == i ? 1 : 0;
    }
    double variance = (double) n * ((double) n * n - 1) / 12;
    double runs = (ascents - (n - 1) / 2.0) / Math.sqrt((n + 1) / 12.0);
    return new double[] {
      rank / variance * Math.sqrt(n - 1.0), serial / variance * Math.sqrt(n), runs, fixed - 1
    };
  }

  private static double[][] statistics(LongFunction<int[]> orders) {
    double[][] all = new double[SEEDS][];
    for (int seed = 0; seed < SEEDS; seed++) {
      all[seed] = statistics(orders.apply(seed));
    }
    return all;
  }

  private static double mean(double[][] all, int statistic) {
    return Arrays.stream(all).mapToDouble(each -> each[statistic]).average().orElseThrow();
  }

  private static double variance(double[][] all, int statistic) {
    double mean = mean(all, statistic);
    return Arrays.stream(all)
        .mapToDouble(each -> Math.pow(each[statistic] - mean, 2))
        .average()
        .orElseThrow();
  }

  private static void assertStandardNormal(double[][] all) {
    for (int statistic = 0; statistic < 4; statistic++) {
      assertThat(mean(all, statistic)).as("statistic %s", statistic).isBetween(-MEAN_MAX, MEAN_MAX);
      assertThat(variance(all, statistic)).as("statistic %s", statistic).isBetween(0.3, 2.5);
    }
  }

  @Test
  void ordersOfManyRowsLookLikeThoseOfTorch() {
    assertStandardNormal(statistics(seed -> order(new KeyedPermutation(ROWS, seed, 3))));
    assertStandardNormal(statistics(seed -> order(new TorchPermutation(ROWS, seed, 3))));
  }

  @Test
  void ordersOfNeighbouringSeedsAndEpochsAreUnrelated() {
    assertStandardNormal(
        statistics(seed -> related(order(new KeyedPermutation(ROWS, seed, 0)), seed + 1, 0)));
    assertStandardNormal(
        statistics(seed -> related(order(new KeyedPermutation(ROWS, seed, 0)), seed, 1)));
  }

  /// Returns the order of one epoch as seen from another.
  private static int[] related(int[] order, long seed, long epoch) {
    int[] other = order(new KeyedPermutation(ROWS, seed, epoch));
    int[] related = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      related[order[i]] = other[i];
    }
    return related;
  }
}
