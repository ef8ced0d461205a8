package dev.penstock;

import dev.penstock.format.MemoryLimitException;
import dev.penstock.internal.deliver.BatchCollation;
import dev.penstock.internal.deliver.StepTrace;
import dev.penstock.internal.pipeline.Epoch;
import dev.penstock.internal.workers.TimedOut;
import dev.penstock.internal.workers.WorkerFailure;
import dev.penstock.internal.workers.WorkerPool;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// The consumer's side of an epoch. Its owner, usually a loader, is not collected while batches are
/// received.
///
/// @param <T> what a batch is delivered as
final class ConsumedEpoch<T> implements EpochIterator<T> {
  /// What is done with batches, the same where the epoch is started again within it.
  ///
  /// @param firstStep the step of its first batch
  record Consumption(BatchCollation collation, @Nullable StepTrace trace, long firstStep) {
    /// Returns the trace of an epoch that is started again at a step.
    @Nullable StepTrace traceFrom(long step) {
      StepTrace told = trace;
      return told == null ? null : (number, rows) -> told.received(step - firstStep + number, rows);
    }
  }

  private final Object owner;
  final Consumption consumption;
  private volatile Epoch epoch;
  private final WorkerPool pool;
  private final UnclosedBatches open;
  private volatile boolean left;

  ConsumedEpoch(
      Object owner, Consumption consumption, Epoch epoch, WorkerPool pool, UnclosedBatches open) {
    this.owner = owner;
    this.consumption = consumption;
    this.epoch = epoch;
    this.pool = pool;
    this.open = open;
  }

  /// Goes on with the rest of the same epoch, which was started again.
  void goOn(Epoch rest) {
    epoch = rest;
  }

  boolean isLeft() {
    return left;
  }

  @Override
  public long epoch() {
    return epoch.number();
  }

  @Override
  public boolean hasNext() {
    try {
      return !left && !epoch.isAtEnd();
    } catch (TimedOut e) {
      throw WorkerErrors.timedOut(epoch.number(), e);
    } catch (InterruptedIOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    } finally {
      Reference.reachabilityFence(owner);
    }
  }

  @Override
  public boolean isReady() {
    return !left && epoch.isReady();
  }

  @Override
  @SuppressWarnings("unchecked") // the function that made the value gives T
  public T next() {
    Object delivered;
    try {
      delivered = epoch.next();
    } catch (WorkerFailure e) {
      throw e.forConsumer();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    } catch (MemoryLimitException e) {
      throw new MemoryLimitException(e);
    } catch (TimedOut e) {
      throw WorkerErrors.timedOut(epoch.number(), e);
    } catch (Throwable e) {
      throw new IllegalStateException(e.getMessage(), e);
    } finally {
      Reference.reachabilityFence(owner);
    }
    if (delivered == null) {
      String stopped = epoch.stopped();
      throw stopped == null
          ? new NoSuchElementException("Epoch " + epoch.number() + " has no more batches.")
          : new IllegalStateException(stopped);
    }
    open.received();
    return (T) delivered;
  }

  @Override
  public void close() {
    left = true;
    pool.end(epoch, "its iterator is closed");
  }

  @Override
  public String toString() {
    return "EpochIterator of epoch " + epoch.number();
  }
}
