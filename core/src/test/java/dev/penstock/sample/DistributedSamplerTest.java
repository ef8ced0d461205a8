package dev.penstock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.testing.Seeded;
import dev.penstock.testing.TorchValues;
import java.io.IOException;
import java.util.PrimitiveIterator;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class DistributedSamplerTest {
  /// What the name of a recorded value says is what was called; what it leaves out is torch's
  /// default.
  @TestFactory
  Stream<DynamicTest> ranksAsTorchDealsToThem() throws IOException {
    return Stream.concat(
        recorded(TorchValues.read("golden.json"), 11),
        recorded(TorchValues.read("samplers.json"), 20));
  }

  private static Stream<DynamicTest> recorded(TorchValues values, int count) {
    var names = values.names().stream().filter(n -> n.startsWith("DistributedSampler")).toList();
    assertThat(names).hasSize(count);
    return names.stream()
        .sorted()
        .map(name -> DynamicTest.dynamicTest(name, () -> check(name, values.orders(name))));
  }

  private static void check(String name, long[][] expected) {
    int world = Integer.parseInt(argument(name, "world", ""));
    assertThat(expected).hasNumberOfRows(world);
    for (int rank = 0; rank < world; rank++) {
      DistributedSampler sampler =
          new DistributedSampler(Long.parseLong(argument(name, "n", "")), world, rank)
              .withSeed(Long.parseLong(argument(name, "seed", "0")));
      sampler = argument(name, "drop_last", "").equals("True") ? sampler.withDropLast() : sampler;
      sampler =
          argument(name, "shuffle", "True").equals("False") ? sampler.withoutShuffle() : sampler;
      sampler.setEpoch(Long.parseLong(argument(name, "epoch", "0")));
      assertThat(Orders.epoch(sampler)).isEqualTo(expected[rank]);
      assertThat(sampler.size()).isEqualTo(expected[rank].length);
    }
  }

  private static String argument(String name, String argument, String absent) {
    Matcher found = Pattern.compile("\\b" + argument + "=(\\w+)").matcher(name);
    return found.find() ? found.group(1) : absent;
  }

  @Seeded
  void ranksTogetherVisitEveryRow(Random random) {
    int rows = random.nextInt(100);
    int world = 1 + random.nextInt(20);
    boolean dropLast = random.nextBoolean();
    boolean shuffle = random.nextBoolean();
    long seed = random.nextLong();
    long epoch = random.nextInt(5);
    long[] counts = new long[rows];
    for (int rank = 0; rank < world; rank++) {
      DistributedSampler sampler = new DistributedSampler(rows, world, rank).withSeed(seed);
      sampler = dropLast ? sampler.withDropLast() : sampler;
      sampler = shuffle ? sampler : sampler.withoutShuffle();
      sampler.setEpoch(epoch);
      long[] order = Orders.epoch(sampler);
      assertThat(order).hasSize(dropLast ? rows / world : (rows + world - 1) / world);
      for (long row : order) {
        counts[(int) row]++;
      }
    }
    long dealt = LongStream.of(counts).sum();
    if (dropLast) {
      assertThat(LongStream.of(counts).boxed()).allMatch(count -> count <= 1);
      assertThat(dealt).isEqualTo(rows - rows % world);
    } else if (rows > 0) {
      assertThat(LongStream.of(counts).boxed())
          .allMatch(count -> count == dealt / rows || count == dealt / rows + 1);
    }
  }

  @Test
  void epochsDifferAndTheSameEpochIsTheSame() {
    Sampler sampler = new DistributedSampler(1000, 2, 0);
    long[] first = Orders.epoch(sampler);
    assertThat(Orders.epoch(sampler)).isEqualTo(first);
    sampler.setEpoch(1);
    assertThat(Orders.epoch(sampler)).isNotEqualTo(first);
    sampler.setEpoch(0);
    assertThat(Orders.epoch(sampler)).isEqualTo(first);
  }

  @Test
  void moreRowsThanAnArrayHoldsAreNoMatterWithoutShuffle() {
    Sampler sampler = new DistributedSampler(Long.MAX_VALUE, 1000, 999).withoutShuffle();
    assertThat(sampler.size()).isEqualTo(Long.MAX_VALUE / 1000 + 1);
    PrimitiveIterator.OfLong indices = sampler.iterator();
    assertThat(indices.nextLong()).isEqualTo(999);
    assertThat(indices.nextLong()).isEqualTo(1999);
  }

  @Test
  void rankOutsideOfTheWorldIsRefused() {
    for (int rank : new int[] {-1, 3}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new DistributedSampler(10, 3, rank))
          .withMessage(
              "Cannot deal rows to ranks: the rank is " + rank + " but must be in [0, 3).");
    }
  }

  @Test
  void worldWithoutRanksAndNegativeRowsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DistributedSampler(10, 0, 0))
        .withMessage("Cannot deal rows to ranks: the number of ranks is 0 but must be 1 or more.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DistributedSampler(-1, 1, 0))
        .withMessage("Cannot deal rows to ranks: the number of rows is -1 but must be 0 or more.");
  }
}
