package dev.penstock.internal.pipeline;

import dev.penstock.batch.Batch;
import org.jspecify.annotations.Nullable;

/// A finished batch on its way to the consumer.
///
/// @param batch the batch
/// @param rowCount its rows
/// @param value what the consumer receives: the batch, or what the user's function made of it
/// @param filled its memory
record Delivered(Batch batch, int rowCount, Object value, PartialBatch filled) {
  /// Returns where the rows behind it are; null where there are none.
  @Nullable RunPlace end() {
    return filled.end();
  }

  /// Gives all memory back, where nobody received it.
  void discard() {
    try {
      if (value instanceof AutoCloseable closeable) {
        closeable.close();
      }
    } catch (Throwable e) { // users' code; it must not end the thread
      org.slf4j.LoggerFactory.getLogger(Delivered.class).warn("Cannot close a batch that nobody received", e);
    } finally {
      batch.close();
    }
  }
}
