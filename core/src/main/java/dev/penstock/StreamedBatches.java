package dev.penstock;

import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The batches of one epoch for a stream: each is closed behind its consumer.
///
/// @param <T> what a batch is delivered as
final class StreamedBatches<T> implements Spliterator<T> {
  private final Loader<T> loader;
  private @Nullable EpochIterator<T> batches; // of the epoch, once it is started

  StreamedBatches(Loader<T> loader) {
    this.loader = loader;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> consumer) {
    if (batches == null) {
      batches = loader.iterator();
    }
    if (!batches.hasNext()) {
      return false;
    }
    T batch = batches.next();
    try (Closing _ = () -> close(batch)) {
      consumer.accept(batch);
    }
    return true;
  }

  private interface Closing extends AutoCloseable {
    @Override
    void close();
  }

  private static void close(Object batch) {
    if (batch instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) { // users' code
        throw new IllegalStateException("Cannot close a batch: " + e.getMessage(), e);
      }
    }
  }

  /// Ends the epoch, if it was started.
  void close() {
    if (batches != null) {
      batches.close();
    }
  }

  @Override
  public @Nullable Spliterator<T> trySplit() {
    return null;
  }

  @Override
  public long estimateSize() {
    return Long.MAX_VALUE;
  }

  @Override
  public int characteristics() {
    return ORDERED | NONNULL;
  }
}
