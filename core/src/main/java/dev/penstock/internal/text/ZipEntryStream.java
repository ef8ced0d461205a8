package dev.penstock.internal.text;

import dev.penstock.internal.choice.Sentence;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/// Decompresses the only file of a ZIP archive, and compares its length and checksum.
///
/// Uses the directory at the archive's end, so that a truncated archive is detected. The JDK reads
/// archives either without it or only from local disks.
final class ZipEntryStream extends BlockStream {
  private static final int END_MAGIC = 0x06054b50;
  private static final int END_BYTES = 22;
  private static final int COMMENT_BYTES_MAX = 0xffff;
  private static final int LOCATOR64_MAGIC = 0x07064b50;
  private static final int LOCATOR64_BYTES = 20;
  private static final int END64_MAGIC = 0x06064b50;
  private static final int END64_BYTES = 56;
  private static final int ENTRY_MAGIC = 0x02014b50;
  private static final int ENTRY_BYTES = 46;
  private static final int LOCAL_MAGIC = 0x04034b50;
  private static final int LOCAL_BYTES = 30;
  private static final int ENTRIES_MAX = 1000;
  private static final int NAMES_SHOWN = 3;
  private static final int STORED = 0;
  private static final int DEFLATED = 8;
  private static final long IN_EXTRA = 0xffffffffL;

  private record Directory(long start, long end, long entries) {}

  private record Entry(
      String name, int flags, int method, long crc, long packed, long bytes, long start) {}

  private final Entry entry;
  private final Inflater inflater;
  private final CRC32 crc = new CRC32();
  private long left;

  private ZipEntryStream(InputStream data, Inflater inflater, Entry entry) {
    super(data);
    this.inflater = inflater;
    this.entry = entry;
    this.left = entry.bytes();
  }

  static InputStream open(StorageStream file) throws IOException {
    Directory directory = directory(file);
    Entry entry = entry(file, directory);
    require(entry.start() <= directory.start(), "its directory points behind itself");
    file.seek(entry.start());
    ByteBuffer local = take(file, LOCAL_BYTES);
    require(local.getInt(0) == LOCAL_MAGIC, "its directory points to where no file starts");
    long start =
        entry.start() + LOCAL_BYTES + unsigned(local.getShort(26)) + unsigned(local.getShort(28));
    require(entry.packed() <= directory.start() - start, "its file reaches into its directory");
    file.seek(start);
    Inflater inflater = new Inflater(true);
    InputStream data = new Part(file, entry.packed());
    return new ZipEntryStream(
        entry.method() == STORED ? data : new InflaterInputStream(data, inflater, 64 << 10),
        inflater,
        entry);
  }

  private static Directory directory(StorageStream file) throws IOException {
    int tailBytes = (int) Math.min(file.size(), END_BYTES + COMMENT_BYTES_MAX);
    long tailStart = file.size() - tailBytes;
    file.seek(tailStart);
    ByteBuffer tail = take(file, tailBytes);
    for (int at = tailBytes - END_BYTES; at >= 0; at--) {
      if (tail.getInt(at) == END_MAGIC && isEnd(tail, at)) {
        Directory found =
            new Directory(
                unsigned(tail.getInt(at + 16)), tailStart + at, unsigned(tail.getShort(at + 10)));
        long locator = found.end() - LOCATOR64_BYTES;
        return locator < 0 ? found : large(file, locator, found);
      }
    }
    throw new EOFException("its directory, which stands at its end, is missing");
  }

  /// Returns whether only a comment and zeros follow the end of a directory.
  private static boolean isEnd(ByteBuffer tail, int at) {
    int behind = at + END_BYTES + unsigned(tail.getShort(at + 20));
    boolean isEnd = behind <= tail.limit();
    for (int i = behind; isEnd && i < tail.limit(); i++) {
      isEnd = tail.get(i) == 0;
    }
    return isEnd;
  }

  /// Returns the directory of an archive of more than 4 GiB, if this is one.
  private static Directory large(StorageStream file, long locator, Directory small)
      throws IOException {
    file.seek(locator);
    ByteBuffer found = take(file, LOCATOR64_BYTES);
    if (found.getInt(0) != LOCATOR64_MAGIC) {
      return small;
    }
    long end = found.getLong(8);
    require(end >= 0 && end <= locator - END64_BYTES, "its directory is not where it says");
    file.seek(end);
    ByteBuffer stated = take(file, END64_BYTES);
    require(stated.getInt(0) == END64_MAGIC, "its directory is not where it says");
    return new Directory(stated.getLong(48), end, stated.getLong(32));
  }

