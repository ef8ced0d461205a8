package dev.penstock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.testing.Seeded;
import dev.penstock.testing.TorchValues;
import java.io.IOException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Orders held against those that torch drew, and against arithmetic. Orders from the generator of
/// the process are in [GlobalGeneratorTest].
class RandomSamplerTest {
  private final TorchValues golden = TorchValues.read("golden.json");
  private final TorchValues more = TorchValues.read("samplers.json");

  RandomSamplerTest() throws IOException {}

  @Test
  void moreSamplesThanRowsAsTorchDrawsThem() {
    assertThat(Orders.epoch(seeded(10, 25)))
        .isEqualTo(golden.longs("RandomSampler(range(10),num_samples=25) seed=1"));
  }

  @Test
  void samplesWithReplacementAsTorchDrawsThem() {
    assertThat(Orders.epoch(seeded(10, 70).withReplacement()))
        .isEqualTo(golden.longs("RandomSampler(range(10),replacement,num_samples=70) seed=1"));
  }

  /// A loader draws its workers' base seed before each epoch.
  @Test
  void epochsOfAShuffledLoaderAsTorchDrawsThem() {
    Generator generator = new Generator(42);
    Sampler sampler = new RandomSampler(10).withGenerator(generator);
    for (long[] order :
        golden.orders(
            "DataLoader(range(10),shuffle,generator seed=42) 3 epochs (new loader each)")) {
      generator.random();
      assertThat(Orders.epoch(sampler)).isEqualTo(order);
    }
  }

  @ParameterizedTest
  @CsvSource({"10, 10", "10, 7", "10, 20", "10, 25", "1, 3"})
  void epochsFromOneGeneratorAsTorchDrawsThem(long rows, long samples) {
    Generator generator = new Generator(1);
    Sampler sampler = new RandomSampler(rows).withNumSamples(samples).withGenerator(generator);
    checkEpochs(
        sampler,
        generator,
        "RandomSampler(" + rows + ", num_samples=" + samples + ") 3 epochs, random_ seed=1");
  }

  @ParameterizedTest
  @CsvSource({"10, 10", "10, 32", "10, 64", "536870912, 40"})
  void epochsWithReplacementFromOneGeneratorAsTorchDrawsThem(long rows, long samples) {
    Generator generator = new Generator(1);
    Sampler sampler =
        new RandomSampler(rows).withGenerator(generator).withReplacement().withNumSamples(samples);
    checkEpochs(
        sampler,
        generator,
        "RandomSampler("
            + rows
            + ", replacement, num_samples="
            + samples
            + ") 2 epochs, random_ seed=1");
  }

  private void checkEpochs(Sampler sampler, Generator generator, String name) {
    List<?> expected = (List<?>) more.get(name);
    for (long[] order : TorchValues.orders(expected.get(0))) {
      assertThat(Orders.epoch(sampler)).isEqualTo(order).hasSize((int) sampler.size());
    }
    assertThat(generator.random()).isEqualTo(expected.get(1));
  }

  private static RandomSampler seeded(long rows, long samples) {
    return new RandomSampler(rows).withNumSamples(samples).withGenerator(new Generator(1));
  }

  @Seeded
  void withoutReplacementEveryRowComesEquallyOftenOrOnceMore(Random random) {
    int rows = 1 + random.nextInt(60);
    int samples = 1 + random.nextInt(200);
    Sampler sampler =
        new RandomSampler(rows)
            .withNumSamples(samples)
            .withGenerator(new Generator(random.nextLong()));
    long[] counts = new long[rows];
    for (long row : Orders.epoch(sampler)) {
      counts[(int) row]++;
    }
    assertThat(LongStream.of(counts).sum()).isEqualTo(samples);
    assertThat(LongStream.of(counts).boxed())
        .allMatch(count -> count == samples / rows || count == samples / rows + 1);
  }

  @Seeded
  void withReplacementEveryRowIsInRange(Random random) {
    long rows = 1 + (random.nextLong() >>> (1 + random.nextInt(63)));
    Sampler sampler =
        new RandomSampler(rows)
            .withReplacement()
            .withNumSamples(100)
            .withGenerator(new Generator(random.nextLong()));
    assertThat(LongStream.of(Orders.epoch(sampler)).boxed())
        .hasSize(100)
        .allMatch(row -> row >= 0 && row < rows);
  }

  @Test
  void numbersAreDrawnWhenAnIndexIsAskedFor() {
    Generator generator = new Generator(1);
    Sampler sampler =
        new RandomSampler(10).withReplacement().withNumSamples(64).withGenerator(generator);
    PrimitiveIterator.OfLong indices = sampler.iterator();
    Generator untouched = new Generator(1);
    assertThat(generator.random()).isEqualTo(untouched.random());
    indices.nextLong();
    untouched.randint(0, 10, 32);
    for (int i = 1; i < 32; i++) {
      indices.nextLong();
    }
    assertThat(generator.random()).isEqualTo(untouched.random());
  }

  @Test
  void endIsTheEndHoweverOftenAskedFor() {
    Generator generator = new Generator(1);
    PrimitiveIterator.OfLong indices = new RandomSampler(3).withGenerator(generator).iterator();
    indices.nextLong();
    indices.nextLong();
    indices.nextLong();
    assertThat(indices.hasNext()).isFalse();
    assertThat(indices.hasNext()).isFalse();
    assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(indices::nextLong);
    Generator expected = new Generator(1);
    expected.randperm(3);
    expected.randperm(3);
    assertThat(generator.random()).isEqualTo(expected.random());
  }

  @Test
  void noRowsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RandomSampler(0))
        .withMessage(
            "Cannot sample at random: the number of rows is 0 but must be 1 or more. Use a"
                + " SequentialSampler where there may be none.");
  }

  @Test
  void noSamplesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RandomSampler(5).withNumSamples(0))
        .withMessage("Cannot sample at random: the number of samples is 0 but must be 1 or more.");
  }

  @Test
  void moreRowsThanAnArrayHoldsAreDrawnWithReplacementOnly() {
    RandomSampler sampler =
        new RandomSampler(1L << 40).withNumSamples(3).withGenerator(new Generator(1));
    assertThat(Orders.epoch(sampler.withReplacement())).hasSize(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Orders.epoch(sampler))
        .withMessageContaining("Cannot permute 1099511627776 numbers");
  }
}
