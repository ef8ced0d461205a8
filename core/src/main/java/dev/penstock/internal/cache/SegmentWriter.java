package dev.penstock.internal.cache;

import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Writes a segment: to the side, renamed when it is whole. While it is written it is locked, so
/// that other processes know that it is not left behind. One thread at a time.
final class SegmentWriter {
  private static final MemorySegment ZEROS = Arena.global().allocate(SliceRecord.ALIGNMENT);

  private static final long EMPTY_BYTES = SegmentIndex.EMPTY_BYTES + Segment.TAIL_BYTES;

  private final Path part;
  private final Path whole;
  private final long room;
  private final FolderAccess access;
  private final FileChannel channel;
  private final @Nullable FileLock lock;
  private final SegmentIndex index = new SegmentIndex();
  private final IdentityHashMap<TextDictionary, Integer> dictionaries = new IdentityHashMap<>();
  private long end;

  private SegmentWriter(
      Path part,
      Path whole,
      long room,
      FolderAccess access,
      FileChannel channel,
      @Nullable FileLock lock) {
    this.part = part;
    this.whole = whole;
    this.room = room;
    this.access = access;
    this.channel = channel;
    this.lock = lock;
  }

  /// Starts writing a segment that may grow to `room` bytes. The caller has the folder's
  /// [FolderLock], and no other segment has the name.
  static SegmentWriter create(Path folder, String name, long room, FolderAccess access)
      throws IOException {
    Path part = folder.resolve(FolderFile.partName(name, room));
    FolderFile.beginWriting(part);
    try {
      FileChannel channel = access.create(part);
      Path whole = folder.resolve(name + Segment.WHOLE);
      return new SegmentWriter(part, whole, room, access, channel, lock(channel));
    } catch (Throwable e) {
      FolderFile.endWriting(part);
      throw e;
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) {
    try {
      return channel.tryLock();
    } catch (IOException | OverlappingFileLockException e) {
      return null; // The file system has no locks: a cleaner may take the segment away.
    }
  }

  String name() {
    return String.valueOf(whole.getFileName());
  }

  /// Returns how many bytes a segment takes that has only these rows: compact columns, whose keys
  /// are `set`.
  static long bytes(String name, long[] set, List<ColumnSlice> columns) {
    return EMPTY_BYTES
        + SegmentIndex.fileBytes(name)
        + SegmentIndex.setBytes(set)
        + recordBytes(columns, new IdentityHashMap<>());
  }

  /// Returns how many bytes a segment takes that has only what is known about a file as a whole.
  static long bytes(String name, byte[] metadata) {
    return EMPTY_BYTES + SegmentIndex.fileBytes(name) + recordBytes(metadata);
  }

  private static long recordBytes(byte[] metadata) {
    return SegmentIndex.RECORD_BYTES + SliceRecord.padded(metadata.length);
  }

  /// Returns how many bytes a record of rows takes, without their dictionaries.
  static long bytes(List<ColumnSlice> columns) {
    return SegmentIndex.RECORD_BYTES + SliceRecord.of(columns, _ -> 0).bytes();
  }

  /// Returns how many bytes a record of rows takes, with the dictionaries that are not written yet.
  private static long recordBytes(
      List<ColumnSlice> columns, IdentityHashMap<TextDictionary, Integer> written) {
    IdentityHashMap<TextDictionary, Integer> missing = new IdentityHashMap<>();
    columns.forEach(column -> addMissing(column, written, missing));
    long bytes = bytes(columns);
    for (TextDictionary dictionary : missing.keySet()) {
      bytes += SegmentIndex.RECORD_BYTES + SliceRecord.of(dictionary).bytes();
    }
    return bytes;
  }

  private static void addMissing(
      ColumnSlice column,
      IdentityHashMap<TextDictionary, Integer> written,
      IdentityHashMap<TextDictionary, Integer> missing) {
    TextDictionary dictionary = column.dictionary();
    if (dictionary != null && !written.containsKey(dictionary)) {
      missing.put(dictionary, 0);
    }
    column.children().forEach(child -> addMissing(child, written, missing));
  }

  /// Returns whether there is room for rows, see [#add].
  boolean hasRoom(FileKey file, String name, long[] set, List<ColumnSlice> columns) {
    long more = index.hasSet(set) ? 0 : SegmentIndex.setBytes(set);
    return hasRoom(file, name, more + recordBytes(columns, dictionaries));
  }

  boolean hasRoom(FileKey file, String name, byte[] metadata) {
    return hasRoom(file, name, recordBytes(metadata));
  }

  private boolean hasRoom(FileKey file, String name, long more) {
    long entry = index.hasFile(file) ? 0 : SegmentIndex.fileBytes(name);
    return end + index.bytes() + Segment.TAIL_BYTES + entry + more <= room;
  }

  /// Forgets which dictionaries were written: their memory is used anew.
  void forget() {
    dictionaries.clear();
  }

  /// Writes rows, from the row `firstRow` of a file on: compact columns of the same length, whose
  /// keys are `set`.
  void add(FileKey file, String name, long[] set, long firstRow, List<ColumnSlice> columns)
      throws IOException {
    int number = index.file(file, name);
    addDictionaries(number, columns);
    SliceRecord record = SliceRecord.of(columns, dictionaries::get);
    add(number, index.set(set), firstRow, columns.getFirst().rowCount(), record);
  }

  void add(FileKey file, String name, byte[] metadata) throws IOException {
    CRC32C checksum = new CRC32C();
    long start = end;
    write(List.of(ByteBuffer.wrap(metadata)), checksum);
    index.add(
        index.file(file, name),
        SegmentIndex.METADATA,
        0,
        0,
        (int) checksum.getValue(),
        start,
        metadata.length);
    pad();
  }

  private void addDictionaries(int file, List<ColumnSlice> columns) throws IOException {
    for (ColumnSlice column : columns) {
      TextDictionary dictionary = column.dictionary();
      if (dictionary != null && !dictionaries.containsKey(dictionary)) {
        SliceRecord record = SliceRecord.of(dictionary);
        dictionaries.put(
            dictionary, add(file, SegmentIndex.DICTIONARY, 0, dictionary.size(), record));
      }
      addDictionaries(file, column.children());
    }
  }

  private int add(int file, int set, long firstRow, int rows, SliceRecord record)
      throws IOException {
    List<ByteBuffer> buffers = new ArrayList<>();
    byte[] directory = record.directory();
    buffers.add(ByteBuffer.wrap(directory));
    addPadding(directory.length, buffers);
    for (MemorySegment buffer : record.buffers()) {
      buffers.add(buffer.asByteBuffer());
      addPadding(buffer.byteSize(), buffers);
    }
    CRC32C checksum = new CRC32C();
    long start = end;
    write(buffers, checksum);
    return index.add(file, set, firstRow, rows, (int) checksum.getValue(), start, record.bytes());
  }

  private static void addPadding(long length, List<ByteBuffer> buffers) {
    long padding = SliceRecord.padded(length) - length;
    if (padding > 0) {
      buffers.add(ZEROS.asSlice(0, padding).asByteBuffer());
    }
  }

  private void pad() throws IOException {
    List<ByteBuffer> padding = new ArrayList<>();
    addPadding(end, padding);
    write(padding, new CRC32C());
  }

  private void write(List<ByteBuffer> buffers, CRC32C checksum) throws IOException {
    ByteBuffer[] all = buffers.toArray(ByteBuffer[]::new);
    long left = 0;
    for (ByteBuffer each : all) {
      checksum.update(each.duplicate());
      left += each.remaining();
    }
    int first = 0;
    while (left > 0) {
      while (!all[first].hasRemaining()) {
        first++;
      }
      long written = channel.write(all, first, all.length - first);
      left -= written;
      end += written;
    }
  }

  /// Finishes the segment and returns it, or null if it has no records.
  @Nullable Segment finish() throws IOException {
    if (index.records() == 0) {
      abandon();
      return null;
    }
    try {
      long records = end;
      byte[] encoded = index.encoded();
      CRC32C checksum = new CRC32C();
      write(List.of(ByteBuffer.wrap(encoded)), checksum);
      ByteBuffer tail = Segment.tail(records, encoded.length, (int) checksum.getValue());
      write(List.of(tail), checksum);
      Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
    } catch (Throwable e) {
      abandon();
      throw e;
    }
    close();
    return new Segment(whole, end, index, access);
  }

  void abandon() {
    close();
    try {
      Files.deleteIfExists(part);
    } catch (IOException e) {
      // Another process deletes it, as it is not locked.
    }
  }

  private void close() {
    try (FileChannel _ = channel) {
      if (lock != null && lock.isValid()) {
        lock.release();
      }
    } catch (IOException e) {
      // Nothing more is written.
    } finally {
      FolderFile.endWriting(part);
    }
  }
}
