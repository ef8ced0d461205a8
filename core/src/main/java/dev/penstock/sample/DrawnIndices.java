package dev.penstock.sample;

import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PrimitiveIterator;

/// Indices that are drawn part by part, each part when its first index is asked for: as torch's
/// samplers draw them, so that others who draw from the same generator get the same numbers.
abstract class DrawnIndices implements PrimitiveIterator.OfLong {
  private Indices part = Indices.none();
  private boolean ended;

  /// Draws the next part, which may be empty; not called again after the last.
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
