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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/// A store of one folder whose files all have the same bytes, and of one plan that somebody
/// creates. It answers at once and counts.
final class CountingStore implements RemoteStorage {
  private static final Location FOLDER = new Location("lake://table");
  private static final int PAGE_FILES = 1_000; // S3's

  enum Kind {
    LOOK,
    LIST,
    PLAN,
    FOOTER,
    ROWS
  }

  private final byte[] bytes;
  private final int footer;
  private final int files;
  private final Map<Kind, LongAdder> counts = new EnumMap<>(Kind.class);
  private volatile Optional<FileEntry> plan = Optional.empty();
  private volatile byte[] planBytes = new byte[0];

  /// @param bytes a Parquet file
  /// @param files how many of it there are
  CountingStore(byte[] bytes, int files) {
    this.bytes = bytes;
    int end = bytes.length - 8; // of the footer; its length and the magic bytes follow
    this.footer = end - ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
    this.files = files;
    for (Kind kind : Kind.values()) {
      counts.put(kind, new LongAdder());
    }
  }

  /// Returns how many requests there were since the last call.
  long take(Kind kind) {
    return Objects.requireNonNull(counts.get(kind)).sumThenReset();
  }

  /// Returns all files, as a catalog knows them: without their versions.
  List<FileEntry> files() {
    return IntStream.range(0, files)
        .mapToObj(number -> new FileEntry(file(number).location(), bytes.length, false))
        .toList();
  }

  /// Returns the bytes of the plan.
  int planBytes() {
    return planBytes.length;
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
      boolean isTable = isInTable(location);
      count(isTable ? Kind.LOOK : Kind.PLAN);
      return isTable ? Optional.empty() : plan; // listed files are not asked for
    }

    @Override
    public FilePage list(Location folder, String from, int most) {
      boolean isTable = isInTable(folder);
      count(isTable ? Kind.LIST : Kind.PLAN); // a plan that is not there might be a folder
      if (!isTable) {
        return new FilePage(List.of(), Optional.empty());
      }
      int start = from.isEmpty() ? 0 : Integer.parseInt(from);
      int end = Math.min(files, start + Math.min(most, PAGE_FILES));
      return new FilePage(
          IntStream.range(start, end).mapToObj(CountingStore.this::file).toList(),
          end < files ? Optional.of(String.valueOf(end)) : Optional.empty());
    }

    @Override
    public RangeBody open(FileEntry file, long offset, long length) {
      boolean isTable = isInTable(file.location());
      count(!isTable ? Kind.PLAN : offset + length > footer ? Kind.FOOTER : Kind.ROWS);
      byte[] content = isTable ? bytes : planBytes;
      return RangeBody.of(
          new ServedRange(offset, length, content.length),
          new ByteArrayInputStream(content, (int) offset, (int) length),
          () -> {});
    }

    @Override
    public void create(Location file, byte[] content) {
      count(Kind.PLAN);
      planBytes = content;
      plan = Optional.of(new FileEntry(file, content.length, false, "1"));
    }

    @Override
    public String toString() {
      return "a store of " + files + " files";
    }

    @Override
    public void close() {}
  }

  private static boolean isInTable(Location location) {
    return location.text().startsWith(FOLDER.text());
  }

  private FileEntry file(int number) {
    Location place = new Location(String.format("%s/part-%08d.parquet", FOLDER, number));
    return new FileEntry(place, bytes.length, false, "v" + number);
  }
}
