package dev.penstock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.testing.Seeded;
import dev.penstock.testing.TorchValues;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Numbers held against those that torch drew, and against arithmetic.
class GeneratorTest {
  private static final double[] WEIGHTS = {0.1, 0.9, 0.4, 0.7, 3.0, 0.6};

  @Nested
  class AsRecordedFromTorch {
    private final TorchValues golden;
    private final TorchValues more;

    AsRecordedFromTorch() throws IOException {
      golden = TorchValues.read("golden.json");
      more = TorchValues.read("samplers.json");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 42, 4294967295L, 4294967301L, Long.MAX_VALUE, -1})
    void permutationsOfTen(long seed) {
      assertThat(new Generator(seed).randperm(10))
          .isEqualTo(golden.longs("randperm(10) seed=" + seed));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 100, 1000, 100_003})
    void startsAndEndsOfPermutations(int n) {
      long[] order = new Generator(42).randperm(n);
      long[][] ends = golden.orders("randperm(" + n + ") seed=42 first20/last5");
      assertThat(order).startsWith(ends[0]).endsWith(ends[1]).hasSize(n);
    }

    @Test
    void permutationOfAMillion() {
      long[] order = new Generator(3).randperm(1_000_000);
      List<?> expected =
          (List<?>)
              more.get("randperm(1000000) seed=3: first 5, last 5, sum of place * number mod 2^63");
      long sum = 0;
      for (int i = 0; i < order.length; i++) {
        sum += i * order[i];
      }
      assertThat(order)
          .startsWith(TorchValues.longs(expected.get(0)))
          .endsWith(TorchValues.longs(expected.get(1)));
      assertThat(sum & Long.MAX_VALUE).isEqualTo(expected.get(2));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 7, 100, 268435455, 268435456, 2147483648L, 1099511627776L})
    void numbersBelowALimit(long high) {
      long[] expected = golden.longs("randint(high=" + high + ",40) seed=7");
      assertThat(new Generator(7).randint(0, high, 40)).isEqualTo(expected);
      Generator oneByOne = new Generator(7);
      assertThat(LongStream.range(0, 40).map(_ -> oneByOne.randint(0, high)).toArray())
          .isEqualTo(expected);
    }

    @Test
    void numbersOfRangesThatStartBelowZero() {
      assertThat(new Generator(7).randint(-5, 5, 20))
          .isEqualTo(more.longs("randint(-5, 5) 20 seed=7"));
      assertThat(new Generator(7).randint(Long.MIN_VALUE, Long.MAX_VALUE, 10))
          .isEqualTo(more.longs("randint(-2^63, 2^63-1) 10 seed=7"));
      assertThat(new Generator(7).randint(-(1L << 62), (1L << 62) + 1, 10))
          .isEqualTo(more.longs("randint(-2^62, 2^62+1) 10 seed=7"));
    }

    @Test
    void numbersOf63Bits() {
      assertThat(new Generator(123).random()).isEqualTo(golden.get("empty int64 random_ seed=123"));
    }

    @Test
    void numbersBetweenZeroAndOne() {
      Generator generator = new Generator(5);
      for (double expected : golden.doubles("rand float64 seed=5")) {
        assertThat(generator.rand()).isEqualTo(expected);
      }
    }

    @Test
    void drawsOfAllKindsFromOneGenerator() {
      Generator generator = new Generator(9);
      List<?> expected =
          (List<?>)
              more.get("randperm(700), random_, rand, randint(2^28), randperm(3), random_ seed=9");
      assertThat(generator.randperm(700)).startsWith(TorchValues.longs(expected.get(0)));
      assertThat(generator.random()).isEqualTo(expected.get(1));
      assertThat(generator.rand()).isEqualTo(expected.get(2));
      assertThat(generator.randint(0, 1 << 28)).isEqualTo(expected.get(3));
      assertThat(generator.randperm(3)).isEqualTo(TorchValues.longs(expected.get(4)));
      assertThat(generator.random()).isEqualTo(expected.get(5));
    }

    @Test
    void categoriesWithReplacement() {
      assertThat(new Generator(3).multinomial(WEIGHTS, 50, true))
          .isEqualTo(golden.longs("multinomial(w,50,repl) seed=3"));
      assertThat(new Generator(4).multinomial(new double[] {0, 2, 0, 1, 0, 0, 5, 0}, 20, true))
          .isEqualTo(more.longs("multinomial([0,2,0,1,0,0,5,0], 20, replacement) seed=4"));
      checkCalls(oneToThousand(), 100, true, 5, "multinomial(1..1000, 100, replacement)");
    }

    @Test
    void categoriesWithoutReplacement() {
      checkCalls(WEIGHTS, 1, true, 3, "multinomial(w, 1, replacement)");
      checkCalls(WEIGHTS, 1, false, 3, "multinomial(w, 1)");
      checkCalls(WEIGHTS, 3, false, 3, "multinomial(w, 3)");
      checkCalls(WEIGHTS, 6, false, 3, "multinomial(w, 6)");
      checkCalls(
          new double[] {0, 2, 0, 1, 0, 0, 5, 0}, 3, false, 4, "multinomial([0,2,0,1,0,0,5,0], 3)");
      checkCalls(oneToThousand(), 100, false, 5, "multinomial(1..1000, 100)");
    }

    private void checkCalls(
        double[] weights, long samples, boolean replacement, long seed, String call) {
      Generator generator = new Generator(seed);
      long[][] expected =
          more.names().contains(call + " 3 calls seed=" + seed)
              ? more.orders(call + " 3 calls seed=" + seed)
              : more.orders(call + " 2 calls seed=" + seed);
      for (long[] drawn : expected) {
        assertThat(generator.multinomial(weights, samples, replacement)).isEqualTo(drawn);
      }
    }

    private static double[] oneToThousand() {
      return LongStream.rangeClosed(1, 1000).asDoubleStream().toArray();
    }
  }

  @Seeded
  void permutationsHaveEveryNumberOnce(Random random) {
    int n = random.nextInt(3000);
    Generator generator = new Generator(random.nextLong());
    assertThat(LongStream.of(generator.randperm(n)).sorted().toArray())
        .isEqualTo(LongStream.range(0, n).toArray());
    int[] wide = generator.widePermutation(n);
    Arrays.sort(wide);
    for (int i = 0; i < n; i++) {
      assertThat(wide[i]).isEqualTo(i);
    }
  }

  /// The definition, step by step: number `i` takes the place of an earlier one, or its own.
  @Seeded
  void widePermutationsPutEachNumberInAPlaceDrawnFrom64Bits(Random random) {
    long seed = random.nextLong();
    int n = random.nextInt(200);
    MersenneTwister twister = new MersenneTwister((int) seed);
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      int place =
          new BigInteger(Long.toUnsignedString(twister.bits64()))
              .mod(BigInteger.valueOf(i + 1L))
              .intValue();
      if (place == i) {
        expected.add(i);
      } else {
        expected.add(expected.get(place));
        expected.set(place, i);
      }
    }
    assertThat(new Generator(seed).widePermutation(n))
        .isEqualTo(expected.stream().mapToInt(Integer::intValue).toArray());
  }

  @Seeded
  void skippedPermutationLeavesTheGeneratorWhereADrawnOneDoes(Random random) {
    long seed = random.nextLong();
    Generator drawn = new Generator(seed);
    Generator skipped = new Generator(seed);
    for (int i = 0; i < 5; i++) {
      int n = random.nextInt(random.nextBoolean() ? 3 : 3000);
      drawn.randperm(n);
      skipped.skipPermutation(n);
      assertThat(skipped.random()).isEqualTo(drawn.random());
    }
  }

  /// The smallest permutation that takes 64 bits for each element; too large to be drawn here.
  @Test
  void skippedWidePermutationTakesTwoNumbersForEachElement() {
    Generator drawn = new Generator(1);
    drawn.widePermutation(1000);
    assertThat(drawn.random()).isEqualTo(afterSkipping(2000));
    Generator skipped = new Generator(1);
    skipped.skipPermutation(214_748_364);
    assertThat(skipped.random()).isEqualTo(afterSkipping(2 * 214_748_364L));
    skipped.manualSeed(1).skipPermutation(214_748_363);
    assertThat(skipped.random()).isEqualTo(afterSkipping(214_748_362));
  }

  private static long afterSkipping(long numbers) {
    MersenneTwister twister = new MersenneTwister(1);
    twister.skip(numbers);
    return twister.bits64() & Long.MAX_VALUE;
  }

  @Seeded
  void categoriesWithoutReplacementDifferAndHaveWeight(Random random) {
    double[] weights = new double[1 + random.nextInt(50)];
    Arrays.setAll(weights, _ -> random.nextInt(3) == 0 ? 0 : Math.exp(100 * random.nextGaussian()));
    int positive = (int) Arrays.stream(weights).filter(weight -> weight > 0).count();
    if (positive == 0) {
      return;
    }
    int samples = 1 + random.nextInt(positive);
    long[] drawn = new Generator(random.nextLong()).multinomial(weights, samples, false);
    assertThat(drawn).hasSize(samples).doesNotHaveDuplicates();
    assertThat(LongStream.of(drawn).allMatch(i -> weights[(int) i] > 0)).isTrue();
  }

  @Test
  void equalScoresAreDrawnOnceEach() {
    double[] weights = new double[100];
    Arrays.fill(weights, Double.MAX_VALUE / 100); // over a short time: infinite
    weights[7] = Double.MIN_VALUE; // over a long time: 0
    long[] drawn = new Generator(1).multinomial(weights, 100, false);
    assertThat(drawn).hasSize(100).doesNotHaveDuplicates();
  }

  @Test
  void seedingAgainStartsAnew() {
    Generator generator = new Generator(7);
    long[] first = generator.randperm(1000);
    assertThat(generator.randperm(1000)).isNotEqualTo(first);
    assertThat(generator.manualSeed(7).randperm(1000)).isEqualTo(first);
    assertThat(generator.manualSeed(-3).initialSeed()).isEqualTo(-3);
  }

  @Test
  void generatorWithoutASeedHasTorchsDefault() {
    assertThat(new Generator().initialSeed()).isEqualTo(67280421310721L);
    assertThat(new Generator().random()).isEqualTo(new Generator(67280421310721L).random());
  }

  @Test
  void permutationsOfNoneOrOneDrawNothing() {
    Generator generator = new Generator(1);
    assertThat(generator.randperm(0)).isEmpty();
    assertThat(generator.randperm(1)).containsExactly(0);
    assertThat(generator.random()).isEqualTo(new Generator(1).random());
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Integer.MAX_VALUE - 7, Long.MAX_VALUE})
  void permutationBeyondAnArrayIsRefused(long n) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Generator(1).randperm(n))
        .withMessage(
            "Cannot permute "
                + n
                + " numbers: a permutation is an array, which has 0 to 2147483639 elements. Draw"
                + " with replacement instead, or visit the rows in order.");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "5, 4", "9223372036854775807, -9223372036854775808"})
  void rangeWithoutNumbersIsRefused(long low, long high) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Generator(1).randint(low, high))
        .withMessage(
            "Cannot draw a number: the range [%s, %s) has none. Its end must be greater than its"
                + " start.",
            low, high);
  }

  @Test
  void negativeCountIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Generator(1).randint(0, 5, -1))
        .withMessage("Cannot draw numbers: their count is -1 but must be 0 or more.");
  }

  @Test
  void weightsThatCannotBeDrawnByAreRefused() {
    assertRefused("0 weights but expected 1 to 16777216.", 1, true);
    assertRefused("weight 1 is -0.5 but must be 0 or more, and finite.", 1, true, 1, -0.5);
    assertRefused("weight 0 is NaN but must be 0 or more, and finite.", 1, true, Double.NaN);
    assertRefused(
        "weight 1 is Infinity but must be 0 or more, and finite.",
        1,
        false,
        1,
        Double.POSITIVE_INFINITY);
    assertRefused("all weights are 0 but one at least must be more.", 1, true, 0, 0);
    assertRefused(
        "the sum of the weights is beyond a double. Use smaller ones.",
        1,
        true,
        Double.MAX_VALUE,
        Double.MAX_VALUE);
    assertRefused("the number of samples is 0 but must be 1 to 2147483639.", 0, true, 1);
    assertRefused(
        "the number of samples is 2147483640 but must be 1 to 2147483639.", 2147483640L, true, 1);
    assertRefused(
        "3 samples without replacement but only 2 weights are above 0. Draw fewer, or with"
            + " replacement.",
        3,
        false,
        1,
        0,
        2);
  }

  private static void assertRefused(
      String why, long samples, boolean replacement, double... weights) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Generator(1).multinomial(weights, samples, replacement))
        .withMessage("Cannot draw by weights: " + why);
  }

  @Test
  void tooManyWeightsAreRefused() {
    double[] weights = new double[(1 << 24) + 1];
    assertRefused("16777217 weights but expected 1 to 16777216.", 1, true, weights);
  }
}
