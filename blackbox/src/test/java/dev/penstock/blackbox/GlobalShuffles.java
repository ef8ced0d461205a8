package dev.penstock.blackbox;

import dev.penstock.split.Shuffle;
import dev.penstock.split.Shuffle.Passes;
import java.util.List;
import java.util.Random;

/// Shuffles of all rows.
final class GlobalShuffles {
  private GlobalShuffles() {}

  /// Chooses the order and how rows are put in it.
  static Shuffle any(Random random) {
    return random.nextBoolean()
        ? Shuffle.global().passes(passes(random))
        : Shuffle.torch().passes(passes(random));
  }

  /// Chooses how rows are put in order.
  static Passes passes(Random random) {
    return List.of(Passes.BY_SIZE, Passes.ONE, Passes.TWO).get(random.nextInt(3));
  }
}
