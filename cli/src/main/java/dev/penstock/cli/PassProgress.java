package dev.penstock.cli;

import dev.penstock.DataLoader;
import dev.penstock.cli.output.Progress;
import dev.penstock.cli.output.Step;
import dev.penstock.stats.PassStats;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Shows the passes that a loader makes while its first epoch is begun, such as counting: from a
/// thread, as the one that begins the epoch waits. It has the progress to itself until it is
/// closed.
final class PassProgress implements AutoCloseable {
  private static final long EVERY_MILLIS = 100;

  private final DataLoader loader;
  private final String rank;
  private final Progress progress;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;

  /// @param rank what comes before the purpose of a pass
  PassProgress(DataLoader loader, String rank, Progress progress) {
    this.loader = loader;
    this.rank = rank;
    this.progress = progress;
    this.thread = Thread.ofPlatform().daemon().name("penstock-passes").start(this::show);
  }

  private void show() {
    try {
      while (!ended.await(EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
        List<PassStats> passes = loader.stats().passes();
        if (!passes.isEmpty()) {
          progress.update(() -> Step.of(rank, passes.getLast()));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody does
    }
  }

  @Override
  public void close() {
    ended.countDown();
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    progress.clear();
  }
}
