package dev.penstock.sample;

import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.function.Supplier;

/// Indices that are drawn part by part, each part when its first index is requested. Torch's
/// samplers do the same, so other users of the same generator get the same numbers as in torch.
abstract class DrawnIndices implements PrimitiveIterator.OfLong {
  private Indices part = Indices.none();
  private boolean ended;

  /// Draws the next part, which may have no indices. Returns an empty `Optional` after the last
  /// part, and is not called again.
  abstract Optional<Indices> draw();

  /// Draws all indices as one part.
  static DrawnIndices once(Supplier<Indices> all) {
    return new DrawnIndices() {
      private boolean drawn;

      @Override
      Optional<Indices> draw() {
        if (drawn) {
          return Optional.empty();
        }
        drawn = true;
        return Optional.of(all.get());
      }
    };
  }

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
