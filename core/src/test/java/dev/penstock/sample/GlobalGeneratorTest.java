package dev.penstock.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.TorchValues;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Orders from the generator of the process, held against those from torch's default generator.
class GlobalGeneratorTest {
  private static final double[] WEIGHTS = {0.1, 0.9, 0.4, 0.7, 3.0, 0.6};

  private final TorchValues golden = TorchValues.read("golden.json");
  private final TorchValues more = TorchValues.read("samplers.json");

  GlobalGeneratorTest() throws IOException {}

  @Test
  void samplersWithoutAGeneratorDrawAsTorchs() {
    Generator.global().manualSeed(42);
    List<?> expected =
        (List<?>)
            more.get(
                "manual_seed(42): RandomSampler(10), replacement 40, subset [5..9], w 8"
                    + " replacement, 2 epochs each, random_");
    check(new RandomSampler(10), expected.get(0));
    check(new RandomSampler(10).withReplacement().withNumSamples(40), expected.get(1));
    check(new SubsetRandomSampler(5, 6, 7, 8, 9), expected.get(2));
    check(new WeightedRandomSampler(WEIGHTS, 8), expected.get(3));
    assertThat(Generator.global().random()).isEqualTo(expected.get(4));
  }

  private static void check(Sampler sampler, Object expected) {
    assertThat(Orders.epochs(sampler, 2)).isDeepEqualTo(TorchValues.orders(expected));
  }

  /// A loader draws its workers' base seed before each epoch.
  @Test
  void epochsOfAShuffledLoaderAsTorchDrawsThem() {
    Generator.global().manualSeed(42);
    Sampler sampler = new RandomSampler(10);
    for (long[] order :
        golden.orders("torch.manual_seed(42); DataLoader(range(10),shuffle=True) 3 epochs")) {
      Generator.global().random();
      assertThat(Orders.epoch(sampler)).isEqualTo(order);
    }
  }

  /// A loader whose workers persist draws their base seed once.
  @Test
  void epochsOfALoaderWithPersistentWorkersAsTorchDrawsThem() {
    Generator.global().manualSeed(42);
    Generator.global().random();
    assertThat(Orders.epochs(new RandomSampler(10), 3))
        .isDeepEqualTo(golden.orders("same, num_workers=2 persistent_workers=True"));
  }
}
