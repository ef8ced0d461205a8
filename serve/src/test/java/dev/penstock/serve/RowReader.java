package dev.penstock.serve;

import dev.penstock.serve.Client.Received;
import dev.penstock.serve.Frames.Frame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// A client that reads a file of rows again and again on a thread of its own, and compares them.
final class RowReader implements AutoCloseable {
  private static final int ROWS = 20_000;
  private static final int BATCH = 512;

  private final Client client;
  private final Thread thread;
  private final AtomicInteger epochs = new AtomicInteger();
  private volatile boolean ending;
  private volatile @Nullable Throwable failure;

  /// Writes what is read.
  static Path write(Path file) throws IOException {
    List<String> lines =
        LongStream.range(0, ROWS)
            .mapToObj(row -> row + "," + row * row)
            .collect(Collectors.toList());
    lines.addFirst("id,square");
    return Files.write(file, lines);
  }

  /// Begins to read.
  ///
  /// @param client accepted; closed by this
  RowReader(Client client, Path file) throws IOException {
    this.client = client;
    client.open(
        """
        {"dataset": {"locations": ["%s"]}, "loader": {"batchSize": %d, "workers": 2}}
        """
            .formatted(file, BATCH));
    this.thread = Thread.ofPlatform().start(this::run);
  }

  private void run() {
    try {
      while (!ending) {
        epoch(epochs.get() + 1);
        synchronized (this) {
          epochs.incrementAndGet();
          notifyAll();
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      synchronized (this) {
        notifyAll();
      }
    }
  }

  private void epoch(int number) throws IOException {
    client.begin(number, 2, "");
    client.expect(FrameKind.COLUMNS);
    long row = 0;
    Frame frame = client.read();
    while (frame.kind() == FrameKind.BATCH) {
      Received batch = client.batch(frame);
      for (int i = 0; i < batch.rows(); i++, row++) {
        long id = batch.memory().getLong(batch.pairs().get(0).intValue() + 8 * i);
        long square = batch.memory().getLong(batch.pairs().get(2).intValue() + 8 * i);
        if (id != row || square != row * row) {
          throw new IllegalStateException("Row " + row + " is " + id + ", " + square + ".");
        }
      }
      client.more(1);
      frame = client.read();
    }
    if (frame.kind() != FrameKind.END || row != ROWS) {
      throw new IllegalStateException(
          "Got " + row + " rows of " + ROWS + ", then " + frame.kind() + " " + frame.text());
    }
  }

  /// Waits until one more epoch was read that began after this was called.
  synchronized void awaitEpoch() throws InterruptedException {
    int wanted = epochs.get() + 2;
    while (epochs.get() < wanted && failure == null) {
      wait();
    }
    requireWell();
  }

  /// Throws what it met.
  void requireWell() {
    if (failure != null) {
      throw new IllegalStateException("A client lost rows after " + epochs + " epochs.", failure);
    }
  }

  int epochs() {
    return epochs.get();
  }

  /// Ends it after the running epoch, and throws what it met.
  @Override
  public void close() throws IOException {
    ending = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    client.close();
    requireWell();
  }
}
