package dev.penstock.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AcceleratorTest {
  @Test
  void stepIsNotShorterThanItsLength() {
    for (String length : new String[] {"1us", "0.375ms", "3ms"}) {
      StepTime step = StepTime.parse("--accelerator", length);
      long start = System.nanoTime();
      new Accelerator(step, () -> false).step();
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(step.nanos());
    }
  }

  @Test
  void stepThatIsToStopEnds() {
    int[] asked = new int[1];
    StepTime hour = StepTime.parse("--accelerator", "3600s");
    new Accelerator(hour, () -> ++asked[0] == 3).step();
    assertThat(asked[0]).isEqualTo(3);
  }
}
