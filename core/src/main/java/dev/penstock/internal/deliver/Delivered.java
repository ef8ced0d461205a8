package dev.penstock.internal.deliver;

import dev.penstock.batch.Batch;
import dev.penstock.internal.columns.PartialBatch;
import dev.penstock.internal.plan.RunPlace;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.internal.workers.UserCode;
import dev.penstock.internal.workers.WorkerFailure;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A complete batch on its way to the consumer.
///
/// @param value what the consumer receives: the batch, or the result of the user's function; null
///   until the function has run
public record Delivered(Batch batch, int rowCount, @Nullable Object value, PartialBatch filled) {
  /// Its number in the epoch, counted from 0.
  public long number() {
    return filled.number;
  }

  /// Returns what each row was made of, if that is traced.
  public List<List<RowPart>> parts() {
    return filled.parts();
  }

  /// Makes the result. Runs users' code, so no lock may be held.
  ///
  /// @throws WorkerFailure if that fails; then the batch is closed
  Delivered collated(BatchCollation collate) {
    try {
      Object result = collate.collate(batch);
      Objects.requireNonNull(result, "the function returned null but expected a result");
      return new Delivered(batch, rowCount, result, filled);
    } catch (Throwable e) {
      batch.close();
      throw new WorkerFailure("Cannot collate batch " + number() + ": " + e, e);
    }
  }

  /// Returns the place of the rows after the batch; null if there are none.
  public @Nullable RunPlace end() {
    return filled.end();
  }

  /// Gives all memory back if the consumer never receives the batch.
  public void discard() {
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
