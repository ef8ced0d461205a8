package dev.penstock.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LabelMixTest {
  private static LabelMix of(int[]... batches) {
    LabelMix mix = new LabelMix(4);
    for (int[] batch : batches) {
      for (int label : batch) {
        mix.add(label);
      }
      mix.endBatch();
    }
    return mix;
  }

  @Test
  void batchesOfOneLabelEachAreNotMixed() {
    LabelMix mix = of(new int[] {0, 0}, new int[] {3, 3}, new int[] {1, 1});
    assertThat(mix.perBatch()).isZero();
    assertThat(mix.overall()).isCloseTo(Math.log(3) / Math.log(2), within(1e-12));
    assertThat(mix.ratio()).isZero();
  }

  @Test
  void batchesCountByTheirRows() {
    // 1 bit over 4 rows, and 0 bits over 2; in all, shares of 2/3 and 1/3.
    LabelMix mix = of(new int[] {0, 1, 0, 1}, new int[] {0, 0}, new int[] {});
    assertThat(mix.perBatch()).isCloseTo(2.0 / 3, within(1e-12));
    assertThat(mix.overall()).isCloseTo(0.9182958340544896, within(1e-12));
  }

  @Test
  void batchesLikeAllRowsAreFullyMixed() {
    assertThat(of(new int[] {0, 1, 1}, new int[] {1, 1, 0}).ratio()).isEqualTo(1);
  }

  @Test
  void ofOneLabelOrNoRowsThereIsNoRatio() {
    assertThat(of(new int[] {2, 2}).ratio()).isNaN();
    assertThat(of().ratio()).isNaN();
    assertThat(of().perBatch()).isNaN();
  }
}
