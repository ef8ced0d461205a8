package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Orders as torch 2.13.0 gave them, for the calls in the comments.
class OrderCommandTest {
  private static CommandRun order(String options) {
    return CommandRun.ofLine("order " + options);
  }

  private static void assertPrints(String options, String... lines) {
    CommandRun run = order(options);
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    assertThat(run.out()).isEqualTo(String.join("\n", lines) + "\n");
  }

  @Test
  void sequentialIsTheDefaultAndTheSameInEveryEpoch() {
    assertPrints("--rows 4", "[0,1,2,3]");
    assertPrints("--rows 3 --sampler sequential --epochs 2", "[0,1,2]", "[0,1,2]");
    assertPrints("--rows 0", "[]");
  }

  /// `s = RandomSampler(range(10), generator=torch.Generator().manual_seed(1))`, `list(s)` thrice
  @Test
  void randomGoesOnWithOneGenerator() {
    assertPrints(
        "--rows 10 --sampler random --seed 1 --epochs 3",
        "[5,6,1,2,0,8,9,3,7,4]",
        "[2,8,1,5,6,9,3,7,0,4]",
        "[3,7,2,1,0,9,4,5,6,8]");
  }

  /// The same with `num_samples=7`; with `replacement=True, num_samples=12`
  @Test
  void randomTakesANumberOfSamplesAndReplacement() {
    assertPrints(
        "--rows 10 --sampler random --seed 1 --epochs 2 --num-samples 7",
        "[5,6,1,2,0,8,9]",
        "[2,3,1,8,9,0,6]");
    assertPrints(
        "--rows 10 --sampler random --seed 1 --replacement --num-samples 12",
        "[5,9,4,8,3,3,1,1,9,2,8,9]");
    assertPrints("--rows 10 --sampler random --seed 1 --no-replacement", "[5,6,1,2,0,8,9,3,7,4]");
  }

  /// `WeightedRandomSampler([1, 2, 3, 4, 5, 6], 6, generator=torch.Generator().manual_seed(3))`,
  /// the same with `replacement=False`, and with the weights and number given here
  @Test
  void weightedDrawsByTheRowNumbersUnlessGivenWeights() {
    assertPrints(
        "--rows 6 --sampler weighted --seed 3 --epochs 2", "[0,3,5,2,5,4]", "[2,3,3,5,2,4]");
    assertPrints("--rows 6 --sampler weighted --seed 3 --replacement", "[0,3,5,2,5,4]");
    assertPrints("--rows 6 --sampler weighted --seed 3 --no-replacement", "[0,3,5,1,4,2]");
    assertPrints(
        "--rows 6 --sampler weighted --seed 3 --num-samples 9 --weights .1,.9,.4,.7,3,.6",
        "[1,3,4,1,4,4,2,4,4]");
  }

  /// `SubsetRandomSampler([5, 6, 7, 8, 9], generator=torch.Generator().manual_seed(2))`
  @Test
  void subsetIsOfAllRowsUnlessGivenIndices() {
    assertPrints("--rows 10 --sampler subset --seed 2 --indices 5,6,7,8,9", "[8,9,6,5,7]");
    assertPrints("--rows 10 --sampler subset --seed 42", "[2,6,1,8,4,5,0,9,3,7]");
  }

  /// `DistributedSampler(range(10), 3, r)`, with `set_epoch`; the same with `drop_last=True`
  @Test
  void distributedDrawsEachEpochFromSeedPlusEpoch() {
    assertPrints("--rows 10 --sampler distributed --rank 0/3 --epochs 2", "[4,5,0,2]", "[5,2,9,4]");
    assertPrints("--rows 10 --sampler distributed --rank 2/3 --epochs 2", "[7,9,6,1]", "[1,8,7,6]");
    assertPrints(
        "--rows 10 --sampler distributed --rank 2/3 --epochs 2 --drop-last", "[7,9,6]", "[1,8,7]");
    assertPrints("--rows 10 --sampler distributed --rank 2/3 --seed 1", "[1,8,7,6]");
    assertPrints("--rows 10 --sampler distributed", "[4,1,7,5,3,9,0,8,6,2]");
    assertPrints("--rows 2 --sampler distributed --rank 4/5 --drop-last", "[]");
  }

  @Test
  void noEpochsPrintNothing() {
    CommandRun run = order("--rows 4 --sampler random --epochs 0");
    assertThat(run.status()).isZero();
    assertThat(run.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --sampler random | Missing required option: '--rows=N'.
          --rows -1 | --rows must be at least 0, got -1.
          --rows 4 --epochs -1 | --epochs must be at least 0, got -1.
          --rows 4 --sampler shuffled | Cannot use 'shuffled' as a sampler: expected sequential, random, weighted, distributed or subset.
          --rows 0 --sampler random | Cannot sample at random: the number of rows is 0 but must be 1 or more. Use a SequentialSampler where there may be none.
          --rows 4 --sampler random --num-samples 0 | Cannot sample at random: the number of samples is 0 but must be 1 or more.
          --rows 9999999999 --sampler random | Cannot permute 9999999999 numbers: a permutation is an array, which has 0 to 2147483639 elements. Draw with replacement instead, or visit the rows in order.
          --rows 9999999999 --sampler distributed | Cannot permute 9999999999 numbers: a permutation is an array, which has 0 to 2147483639 elements. Draw with replacement instead, or visit the rows in order.
          --rows 9999999999 --sampler subset | --rows must be at most 2147483639 with --sampler subset, got 9999999999.
          --rows 16777217 --sampler weighted | --rows must be at most 16777216 with --sampler weighted, got 16777217.
          --rows 3 --sampler weighted --weights 1,2 | Cannot use --weights: it has 2 weights but --rows is 3. Give one for each row.
          --rows 2 --sampler weighted --weights 1,-2 | Cannot draw by weights: weight 1 is -2.0 but must be 0 or more, and finite.
          --rows 2 --sampler weighted --no-replacement --num-samples 3 | Cannot draw by weights: 3 samples without replacement but only 2 weights are above 0. Draw fewer, or with replacement.
          --rows 3 --sampler subset --indices 1,3 | Cannot use --indices: row 3 is not in [0, 3).
          --rows 4 --sampler distributed --rank 4/4 | Cannot deal rows to ranks: the rank is 4 but must be in [0, 4).
          --rows 4 --sampler distributed --rank 1 | Cannot use '1' as a rank: expected R/W, for example 0/4.
          --rows 4 --sampler distributed --rank -1/4 | Cannot use '-1/4' as a rank: expected R/W, for example 0/4.
          --rows 4 --sampler random --rank 0/1 | Cannot use --rank with --sampler random: it is for distributed.
          --rows 4 --drop-last | Cannot use --drop-last with --sampler sequential: it is for distributed.
          --rows 4 --replacement | Cannot use --replacement with --sampler sequential: it is for random and weighted.
          --rows 4 --sampler subset --num-samples 2 | Cannot use --num-samples with --sampler subset: it is for random and weighted.
          --rows 4 --sampler random --weights 1,2,3,4 | Cannot use --weights with --sampler random: it is for weighted.
          --rows 4 --sampler random --indices 1 | Cannot use --indices with --sampler random: it is for subset.
          --rows ten | Invalid value for option '--rows': 'ten' is not a long.
          """)
  void wrongValuesAreWrongUsage(String options, String sentence) {
    CommandRun run = order(options);
    assertThat(run.err()).isEqualTo(sentence + "\nTry 'penstock order --help'.\n");
    assertThat(run.out()).isEmpty();
    assertThat(run.status()).isEqualTo(2);
  }
}
