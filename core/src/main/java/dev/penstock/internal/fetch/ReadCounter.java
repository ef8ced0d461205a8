package dev.penstock.internal.fetch;

import dev.penstock.internal.clock.StageClock;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StoreReads;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/// Counts what an epoch reads from storage, by the scheme of the store. Safe for any thread.
public final class ReadCounter {
  private record Tally(LongAdder bytes, LongAdder retries) {}

  private final Map<String, Tally> tallies = new ConcurrentHashMap<>();

  public long bytes() {
    return tallies.values().stream().mapToLong(tally -> tally.bytes.sum()).sum();
  }

  /// Returns what was read from each store whose files were opened, by its scheme.
  public SortedMap<String, StoreReads> stores() {
    SortedMap<String, StoreReads> stores = new TreeMap<>();
    tallies.forEach((scheme, tally) ->
        stores.put(scheme, new StoreReads(tally.bytes.sum(), tally.retries.sum())));
    return stores;
  }

  /// Returns a file whose reads are counted; closing it closes the given one.
  public StorageFile counting(StorageFile file) {
    Tally tally =
        tallies.computeIfAbsent(
            file.location().scheme(), _ -> new Tally(new LongAdder(), new LongAdder()));
    return new StorageFile() {
      private final AtomicLong retriesCounted = new AtomicLong();

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
      public long read(long offset, MemorySegment target) throws IOException {
        return read(offset, target, _ -> {});
      }

      @Override
      public long read(long offset, MemorySegment target, LongConsumer arrived) throws IOException {
        StageClock clock = StageClock.current();
        Stage before = clock.enter(Stage.FETCH);
        // Counted before the bytes can be used, so all are counted at an epoch's end.
        LongConsumer counting =
            new LongConsumer() {
              private long counted;

              @Override
              public void accept(long done) {
                tally.bytes.add(done - counted);
                counted = done;
                arrived.accept(done);
              }
            };
        try {
          return file.read(offset, target, counting);
        } finally {
          clock.enter(before);
          countRetries();
        }
      }

      // Counts those since the last read that ended; other reads may be under way.
      private void countRetries() {
        long retries = file.retries();
        if (retries > 0) {
          long counted = retriesCounted.getAndAccumulate(retries, Math::max);
          tally.retries.add(Math.max(0, retries - counted));
        }
      }

      @Override
      public long retries() {
        return file.retries();
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }
}
