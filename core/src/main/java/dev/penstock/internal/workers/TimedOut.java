package dev.penstock.internal.workers;

import java.time.Duration;

/// Thrown to the consumer when it waited too long. The batch can be requested again.
public final class TimedOut extends Exception {
  private static final long serialVersionUID = 1;

  TimedOut(Duration timeout) {
    super("no batch came within " + timeout);
  }
}
