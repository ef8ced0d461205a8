package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// `penstock demo`, which has flights of its own.
class DemoCommandTest {
  @Test
  void beatsTheBaseRateAndRepeatsItself() {
    CommandRun first = CommandRun.of("demo", "--epochs", "2", "--workers", "0");
    CommandRun second =
        CommandRun.of("demo", "--epochs", "2", "--workers", "2", "--progress", "none");
    assertThat(first.status()).isZero();
    assertThat(second.err()).isEmpty();
    assertThat(results(second)).isEqualTo(results(first)).hasSize(4);
    double base = lastNumber(results(first).get(2), 1);
    double model = lastNumber(results(first).get(3), 1);
    assertThat(model).isLessThan(base - 0.03);
    assertThat(lastNumber(results(first).get(2), 0)).isEqualTo(0.5);
    assertThat(lastNumber(results(first).get(3), 0)).isGreaterThan(0.65);
  }

  private static List<String> results(CommandRun run) {
    return run.lines().stream()
        .filter(line -> line.matches(" *(epoch [0-9]+:|always|the model).*"))
        .toList();
  }

  private static double lastNumber(String line, int fromTheEnd) {
    String[] words = line.split(" +", -1);
    return Double.parseDouble(words[words.length - 1 - fromTheEnd]);
  }
}
