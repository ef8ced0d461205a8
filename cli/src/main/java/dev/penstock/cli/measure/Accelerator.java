package dev.penstock.cli.measure;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Keeps the training loop as busy as an accelerator would, without computing anything.
///
/// **Threads.** A step takes the thread that calls it. The thread sleeps but for the last 0.1 ms,
/// in which it spins, because sleeping threads wake up some 0.05 ms late.
public final class Accelerator {
  private static final long SPIN_NANOS = 100_000;

  /// How long it takes at most until a step that is to stop does.
  private static final long STOP_NANOS = 100_000_000;

  private final StepTime step;
  private final BooleanSupplier stopped;

  /// Makes an accelerator.
  ///
  /// @param stopped whether a step is to end early
  public Accelerator(StepTime step, BooleanSupplier stopped) {
    this.step = step;
    this.stopped = stopped;
  }

  /// Takes as long as a step.
  public void step() {
    long deadline = System.nanoTime() + step.nanos();
    for (long left = step.nanos(); left > 0; left = deadline - System.nanoTime()) {
      if (stopped.getAsBoolean()) {
        return;
      }
      if (left > SPIN_NANOS) {
        LockSupport.parkNanos(Math.min(left - SPIN_NANOS, STOP_NANOS));
      } else {
        Thread.onSpinWait();
      }
    }
  }
}
