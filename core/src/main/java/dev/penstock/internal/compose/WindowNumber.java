package dev.penstock.internal.compose;

import dev.penstock.internal.plan.Permutation;
import java.util.Arrays;

/// What decides what is random in a window.
///
/// @param isShuffled whether rows move within windows
public record WindowNumber(long seed, long epoch, long number, boolean isShuffled) {
  /// Returns the order of the window's rows, or of what is made of them: random if shuffled.
  int[] rows(int count) {
    int[] rows = new int[count];
    if (isShuffled) {
      Permutation.fill(rows, count, seed, epoch, number);
    } else {
      Arrays.setAll(rows, i -> i);
    }
    return rows;
  }

  /// Returns a random order of the batches that are made of the window.
  int[] batches(int count) {
    int[] order = new int[count];
    Permutation.fill(order, count, seed, epoch, ~number);
    return order;
  }
}
