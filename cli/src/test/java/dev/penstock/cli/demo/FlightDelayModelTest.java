package dev.penstock.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.cli.TestBatches;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FlightDelayModelTest {
  private static final long HOUR = 3_600_000_000L;

  @Test
  void knowsNothingAtFirst() {
    double[] answers = new FlightDelayModel(0.1).predict(flights());
    assertThat(Arrays.copyOf(answers, 4)).containsOnly(0.5);
  }

  @Test
  void learnsWhatTheAirportsSay() {
    FlightDelayModel model = new FlightDelayModel(0.1);
    double before = model.train(flights());
    for (int step = 0; step < 200; step++) {
      model.train(flights());
    }
    double[] answers = Arrays.copyOf(model.predict(flights()), 4);
    assertThat(model.train(flights())).isLessThan(before / 5);
    assertThat(answers[0]).isGreaterThan(0.8);
    assertThat(answers[1]).isLessThan(0.2);
  }

  @Test
  void fifteenMinutesAreNotLateYet() {
    FlightDelayModel model = new FlightDelayModel(0.1);
    model.predict(flights());
    assertThat(Arrays.copyOf(model.labels(), 4)).containsExactly(true, false, true, false);
  }

  @Test
  void theSameBatchesGiveTheSameModel() {
    FlightDelayModel first = new FlightDelayModel(0.1);
    FlightDelayModel second = new FlightDelayModel(0.1);
    for (int step = 0; step < 20; step++) {
      assertThat(first.train(flights())).isEqualTo(second.train(flights()));
    }
  }

  private static Batch flights() {
    return TestBatches.rows(4)
        .tensor("date", DType.INT64, -1, 5 * HOUR, 30 * HOUR, 200 * HOUR)
        .tensor("delay", DType.INT64, 16, 15, 90, -3)
        .tensor("distance", DType.INT64, 500, 500, 900, 900)
        .strings("origin", "ORD", "HNL", "ORD", "HNL")
        .strings("destination", "LAX", "LAX", "SFO", "SFO")
        .batch();
  }
}
