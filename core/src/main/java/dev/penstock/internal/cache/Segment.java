package dev.penstock.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.memory.PageAdvice;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A file of the cache: records, their index, and a tail that says where the index is.
///
/// A record is checked before it is first used, and again when the file's time says that it was
/// written since. Any thread may use it; [#unmap] when nobody reads.
final class Segment {
  static final String WHOLE = ".segment"; // the end of the name of a segment
  static final String PART = ".part"; // the end of the name of a segment that is being written
  static final int TAIL_BYTES = 24; // the bytes behind the index
  private static final long MAGIC = 0x50454e53544f4331L; // PENSTOC1
  private static final int CHECKED_BYTES = 1 << 20; // at once

  private final Path path;
  private final long bytes;
  private final SegmentIndex index;
  private final FolderAccess access;
  private final BitSet checked = new BitSet(); // records; guarded by itself
  private volatile int looked = -1; // the record before whose use the file's size was looked up
  private volatile boolean isGone; // must not be used any more

  @GuardedBy("this")
  private @Nullable Mapping mapping;

  @GuardedBy("this")
  private @Nullable FileTime seen; // the file's time when it was marked as used

  /// The segment in memory, and its dictionaries by record: slices that share one share the
  /// instance.
  private record Mapping(
      Arena arena, MemorySegment memory, Map<Integer, TextDictionary> dictionaries) {}

