package dev.penstock.internal.deliver;

import dev.penstock.batch.Batch;
import dev.penstock.internal.columns.PartialBatch;
import dev.penstock.internal.plan.RunPlace;
import dev.penstock.internal.workers.UserCode;
import org.jspecify.annotations.Nullable;

/// A complete batch on its way to the consumer.
///
/// @param batch the batch
/// @param rowCount its rows
/// @param value what the consumer receives: the batch, or the result of the user's function; null
///   until the function has run
/// @param filled its memory
public record Delivered(Batch batch, int rowCount, @Nullable Object value, PartialBatch filled) {
  Delivered with(Object made) {
    return new Delivered(batch, rowCount, made, filled);
  }

  /// Returns the place of the rows after the batch; null if there are none.
  ///
  /// @return the place
  public @Nullable RunPlace end() {
    return filled.end();
  }

  /// Gives all memory back if the consumer never received the batch.
  void discard() {
    try {
      if (value instanceof AutoCloseable closeable) {
        closeable.close();
      }
    } catch (Throwable e) { // users' code; it must not end the thread
      UserCode.warn(Delivered.class, "Cannot close a batch that nobody received", e);
    } finally {
      batch.close();
    }
  }
}
