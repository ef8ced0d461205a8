package dev.penstock.internal.table;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.cache.CachedFile;
import dev.penstock.spi.format.AheadFile;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.ScannedFile;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.StorageFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A file while its metadata is read: the bytes that are read, and what a pass finds, are kept; or
/// they were kept by an earlier run, and the file is opened only for others. Any thread may use it.
public final class KeptFooter extends LateFile implements ScannedFile {
  private static final int BYTES_MAX = 16 << 20; // more is not kept
  private static final int SCAN = -1; // where others have an offset

  private final List<Part> parts = new ArrayList<>(); // guarded by itself

  @GuardedBy("parts")
  private long bytes; // of the parts

  @GuardedBy("parts")
  private boolean isChanged; // whether there are parts that were not kept before

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Part(long offset, byte[] bytes) {}

  private final CachedFile cache;

  public KeptFooter(
      CacheFolder folder,
      FileFormat format,
      Map<String, String> options,
      FileEntry entry,
      Opener opener)
      throws IOException {
    super(entry, opener);
    List<String> decoding = CachedFile.decoding(format.name(), options, "footer");
    cache = folder.file(entry.location(), entry.bytes(), entry.version(), decoding);
    Optional<byte[]> kept = cache.metadata();
    if (kept.isPresent()) {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(kept.get()));
      while (in.available() > 0) {
        long offset = in.readLong();
        parts.add(new Part(offset, in.readNBytes(in.readInt())));
      }
    }
  }

  /// Keeps what a later run needs, unless that is too much, or was kept before.
  public void keep() throws IOException {
    synchronized (parts) {
      if (!isChanged || bytes > BYTES_MAX) {
        return;
      }
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(all);
      for (Part part : parts) {
        out.writeLong(part.offset);
        out.writeInt(part.bytes.length);
        out.write(part.bytes);
      }
      cache.keep(all.toByteArray());
    }
  }

  private byte @Nullable [] find(long offset, long length) {
    synchronized (parts) {
      for (Part part : parts) {
        boolean isIn = offset == SCAN ? part.offset == SCAN : part.offset != SCAN;
        long end = part.offset + part.bytes.length;
        if (isIn && (offset == SCAN || (offset >= part.offset && offset + length <= end))) {
          int first = offset == SCAN ? 0 : (int) (offset - part.offset);
          int count = offset == SCAN ? part.bytes.length : (int) length;
          return Arrays.copyOfRange(part.bytes, first, first + count);
        }
      }
    }
    return null;
  }

  private void keep(long offset, byte[] found) {
    synchronized (parts) {
      isChanged = true;
      parts.add(new Part(offset, found));
      bytes += found.length;
    }
  }

  private boolean isTooMuch(long more) {
    synchronized (parts) {
      bytes += bytes + more > BYTES_MAX ? more : 0; // or it would be kept in part
      return bytes > BYTES_MAX;
    }
  }

  @Override
  public byte[] scan(Scan scan) throws IOException {
    byte[] known = find(SCAN, 0);
    if (known == null) {
      known = scan.of(opened());
      keep(SCAN, known);
    }
    return known;
  }

  @Override
  public long read(long offset, MemorySegment target) throws IOException {
    byte[] known = find(offset, target.byteSize());
    if (known != null) {
      MemorySegment.copy(known, 0, target, ValueLayout.JAVA_BYTE, 0, known.length);
      return known.length;
    }
    long filled = opened().read(offset, target);
    if (!isTooMuch(target.byteSize())) {
      keep(offset, target.toArray(ValueLayout.JAVA_BYTE));
    }
    return filled;
  }

  @Override
  public long read(long offset, MemorySegment target, LongConsumer arrived) throws IOException {
    long filled = read(offset, target);
    arrived.accept(filled);
    return filled;
  }

  @Override
  public void expect(List<ByteRange> ranges) {
    StorageFile known = known();
    if (known != null) {
      AheadFile.expect(known, ranges);
    }
  }

  @Override
  public Optional<FetchAdvice> advice() {
    StorageFile known = known();
    return known == null ? Optional.empty() : known.advice();
  }
}
