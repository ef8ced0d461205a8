package dev.penstock.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Seeded;
import dev.penstock.testing.TorchValues;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SubsetRandomSamplerTest {
  private static final double[] WEIGHTS = {0.1, 0.9, 0.4, 0.7, 3.0, 0.6};

  @Test
  void orderAsTorchDrawsIt() throws IOException {
    Sampler sampler = new SubsetRandomSampler(5, 6, 7, 8, 9).withGenerator(new Generator(2));
    assertThat(sampler.size()).isEqualTo(5);
    assertThat(Orders.epoch(sampler))
        .isEqualTo(
            TorchValues.read("golden.json").longs("SubsetRandomSampler([5,6,7,8,9]) seed=2"));
  }

  @Test
  void generatorSharedWithWeightedSamplersIsLeftAsTorchLeavesIt() throws IOException {
    List<?> expected =
        (List<?>)
            TorchValues.read("samplers.json")
                .get(
                    "SubsetRandomSampler([50,60,70,80,90,50]), w 8 replacement, w 4: 2 epochs"
                        + " each, random_ seed=2");
    Generator generator = new Generator(2);
    Sampler subset = new SubsetRandomSampler(50, 60, 70, 80, 90, 50).withGenerator(generator);
    Sampler weighted = new WeightedRandomSampler(WEIGHTS, 8).withGenerator(generator);
    Sampler scarce =
        new WeightedRandomSampler(WEIGHTS, 4).withoutReplacement().withGenerator(generator);
    assertThat(Orders.epochs(subset, 2)).isDeepEqualTo(TorchValues.orders(expected.get(0)));
    assertThat(Orders.epochs(weighted, 2)).isDeepEqualTo(TorchValues.orders(expected.get(1)));
    assertThat(Orders.epochs(scarce, 2)).isDeepEqualTo(TorchValues.orders(expected.get(2)));
    assertThat(generator.random()).isEqualTo(expected.get(3));
  }

  @Seeded
  void everyIndexComesOnceAsOftenAsGiven(Random random) {
    long[] indices = random.longs(random.nextInt(50)).toArray();
    Sampler sampler =
        new SubsetRandomSampler(indices).withGenerator(new Generator(random.nextLong()));
    for (long[] order : Orders.epochs(sampler, 2)) {
      assertThat(LongStream.of(order).sorted().toArray())
          .isEqualTo(LongStream.of(indices).sorted().toArray());
    }
  }

  @Test
  void arrayThatChangesLaterIsNoMatter() {
    long[] indices = {3, 3};
    Sampler sampler = new SubsetRandomSampler(indices).withGenerator(new Generator(1));
    indices[0] = 4;
    assertThat(Orders.epoch(sampler)).containsExactly(3, 3);
  }
}
