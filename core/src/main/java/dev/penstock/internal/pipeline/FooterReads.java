package dev.penstock.internal.pipeline;

import dev.penstock.internal.plan.FoundFile;
import dev.penstock.internal.plan.TableFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// Reads the footers of many files at once, on virtual threads: the time goes into waiting.
public final class FooterReads {
  /// How many files are open at once.
  private static final int CONCURRENT_MAX = 128;

  private FooterReads() {}

  /// Reads all footers.
  ///
  /// @param files the files
  /// @return the same files with their footers, in the same order
  /// @throws IOException the error of the first file, in order, that cannot be read
  public static List<TableFile> readAll(List<FoundFile> files) throws IOException {
    Semaphore open = new Semaphore(CONCURRENT_MAX);
    List<Future<TableFile>> reads = new ArrayList<>();
    try (ExecutorService executor =
        Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("penstock-footer-", 0).factory())) {
      for (FoundFile file : files) {
        reads.add(
            executor.submit(() -> {
              open.acquire();
              try {
                return TableFile.read(file);
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
