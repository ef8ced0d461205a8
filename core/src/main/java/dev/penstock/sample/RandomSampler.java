package dev.penstock.sample;

import java.util.Optional;
import java.util.PrimitiveIterator;
import org.jspecify.annotations.Nullable;

/// Rows at random: all of them in an order drawn for each epoch, or some with replacement.
///
/// Without a generator each epoch has its own, seeded by a number drawn from [Generator#global()].
///
/// Without replacement an epoch holds an array of 4 bytes per row; the number of rows is then
/// limited to what [Generator#randperm] takes.
///
/// **Threads.** One at a time. **Order.** The same as torch's sampler of this name with the same
/// generator, in every epoch. As in torch, another order's numbers are drawn after the last row: a
/// caller that stops before [PrimitiveIterator#hasNext()] returns false gets other orders in later
/// epochs than torch.
public final class RandomSampler implements Sampler {
  private static final int CHUNK = 32;

  private final long rows;
  private final long numSamples;
  private final boolean replacement;
  private final @Nullable Generator generator;

  /// Makes a sampler that visits each row once.
  ///
  /// @param size how many rows there are, 1 or more
  public RandomSampler(long size) {
    this(size, size, false, null);
  }

  private RandomSampler(
      long rows, long numSamples, boolean replacement, @Nullable Generator generator) {
    if (rows < 1) {
      throw new IllegalArgumentException(
          "Cannot sample at random: the number of rows is "
              + rows
              + " but must be 1 or more. Use a SequentialSampler where there may be none.");
    }
    if (numSamples < 1) {
      throw new IllegalArgumentException(
          "Cannot sample at random: the number of samples is "
              + numSamples
              + " but must be 1 or more.");
    }
    this.rows = rows;
    this.numSamples = numSamples;
    this.replacement = replacement;
    this.generator = generator;
  }

  /// {@return a copy that draws every row from all rows, whatever was drawn before}
  public RandomSampler withReplacement() {
    return new RandomSampler(rows, numSamples, true, generator);
  }

  /// {@return a copy with another number of rows in an epoch} Without replacement, a number above
  /// the size gives several orders one after another, the last one cut short.
  ///
  /// @param numSamples how many, 1 or more
  public RandomSampler withNumSamples(long numSamples) {
    return new RandomSampler(rows, numSamples, replacement, generator);
  }

  /// {@return a copy that draws all its epochs from a generator}
  ///
  /// @param generator the generator; others may draw from it too
  public RandomSampler withGenerator(Generator generator) {
    return new RandomSampler(rows, numSamples, replacement, generator);
  }

  @Override
  public long size() {
    return numSamples;
  }

  @Override
  public PrimitiveIterator.OfLong iterator() {
    return new Epoch();
  }

  /// An epoch: full parts, then the rest, which is drawn even if it is empty.
  private final class Epoch extends DrawnIndices {
    private final long partSize = replacement ? CHUNK : rows;
    private long left = numSamples;
    private boolean restDrawn;
    private @Nullable Generator source = generator;

    @Override
    Optional<Indices> draw() {
      if (restDrawn) {
        return Optional.empty();
      }
      if (source == null) {
        source = new Generator(Generator.global().random());
      }
      long count = Math.min(left, partSize);
      restDrawn = left < partSize;
      left -= count;
      return Optional.of(draw(source, count));
    }

    private Indices draw(Generator source, long count) {
      if (replacement) {
        return Indices.of(source.randint(0, rows, (int) count));
      }
      if (count == 0) {
        source.skipPermutation(rows);
        return Indices.none();
      }
      return Indices.of(source.permutation(rows), count);
    }
  }
}