  private static Entry entry(StorageStream file, Directory directory) throws IOException {
    boolean inside = directory.start() >= 0 && directory.start() <= directory.end();
    require(inside, "its directory is not where it says");
    file.seek(directory.start());
    List<Entry> files = new ArrayList<>();
    long entries = Math.min(directory.entries(), ENTRIES_MAX);
    for (long i = 0; i < entries; i++) {
      Entry entry = next(file);
      if (!entry.name().endsWith("/")) { // a folder
        files.add(entry);
      }
    }
    require(file.position() <= directory.end(), "its directory is longer than it says");
    if (files.stream().anyMatch(each -> each.name().startsWith("xl/"))) {
      throw new Compression.UnsupportedException(
          "it is a workbook of Excel. Save the sheet as CSV, or as Parquet");
    }
    if (files.size() != 1) {
      List<String> names = files.stream().limit(NAMES_SHOWN).map(Entry::name).toList();
      throw new Compression.UnsupportedException(
          Sentence.of(
              "it has %s files %s%s but expected one. Unpack it",
              directory.entries() > ENTRIES_MAX ? directory.entries() : files.size(),
              names,
              files.size() > NAMES_SHOWN ? " and others" : ""));
    }
    Entry one = files.getFirst();
    if ((one.flags() & 1) != 0) {
      throw new Compression.UnsupportedException("its file is encrypted. Unpack it");
    }
    if (one.method() != STORED && one.method() != DEFLATED) {
      throw new Compression.UnsupportedException(
          "its file is compressed by method "
              + one.method()
              + " but expected 0 (stored) or 8 (deflate). Unpack it");
    }
    require(
        one.start() >= 0 && one.packed() >= 0 && one.bytes() >= 0, "a length of its file is wrong");
    return one;
  }

  private static Entry next(StorageStream file) throws IOException {
    ByteBuffer fixed = take(file, ENTRY_BYTES);
    require(fixed.getInt(0) == ENTRY_MAGIC, "its directory has fewer entries than it says");
    ByteBuffer name = take(file, unsigned(fixed.getShort(28)));
    ByteBuffer extra = take(file, unsigned(fixed.getShort(30)));
    file.skipNBytes(unsigned(fixed.getShort(32)));
    // Numbers that do not fit into four bytes are in the extra field, in this order.
    ByteBuffer large = large(extra);
    long bytes = number(fixed.getInt(24), large);
    long packed = number(fixed.getInt(20), large);
    long start = number(fixed.getInt(42), large);
    return new Entry(
        StandardCharsets.UTF_8.decode(name).toString(),
        fixed.getShort(8),
        unsigned(fixed.getShort(10)),
        unsigned(fixed.getInt(16)),
        packed,
        bytes,
        start);
  }

  private static ByteBuffer large(ByteBuffer extra) {
    while (extra.remaining() >= 4) {
      int id = extra.getShort();
      int length = Math.min(unsigned(extra.getShort()), extra.remaining());
      if (id == 1) {
        return extra.slice(extra.position(), length).order(ByteOrder.LITTLE_ENDIAN);
      }
      extra.position(extra.position() + length);
    }
    return ByteBuffer.allocate(0);
  }

  private static long number(int stated, ByteBuffer large) throws IOException {
    if (unsigned(stated) != IN_EXTRA) {
      return unsigned(stated);
    }
    require(large.remaining() >= Long.BYTES, "a length of its file is missing");
    return large.getLong();
  }

  private static ByteBuffer take(StorageStream file, int count) throws IOException {
    byte[] bytes = file.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("it ends within its directory");
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int unsigned(short value) {
    return value & 0xffff;
  }

  private static long unsigned(int value) {
    return value & 0xffffffffL;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int count = in.read(target, offset, length);
    if (count < 0) {
      require(left == 0, "the length of its file is wrong");
      require(crc.getValue() == entry.crc(), "the checksum of its file is wrong");
      return count;
    }
    crc.update(target, offset, count);
    left -= count;
    require(left >= 0, "the length of its file is wrong");
    return count;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    super.close();
  }

  private static final class Part extends BlockStream {
    private long left;

    Part(InputStream in, long left) {
      super(in);
      this.left = left;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = left == 0 ? -1 : in.read(target, offset, (int) Math.min(length, left));
      left -= Math.max(count, 0);
      return count;
    }
  }
}
