package dev.penstock.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class MetricsTest {
  @Test
  void aucIsThatOfAllPairs() {
    Random random = new Random(3);
    for (int run = 0; run < 100; run++) {
      int rows = 2 + random.nextInt(60);
      double[] probabilities = new double[rows];
      boolean[] labels = new boolean[rows];
      for (int row = 0; row < rows; row++) {
        // Few distinct values, so that there are ties.
        probabilities[row] = random.nextInt(8) / 8.0;
        labels[row] = random.nextInt(3) == 0;
      }
      assertThat(Metrics.auc(probabilities, labels))
          .isCloseTo(aucOfAllPairs(probabilities, labels), within(1e-12));
    }
  }

  @Test
  void perfectAndReversedOrdersAreTheEnds() {
    boolean[] labels = {false, false, true, true};
    assertThat(Metrics.auc(new double[] {0.1, 0.2, 0.3, 0.4}, labels)).isEqualTo(1);
    assertThat(Metrics.auc(new double[] {0.4, 0.3, 0.2, 0.1}, labels)).isEqualTo(0);
    assertThat(Metrics.auc(Metrics.constant(0.2, 4), labels)).isEqualTo(0.5);
  }

  @Test
  void logLossOfTheBaseRateIsTheEntropy() {
    boolean[] labels = {true, false, false, false};
    assertThat(Metrics.logLoss(Metrics.constant(0.25, 4), labels))
        .isCloseTo(-(0.25 * Math.log(0.25) + 0.75 * Math.log(0.75)), within(1e-12));
  }

  @Test
  void logLossOfACertainMistakeIsFinite() {
    assertThat(Metrics.logLoss(0, true)).isFinite().isGreaterThan(30);
    assertThat(Metrics.logLoss(1, true)).isZero();
  }

  private static double aucOfAllPairs(double[] probabilities, boolean[] labels) {
    double wins = 0;
    int pairs = 0;
    for (int i = 0; i < labels.length; i++) {
      for (int j = 0; j < labels.length; j++) {
        if (labels[i] && !labels[j]) {
          pairs++;
          wins += 0.5 * (1 + Math.signum(probabilities[i] - probabilities[j]));
        }
      }
    }
    return pairs == 0 ? 0.5 : wins / pairs;
  }
}
