package dev.penstock.internal.pipeline;

import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.plan.FoundFile;
import dev.penstock.internal.plan.TableFile;
import dev.penstock.storage.FetchAdvice;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/// Reads the footers of many files at once, on virtual threads: the time goes into waiting.
///
/// Where a footer takes a pass over the file, or many small reads, its format says what it will
/// read and that is fetched ahead, some files after the others.
public final class FooterReads {
  /// How many files are open at once.
  private static final int CONCURRENT_MAX = 256;

  /// How much may be fetched ahead of those that read, and with one request. Of the files at which
  /// so much has begun each may have one request more.
  private static final long AHEAD_BYTES_MAX = 64 << 20;

  private static final long RANGE_BYTES_MAX = 4 << 20;

  private FooterReads() {}

  /// Reads all footers.
  ///
  /// @param files the files
  /// @return the same files with their footers, in the same order
  /// @throws IOException the error of the first file, in order, that cannot be read
  public static List<TableFile> readAll(List<FoundFile> files) throws IOException {
    Semaphore open = new Semaphore(CONCURRENT_MAX);
    List<Future<TableFile>> reads = new ArrayList<>();
    try (Fetches fetches = fetches();
        ExecutorService executor =
            Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("penstock-footer-", 0).factory())) {
      for (FoundFile file : files) {
        reads.add(
            executor.submit(() -> {
              open.acquire();
              try (StorageFile opened = open(file, fetches)) {
                return TableFile.read(file, opened);
              } finally {
                open.release();
              }
            }));
      }
    }
    List<TableFile> read = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      read.add(resultOf(reads.get(i), files.get(i)));
    }
    return read;
  }

  private static Fetches fetches() {
    return new Fetches(
        new ReentrantLock(),
        new MemoryMeter(),
        AHEAD_BYTES_MAX,
        Fetches.Unforeseen.READ,
        () -> null,
        Fetches.VIRTUAL);
  }

  private static StorageFile open(FoundFile file, Fetches fetches) throws IOException {
    StorageFile opened = file.storage().open(file.entry());
    FetchAdvice advice = opened.advice().orElse(null);
    if (advice == null) {
      return opened;
    }
    long range = Math.min(RANGE_BYTES_MAX, advice.rangeBytes());
    FetchAdvice finer =
        new FetchAdvice(advice.concurrency(), advice.gapBytes(), range, advice.hedgeAfter());
    return fetches.view(new FetchedFile(opened, finer, 1, () -> {}), 0);
  }

  private static TableFile resultOf(Future<TableFile> read, FoundFile file) throws IOException {
    try {
      return read.get();
    } catch (ExecutionException e) {
      String location = file.entry().location().text();
      String sentence = "Cannot read the footer of " + location + ": " + e.getCause();
      if (!(e.getCause() instanceof IOException cause)) {
        throw new IllegalStateException(sentence, e.getCause());
      }
      boolean named = cause.getMessage() != null && cause.getMessage().contains(location);
      throw named ? cause : new IOException(sentence, cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while reading footers.", e);
    }
  }
}
