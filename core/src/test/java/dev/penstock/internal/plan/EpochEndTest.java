package dev.penstock.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EpochEndTest {
  @Test
  void onlyWholeBatchesOfThePromisedOnesAreKept() {
    EpochEnd end = EpochEnd.promised(2, 4).inBatchesOf(4);
    assertThat(end.rows(10)).isEqualTo(8);
    assertThat(end.rows(7)).isEqualTo(4);
    assertThat(EpochEnd.of(4).rows(3)).isZero();
  }
}