  static final class DamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedException(Path path, String found) {
      super("The segment " + path + " of the cache is damaged: " + found);
    }
  }

  Segment(Path path, long bytes, SegmentIndex index, FolderAccess access) {
    this.path = path;
    this.bytes = bytes;
    this.index = index;
    this.access = access;
  }

  static ByteBuffer tail(long records, int indexBytes, int checksum) {
    ByteBuffer tail = ByteBuffer.allocate(TAIL_BYTES);
    tail.putLong(records).putInt(indexBytes).putInt(checksum).putLong(MAGIC);
    return tail.flip();
  }

  /// Reads the index of a segment.
  ///
  /// @throws DamagedException if the file is not a whole segment
  /// @throws IOException if it cannot be read, or is refused
  static Segment open(Path path, FolderAccess access) throws IOException {
    try (FileChannel channel = access.open(path)) {
      long size = channel.size();
      if (size < TAIL_BYTES) {
        throw new DamagedException(path, "it has " + size + " bytes");
      }
      ByteBuffer tail = read(channel, size - TAIL_BYTES, TAIL_BYTES);
      long records = tail.getLong();
      int indexBytes = tail.getInt();
      int checksum = tail.getInt();
      boolean isTail = tail.getLong() == MAGIC && records >= 0 && indexBytes >= 0;
      if (!isTail || records != size - TAIL_BYTES - indexBytes) {
        throw new DamagedException(path, "it does not end as a segment does");
      }
      byte[] encoded = read(channel, records, indexBytes).array();
      if (checksum(ByteBuffer.wrap(encoded)) != checksum) {
        throw new DamagedException(path, "the checksum of its index is wrong");
      }
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded));
      return new Segment(path, size, index(path, in, records), access);
    }
  }

  private static SegmentIndex index(Path path, DataInputStream in, long records)
      throws DamagedException {
    try {
      return SegmentIndex.decoded(in, records);
    } catch (IOException e) {
      throw new DamagedException(path, String.valueOf(e.getMessage()));
    }
  }

  private static ByteBuffer read(FileChannel channel, long offset, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    fill(buffer, channel, offset);
    return buffer;
  }

  private static void fill(ByteBuffer buffer, FileChannel channel, long offset) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, offset + buffer.position()) < 0) {
        throw new IOException("The file ends at " + (offset + buffer.position()) + ".");
      }
    }
    buffer.flip();
  }

  Path path() {
    return path;
  }

  String name() {
    return String.valueOf(path.getFileName());
  }

  long bytes() {
    return bytes;
  }

  SegmentIndex index() {
    return index;
  }

  boolean isGone() {
    return isGone;
  }

  void lose() {
    isGone = true;
  }

  /// Marks it as used now, as deleting begins with what was not used for longest. If others have
  /// written the file since it was last marked, or it cannot be marked, its records are checked
  /// again.
  synchronized void touch() throws IOException {
    FileTime before = seen;
    seen = null;
    try {
      if (!Files.getLastModifiedTime(path).equals(before)) {
        forgetChecks();
      }
      Files.setLastModifiedTime(path, FileTime.from(Instant.now()));
      seen = Files.getLastModifiedTime(path); // as the file system keeps it
    } catch (IOException e) {
      forgetChecks();
      throw e;
    }
  }

  private void forgetChecks() {
    synchronized (checked) {
      checked.clear();
    }
  }

  private synchronized Mapping mapping() throws IOException {
    Mapping known = mapping;
    if (known == null) {
      Arena arena = Arena.ofShared();
      try (FileChannel channel = access.open(path)) {
        requireSize(channel.size());
        MemorySegment memory = channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes, arena);
        known = new Mapping(arena, memory, new ConcurrentHashMap<>());
        mapping = known;
      } catch (Throwable e) {
        arena.close();
        throw e;
      }
    }
    return known;
  }

  /// Checks that the mapped file was not cut: reading memory behind its end ends the process.
  private void requireWhole() throws IOException {
    try {
      requireSize(Files.size(path));
    } catch (NoSuchFileException e) {
      // It was deleted; what is mapped stays.
    }
  }

  private void requireSize(long size) throws IOException {
    if (size < bytes) {
      throw new DamagedException(path, "it has " + size + " bytes but had " + bytes);
    }
  }

  /// Begins to read a record from the disk, without waiting.
  void readSoon(int record) throws IOException {
    PageAdvice.soon(mapping().memory, index.offset(record), index.bytes(record));
  }

  /// Returns a column of a record by its place in the record's set, valid until [#unmap].
  ///
  /// @throws DamagedException if the file has changed since it was written
  ColumnSlice column(int record, int column, DataType type) throws IOException {
    Mapping mapped = mapping();
    MemorySegment memory = checked(mapped, record);
    try {
      return new SliceRecord.Reading(memory, number -> dictionary(mapped, number))
          .column(column, type);
    } catch (IndexOutOfBoundsException | UncheckedDamage e) {
      throw new DamagedException(path, "record " + record + " contradicts itself");
    }
  }

  byte[] metadata(int record) throws IOException {
    try (FileChannel channel = access.open(path)) {
      requireSize(channel.size());
      byte[] copy =
          read(channel, index.offset(record), Math.toIntExact(index.bytes(record))).array();
      requireChecksum(record, checksum(ByteBuffer.wrap(copy)));
      return copy;
    }
  }

  /// Reads all records and checks them. They are not mapped: a disk that cannot be read is an error
  /// here, and ends the process there.
  ///
  /// @throws DamagedException if one is not as it was written
  void check() throws IOException {
    try (FileChannel channel = access.open(path)) {
      requireSize(channel.size());
      ByteBuffer buffer = ByteBuffer.allocate(CHECKED_BYTES);
      for (int record = 0; record < index.records(); record++) {
        requireChecksum(
            record, checksum(channel, index.offset(record), index.bytes(record), buffer));
      }
    }
  }

  private void requireChecksum(int record, int found) throws DamagedException {
    if (found != index.checksum(record)) {
      throw new DamagedException(path, "the checksum of record " + record + " is wrong");
    }
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C found = new CRC32C();
    found.update(bytes);
    return (int) found.getValue();
  }

  private static int checksum(FileChannel channel, long offset, long bytes, ByteBuffer buffer)
      throws IOException {
    CRC32C found = new CRC32C();
    long end = offset + bytes;
    for (long at = offset; at < end; at += buffer.limit()) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
      fill(buffer, channel, at);
      found.update(buffer);
    }
    return (int) found.getValue();
  }

  private static final class UncheckedDamage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UncheckedDamage(IOException cause) {
      super(cause);
    }
  }

  private TextDictionary dictionary(Mapping mapped, int number) {
    return mapped.dictionaries.computeIfAbsent(
        number,
        _ -> {
          try {
            MemorySegment memory = checked(mapped, number);
            return new SliceRecord.Reading(memory, _ -> fail()).dictionary();
          } catch (IOException e) {
            throw new UncheckedDamage(e);
          }
        });
  }

  private static TextDictionary fail() {
    throw new IndexOutOfBoundsException("a dictionary has no dictionary");
  }

  private MemorySegment checked(Mapping mapped, int record) throws IOException {
    if (record < 0 || record >= index.records()) {
      throw new DamagedException(path, "it has no record " + record);
    }
    if (looked != record) { // One record's columns are wanted one after another.
      requireWhole();
      looked = record;
    }
    MemorySegment memory = mapped.memory.asSlice(index.offset(record), index.bytes(record));
    synchronized (checked) {
      if (checked.get(record)) {
        return memory;
      }
    }
    // Just these bytes: for each page that is absent, a system may read megabytes around it.
    memory.load();
    requireChecksum(record, checksum(memory.asByteBuffer()));
    synchronized (checked) {
      checked.set(record);
    }
    return memory;
  }

  /// Gives the memory back. Its columns must no longer be read.
  synchronized void unmap() {
    Mapping known = mapping;
    if (known != null) {
      mapping = null;
      looked = -1;
      known.arena.close();
    }
  }
}
