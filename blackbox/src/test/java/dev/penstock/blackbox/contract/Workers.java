package dev.penstock.blackbox.contract;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/// How many workers loaders have, and what those of all loaders do.
public final class Workers {
  /// How many tests try.
  public static final List<Integer> COUNTS = List.of(0, 1, 2, 4);

  private Workers() {}

  /// Returns one of [#COUNTS].
  public static int any(Random random) {
    return COUNTS.get(random.nextInt(COUNTS.size()));
  }

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
