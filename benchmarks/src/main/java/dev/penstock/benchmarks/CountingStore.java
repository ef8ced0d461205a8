package dev.penstock.benchmarks;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.FilePage;
import dev.penstock.spi.storage.RangeBody;
import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.RemoteStorage;
import dev.penstock.spi.storage.ServedRange;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.io.ByteArrayInputStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/// A store of one folder whose files all have the same bytes. It answers at once and counts.
final class CountingStore implements RemoteStorage {
  private static final Location FOLDER = new Location("lake://table");
  private static final int PAGE_FILES = 1_000; // S3's

  /// What a request is for: a range up to the end of a file is its footer.
  enum Kind {
    LOOK,
    LIST,
    FOOTER,
    ROWS
  }

  private final byte[] bytes;
  private final int files;
  private final Map<Kind, LongAdder> counts = new EnumMap<>(Kind.class);

  CountingStore(byte[] bytes, int files) {
    this.bytes = bytes;
    this.files = files;
    for (Kind kind : Kind.values()) {
      counts.put(kind, new LongAdder());
    }
  }

  /// Returns how many requests there were since the last call.
  long take(Kind kind) {
    return Objects.requireNonNull(counts.get(kind)).sumThenReset();
  }

  private void count(Kind kind) {
    Objects.requireNonNull(counts.get(kind)).increment();
  }

  @Override
  public List<String> schemes() {
    return List.of(FOLDER.scheme());
  }

  @Override
  public Set<String> ownOptionKeys() {
    return Set.of();
  }

  @Override
  public RemoteRequests requests(StorageOptions options) {
    return new Requests();
  }

  private final class Requests implements RemoteRequests {
    @Override
    public Optional<FileEntry> stat(Location location) {
      count(Kind.LOOK);
      return Optional.empty(); // nobody asks for a file that was listed
    }

    @Override
    public FilePage list(Location folder, String from, int most) {
      count(Kind.LIST);
      int start = from.isEmpty() ? 0 : Integer.parseInt(from);
      int end = Math.min(files, start + Math.min(most, PAGE_FILES));
      return new FilePage(
          IntStream.range(start, end).mapToObj(CountingStore.this::file).toList(),
          end < files ? Optional.of(String.valueOf(end)) : Optional.empty());
    }

    @Override
    public RangeBody open(FileEntry file, long offset, long length) {
      count(offset + length == bytes.length ? Kind.FOOTER : Kind.ROWS);
      return RangeBody.of(
          new ServedRange(offset, length, bytes.length),
          new ByteArrayInputStream(bytes, (int) offset, (int) length),
          () -> {});
    }

    @Override
    public String toString() {
      return "a store of " + files + " files";
    }

    @Override
    public void close() {}
  }

  private FileEntry file(int number) {
    Location place = new Location(String.format("%s/part-%08d.parquet", FOLDER, number));
    return new FileEntry(place, bytes.length, false, "v" + number);
  }
}
