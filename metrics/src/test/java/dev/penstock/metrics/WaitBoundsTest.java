package dev.penstock.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitBoundsTest {
  @Test
  void labelsAreSecondsThatRise() {
    assertThat(WaitBounds.nanos().mapToObj(WaitBounds::label).toList())
        .startsWith("0", "0.000131072", "0.000262144")
        .endsWith("17.179869184", "34.359738368", "+Inf")
        .hasSize(21);
    assertThat(WaitBounds.nanos().boxed().toList()).isSorted();
  }
}
