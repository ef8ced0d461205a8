package dev.penstock.sample;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import org.jspecify.annotations.Nullable;

/// The rows of a sampler, grouped into batches.
///
/// **Threads.** One at a time. **Order.** The sampler's. A batch is drawn on request, as in torch.
public final class BatchSampler implements Iterable<long[]> {
  private final Sampler sampler;
  private final int batchSize;
  private final boolean dropLast;

  /// Makes batches of a sampler's rows.
  ///
  /// @param sampler the rows, in order
  /// @param batchSize how many rows a batch has, 1 or more
  /// @param dropLast whether a last batch of fewer rows is left out
  public BatchSampler(Sampler sampler, int batchSize, boolean dropLast) {
    if (batchSize < 1) {
      throw new IllegalArgumentException(
          "Cannot make batches of rows: the batch size is "
              + batchSize
              + " but must be 1 or more.");
    }
    this.sampler = sampler;
    this.batchSize = batchSize;
    this.dropLast = dropLast;
  }

  /// {@return how many batches an epoch has: the sampler's rows divided by the batch size, rounded
  /// up, or down if the last is left out}
  public long size() {
    long rows = sampler.size();
    return dropLast || rows % batchSize == 0 ? rows / batchSize : rows / batchSize + 1;
  }

  /// Tells the sampler which epoch comes next.
  ///
  /// @param epoch the epoch, counted from 0
  public void setEpoch(long epoch) {
    sampler.setEpoch(epoch);
  }

  /// {@return the batches of an epoch: row numbers, each in its own array}
  @Override
  public Iterator<long[]> iterator() {
    return new Batches(sampler.iterator());
  }

  private final class Batches implements Iterator<long[]> {
    private final PrimitiveIterator.OfLong indices;
    private long @Nullable [] next;

    Batches(PrimitiveIterator.OfLong indices) {
      this.indices = indices;
    }

    @Override
    public boolean hasNext() {
      if (next == null) {
        long[] batch = draw();
        if (batch.length == batchSize || (batch.length > 0 && !dropLast)) {
          next = batch;
        }
      }
      return next != null;
    }

    @Override
    public long[] next() {
      if (!hasNext() || next == null) {
        throw new NoSuchElementException();
      }
      long[] batch = next;
      next = null;
      return batch;
    }

    /// Returns the next batch; only the last may be short.
    private long[] draw() {
      // At most an epoch long: users may pass a huge batch size to mean "all rows".
      long[] batch = new long[(int) Math.min(batchSize, sampler.size())];
      int count = 0;
      while (count < batchSize && indices.hasNext()) {
        if (count == batch.length) { // the sampler's stated size was too small
          batch = Arrays.copyOf(batch, (int) Math.min(batchSize, 2L * count + 1));
        }
        batch[count++] = indices.nextLong();
      }
      return count == batch.length ? batch : Arrays.copyOf(batch, count);
    }
  }
}
