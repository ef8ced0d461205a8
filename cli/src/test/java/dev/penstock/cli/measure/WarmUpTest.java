package dev.penstock.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  @Test
  void withoutTimeOneRoundIsRun() {
    AtomicInteger rounds = new AtomicInteger();
    WarmUp.run(0, rounds::incrementAndGet);
    assertThat(rounds).hasValue(1);
  }
}
