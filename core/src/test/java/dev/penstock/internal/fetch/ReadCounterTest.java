package dev.penstock.internal.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.storage.StorageFile;
import dev.penstock.stats.StoreReads;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadCounterTest {
  private final ReadCounter counter = new ReadCounter();

  /// A file whose every read is tried again as often as its name says.
  private static final class Shaky implements StorageFile {
    private final Location location;
    private final int retriesOfRead;
    private long retries;

    Shaky(String location, int retriesOfRead) {
      this.location = new Location(location);
      this.retriesOfRead = retriesOfRead;
    }

    @Override
    public Location location() {
      return location;
    }

    @Override
    public long size() {
      return 1000;
    }

    @Override
    public String version() {
      return "";
    }

    @Override
    public long read(long offset, MemorySegment target) throws IOException {
      retries += retriesOfRead;
      if (offset >= size()) {
        throw new IOException("no");
      }
      return target.byteSize();
    }

    @Override
    public long retries() {
      return retries;
    }

    @Override
    public void close() {}
  }

  private static void read(StorageFile file, long bytes) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      file.read(0, arena.allocate(bytes));
    }
  }

  @Test
  void bytesAndRetriesAreCountedByScheme() throws IOException {
    StorageFile first = counter.counting(new Shaky("s3://bucket/a", 2));
    StorageFile second = counter.counting(new Shaky("s3://bucket/b", 1));
    StorageFile local = counter.counting(new Shaky("/data/a", 0));
    read(first, 100);
    read(first, 10);
    read(second, 5);
    read(local, 7);
    assertThat(counter.stores())
        .isEqualTo(Map.of("s3", new StoreReads(115, 5), "file", new StoreReads(7, 0)));
    assertThat(counter.bytes()).isEqualTo(122);
    assertThat(first.retries()).isEqualTo(4);
  }

  @Test
  void retriesOfAReadThatFailsCount() {
    StorageFile file = counter.counting(new Shaky("s3://bucket/a", 3));
    try (Arena arena = Arena.ofConfined()) {
      file.read(1000, arena.allocate(1));
    } catch (IOException e) {
      assertThat(counter.stores()).isEqualTo(Map.of("s3", new StoreReads(0, 3)));
      return;
    }
    throw new AssertionError("The read must fail.");
  }
}
