package dev.penstock.internal.workers;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Advised;
import dev.penstock.advice.Remedy;
import java.math.BigDecimal;
import java.time.Duration;

/// Thrown to the consumer when it waited too long. The batch can be requested again.
public final class TimedOut extends Exception implements Advised {
  private static final long serialVersionUID = 1;

  private final Advice advice;

  TimedOut(Duration timeout) {
    super("no batch came within " + timeout);
    String seconds =
        BigDecimal.valueOf(timeout.getNano(), 9)
            .add(BigDecimal.valueOf(timeout.getSeconds()))
            .stripTrailingZeros()
            .toPlainString();
    this.advice =
        Advice.of("no batch came within %s", Remedy.of("timeout", seconds, timeout.toString()));
  }

  @Override
  public Advice advice() {
    return advice;
  }
}
