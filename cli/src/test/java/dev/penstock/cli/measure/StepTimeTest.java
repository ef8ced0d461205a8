package dev.penstock.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StepTimeTest {
  @ParameterizedTest
  @CsvSource({
    "1us, 1000",
    "1.0005us, 1000",
    "0.375ms, 375000",
    "375us, 375000",
    "000.001ms, 1000",
    "1.35s, 1350000000",
    "3600s, 3600000000000",
    "3600000000us, 3600000000000"
  })
  void numbersWithAUnitAreLengths(String text, long nanos) {
    StepTime step = StepTime.parse("--accelerator", text);
    assertThat(step.nanos()).isEqualTo(nanos);
    assertThat(step.text()).isEqualTo(text);
    assertThat(step.seconds()).isEqualTo(nanos / 1e9);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "5",
        "ms",
        "5 ms",
        " 5ms",
        "5MS",
        "5m",
        "5min",
        "5ns",
        "-5ms",
        "+5ms",
        ".5ms",
        "5.ms",
        "1e3us",
        "1,5ms",
        "0x5ms",
        "\u0665ms",
        "NaNms",
        "5ms\n",
        "0ms",
        "0.9999us",
        "3600.0001s",
        "99999999999999999999s",
        "0.00000000000000000000000000001s"
      })
  void otherTextsAreRefused(String text) {
    assertThatThrownBy(() -> StepTime.parse("--accelerator", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot use --accelerator '"
                + text
                + "': expected a number with the unit us, ms or s, from 1us to 3600s, such as"
                + " 0.375ms.");
  }
}
