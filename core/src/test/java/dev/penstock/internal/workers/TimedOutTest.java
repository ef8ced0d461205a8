package dev.penstock.internal.workers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.advice.Remedy;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimedOutTest {
  @ParameterizedTest
  @CsvSource({"PT0.0001S, 0.0001", "PT1M, 60", "PT1.5S, 1.5"})
  void timeIsToldInSecondsWhereJavaHasADuration(Duration timeout, String seconds) {
    TimedOut met = new TimedOut(timeout);
    assertThat(met).hasMessage("no batch came within " + timeout);
    assertThat(met.advice()).hasToString(met.getMessage());
    assertThat(met.advice().in(part -> part instanceof Remedy.Option time ? time.value() : null))
        .isEqualTo("no batch came within " + seconds);
  }
}
