package dev.penstock.internal.objects;

import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.Collator;
import dev.penstock.data.IterableDataset;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.options.SampleBatching;
import dev.penstock.stats.Stage;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Rows one after another, from an iterator of each worker.
public record IterableSamples<T>(IterableDataset<T> dataset, SampleBatching batching)
    implements Samples<T> {
  /// The same rows one by one.
  public IterableSamples<T> single() {
    return new IterableSamples<>(
        dataset, new SampleBatching(OptionalInt.empty(), true, false, false));
  }

  @Override
  public Object copyForWorker() {
    return Objects.requireNonNull(dataset.copyForWorker(), "copyForWorker() must not give null.");
  }

  @Override
  @SuppressWarnings("unchecked") // a copy has the same kind of rows
  public Samples<T> of(Object own) {
    return new IterableSamples<>((IterableDataset<T>) own, batching);
  }

  @Override
  public boolean endsInWorkers() {
    return true;
  }

  @Override
  public Iterator<long[]> batches(long epoch) {
    return Stream.generate(() -> new long[0]).iterator();
  }

  @Override
  public <B> Fetcher<B> fetcher(Collator<T, B> collator, BatchBuilder.Memory memory) {
    return new IterableFetcher<>(collator, memory);
  }

  @Override
  public long batchesPerEpoch(int workers) {
    OptionalLong size = dataset.size();
    if (size.isEmpty() || (workers > 1 && !batching.unbatched())) {
      throw new IllegalStateException(
          "Cannot tell the number of batches: "
              + (size.isEmpty()
                  ? "the dataset has no size."
                  : "it depends on how the workers share the rows."));
    }
    long full = size.getAsLong() / batching.rows();
    boolean isShort = size.getAsLong() % batching.rows() > 0 && !batching.dropLast();
    return isShort ? full + 1 : full;
  }

  @Override
  public OptionalLong contradicts(long rows) {
    OptionalLong size = dataset.size();
    boolean isOther =
        size.isPresent()
            && (rows > size.getAsLong() || (rows < size.getAsLong() && !batching.dropLast()));
    return isOther ? size : OptionalLong.empty();
  }

  /// Makes batches of the rows of one iterator, one after another. An iterator that failed counts
  /// as ended; it is closed with this if it is `AutoCloseable`.
  private final class IterableFetcher<B> implements Fetcher<B> {
    private final Iterator<T> rows = dataset.iterator();
    private final Collator<T, B> collator;
    private final BatchBuilder.Memory memory;
    private boolean ended;

    IterableFetcher(Collator<T, B> collator, BatchBuilder.Memory memory) {
      this.collator = collator;
      this.memory = memory;
    }

    @Override
    public @Nullable Fetched<B> fetch(long[] indices) throws Exception {
      if (ended) {
        return null;
      }
      ended = true; // unless all goes well below
      List<T> batch = new ArrayList<>();
      StageClock.in(
          Stage.FETCH,
          () -> {
            while (batch.size() < batching.rows() && rows.hasNext()) {
              batch.add(rows.next());
            }
            return batch;
          });
      boolean isFull = batch.size() == batching.rows();
      if (batch.isEmpty() || (batching.dropLast() && !isFull)) {
        return null;
      }
      Fetched<B> fetched = Fetched.of(batch, collator, memory, batching.unbatched(), indices);
      ended = !isFull;
      return fetched;
    }

    @Override
    public void close() throws Exception {
      if (rows instanceof AutoCloseable closeable) {
        closeable.close();
      }
    }
  }
}
