package dev.penstock.internal.fetch;

import dev.penstock.internal.clock.StageClock;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.stats.Stage;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/// Counts the bytes that an epoch reads from storage. Safe for any thread.
public final class ReadCounter {
  private final LongAdder bytes = new LongAdder();

  /// Starts at zero.
  public ReadCounter() {}

  /// Returns how much was read.
  ///
  /// @return bytes
  public long bytes() {
    return bytes.sum();
  }

  /// Returns a file whose reads are counted; closing it closes the given one.
  ///
  /// @param file the file
  /// @return the same file, whose reads are counted
  public StorageFile counting(StorageFile file) {
    return new StorageFile() {
      @Override
      public Location location() {
        return file.location();
      }

      @Override
      public long size() {
        return file.size();
      }

      @Override
      public String version() {
        return file.version();
      }

      @Override
      public Optional<FetchAdvice> advice() {
        return file.advice();
      }

      @Override
      public void read(long offset, MemorySegment target) throws IOException {
        read(offset, target, _ -> {});
      }

      @Override
      public void read(long offset, MemorySegment target, LongConsumer arrived) throws IOException {
        StageClock clock = StageClock.current();
        Stage before = clock.enter(Stage.FETCH);
        // Counted before the bytes can be used, so all are counted at an epoch's end.
        LongConsumer counting =
            new LongConsumer() {
              private long counted;

              @Override
              public void accept(long done) {
                bytes.add(done - counted);
                counted = done;
                arrived.accept(done);
              }
            };
        try {
          file.read(offset, target, counting);
        } finally {
          clock.enter(before);
        }
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }
}
