package dev.penstock.blackbox.contract;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.util.function.BooleanSupplier;

/// The workers of all loaders there are.
public final class Workers {
  private Workers() {}

  /// Waits until something holds and every worker waits for something, as for a consumer that
  /// stands still.
  public static void awaitRest(BooleanSupplier holds) {
    assertTimeoutPreemptively(
        Failure.HANG,
        () -> {
          while (!holds.getAsBoolean() || isAnyAtWork()) {
            Thread.onSpinWait();
          }
        });
  }

  private static boolean isAnyAtWork() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("penstock-worker"))
        .anyMatch(thread -> thread.getState() != Thread.State.WAITING);
  }
}
