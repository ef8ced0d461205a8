package dev.penstock.sample;

import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PrimitiveIterator;

/// Indices that are drawn part by part, each part when its first index is requested. Torch's
/// samplers do the same, so other users of the same generator get the same numbers as in torch.
abstract class DrawnIndices implements PrimitiveIterator.OfLong {
  private Indices part = Indices.none();
  private boolean ended;

  /// Draws the next part, which may have no indices. Returns an empty `Optional` after the last
  /// part, and is not called again.
  abstract Optional<Indices> draw();

  @Override
  public final boolean hasNext() {
    while (!part.hasNext()) {
      if (ended) {
        return false;
      }
      Optional<Indices> next = draw();
      ended = next.isEmpty();
      part = next.orElseGet(Indices::none);
    }
    return true;
  }

  @Override
  public final long nextLong() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return part.nextLong();
  }
}
