package dev.penstock.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkerLeadTest {
  /// Whether one lag after so many questions, again and again, is ever too often.
  private static boolean isTooOften(int questionsPerLag, int lags) {
    WorkerLead reach =
        new WorkerLead(new ReadAhead(20, 3, Long.MAX_VALUE, 20), new OpenBatches(20));
    boolean isTooOften = false;
    for (int lag = 0; lag < lags; lag++) {
      for (int i = 0; i < questionsPerLag; i++) {
        reach.ask();
      }
      isTooOften = reach.lag();
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
