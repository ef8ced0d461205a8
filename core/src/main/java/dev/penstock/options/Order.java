package dev.penstock.options;

import dev.penstock.split.Shuffle;
import java.util.Objects;

/// The order of rows and batches.
///
/// @param shuffle how far rows may move, anew each epoch
/// @param seed the seed of the shuffle
/// @param inOrder whether batches come in the order of the sequence; false to deliver each as soon
///   as it is made
/// @param splitPerWorker whether each worker makes batches of its own [dev.penstock.split.Split]
///   only; false where any worker may read any rows
public record Order(Shuffle shuffle, long seed, boolean inOrder, boolean splitPerWorker) {
  /// Rows in the order of the files, batches in the order of the rows.
  static final Order DEFAULTS = new Order(Shuffle.none(), 0, true, false);

  /// Checks that there is a choice.
  public Order {
    Objects.requireNonNull(shuffle, "shuffle must not be null.");
  }

  Order withShuffle(Shuffle choice) {
    return new Order(choice, seed, inOrder, splitPerWorker);
  }

  Order withSeed(long value) {
    return new Order(shuffle, value, inOrder, splitPerWorker);
  }

  Order withInOrder(boolean on) {
    return new Order(shuffle, seed, on, splitPerWorker);
  }

  Order withSplitPerWorker(boolean on) {
    return new Order(shuffle, seed, inOrder, on);
  }
}
