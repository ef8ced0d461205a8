package dev.penstock.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LagGaugeTest {
  /// Whether one lag after so many questions, again and again, is ever too often.
  private static boolean isTooOften(int questionsPerLag, int lags) {
    LagGauge gauge = new LagGauge();
    boolean isTooOften = false;
    for (int lag = 0; lag < lags; lag++) {
      for (int i = 0; i < questionsPerLag; i++) {
        gauge.ask();
      }
      isTooOften = gauge.lag();
    }
    return isTooOften;
  }

  @Test
  void aFewSayNothing() {
    assertThat(isTooOften(4, 31)).isFalse();
    assertThat(isTooOften(4, 32)).isTrue();
  }

  @Test
  void oneOfEightIsTooOftenOneOfNineIsChance() {
    assertThat(isTooOften(8, 1000)).isTrue();
    assertThat(isTooOften(9, 1000)).isFalse();
    assertThat(isTooOften(100, 1000)).isFalse();
  }
}
