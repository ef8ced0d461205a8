package dev.penstock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.testing.TorchValues;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// Several epochs, and weights without replacement, are in [SubsetRandomSamplerTest].
class WeightedRandomSamplerTest {
  private static final double[] WEIGHTS = {0.1, 0.9, 0.4, 0.7, 3.0, 0.6};

  @Test
  void orderAsTorchDrawsIt() throws IOException {
    Sampler sampler = new WeightedRandomSampler(WEIGHTS, 50).withGenerator(new Generator(3));
    assertThat(sampler.size()).isEqualTo(50);
    assertThat(Orders.epoch(sampler))
        .isEqualTo(TorchValues.read("golden.json").longs("multinomial(w,50,repl) seed=3"));
  }

  @Test
  void rowsWithoutWeightNeverComeAndOthersDo() {
    Sampler sampler =
        new WeightedRandomSampler(new double[] {0, 1, 0, 1e-3, 0}, 20_000)
            .withGenerator(new Generator(1));
    assertThat(Orders.epoch(sampler)).containsOnly(1, 3);
  }

  @Test
  void arrayThatChangesLaterIsNoMatter() {
    double[] weights = {0, 1};
    Sampler sampler = new WeightedRandomSampler(weights, 3).withGenerator(new Generator(1));
    weights[0] = 1e9;
    assertThat(Orders.epoch(sampler)).containsExactly(1, 1, 1);
  }

  @Test
  void whatCannotBeDrawnIsRefusedAtOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WeightedRandomSampler(new double[] {1, -1}, 3))
        .withMessage("Cannot draw by weights: weight 1 is -1.0 but must be 0 or more, and finite.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WeightedRandomSampler(new double[] {1, 1}, 0))
        .withMessage(
            "Cannot draw by weights: the number of samples is 0 but must be 1 to 2147483639.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WeightedRandomSampler(new double[] {1, 1}, 3).withoutReplacement())
        .withMessage(
            "Cannot draw by weights: 3 samples without replacement but only 2 weights are above 0."
                + " Draw fewer, or with replacement.");
  }
}
