package dev.penstock.internal.fetch;

import dev.penstock.spi.format.Concurrency;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// Runs steps that wait for stores on virtual threads. Safe for any thread.
public final class VirtualThreads implements Concurrency {
  /// How many steps run at once: fewer than the files a process may have open, and enough for some
  /// hundreds of files to take one or two round trips.
  private static final int AT_ONCE_MAX = 256;

  @Override
  public <T, R> List<Outcome<R>> each(List<T> items, Step<T, R> step) {
    if (items.size() == 1) {
      return List.of(once(items.getFirst(), step));
    }
    Semaphore atOnce = new Semaphore(AT_ONCE_MAX);
    List<Future<R>> futures = new ArrayList<>();
    try (ExecutorService executor =
        Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("penstock-wait-", 0).factory())) {
      for (T item : items) {
        futures.add(
            executor.submit(() -> {
              atOnce.acquire();
              try {
                return step.of(item);
              } finally {
                atOnce.release();
              }
            }));
      }
    }
    List<Outcome<R>> outcomes = new ArrayList<>();
    futures.forEach(future -> outcomes.add(() -> result(future)));
    return outcomes;
  }

  private static <T, R> Outcome<R> once(T item, Step<T, R> step) {
    try {
      R result = step.of(item);
      return () -> result;
    } catch (IOException | RuntimeException | Error e) {
      return () -> {
        throw thrown(e);
      };
    }
  }

  private static <R> R result(Future<R> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw thrown(Objects.requireNonNull(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  private static IOException thrown(Throwable cause) {
    return switch (cause) {
      case IOException e -> e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> (IOException) new InterruptedIOException("interrupted").initCause(cause);
    };
  }
}
