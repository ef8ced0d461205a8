package dev.penstock.arrow.ipc;

import static dev.penstock.spi.format.LittleEndian.LONG;

import com.github.luben.zstd.Zstd;
import dev.penstock.arrow.ipc.IpcMetadata.Batch;
import dev.penstock.format.LibraryException;
import dev.penstock.format.MalformedFileException;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.NativeCodec;
import dev.penstock.spi.format.ReaderMemory;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.flatbuf.CompressionType;

/// The buffers of one record batch.
///
/// Uncompressed buffers are read directly into the memory of a slice, and only the needed part.
/// Compressed buffers are decompressed as a whole, once, and slices are views of them.
final class Body implements AutoCloseable {
  /// The highest compression ratio of a buffer.
  private static final long LZ4_RATIO_MAX = 255;

  private static final long ZSTD_RATIO_MAX = 1 << 15;

  private final StorageFile file;
  private final Batch batch;
  private final FilePlace where;
  private final ReaderMemory memory;
  private final Map<Integer, MemorySegment> decompressed = new HashMap<>();

  Body(StorageFile file, Batch batch, FilePlace where, ScratchMemory source) {
    this.file = file;
    this.batch = batch;
    this.where = where;
    this.memory = new ReaderMemory(source);
  }

  Batch batch() {
    return batch;
  }

  /// Makes the error for a column.
  ///
  /// @param what sentences that say what was found in the column, and what to do
  MalformedFileException fail(IpcColumn column, String kind, String what) {
    return where.fail(kind + ": in column '" + column.path() + "' " + what);
  }

  /// Returns part of a buffer.
  ///
  /// @param into receives the bytes, if they must be read
  /// @param what the buffer's name for errors
  MemorySegment bytes(
      IpcColumn column, int index, long start, long length, ScratchBuffer into, String what)
      throws IOException {
    if (length == 0) {
      return into.ensure(0);
    }
    boolean plain = batch.buffers().codec() == IpcMetadata.PLAIN;
    MemorySegment whole = plain ? null : decompressed(index);
    long there = whole == null ? batch.buffers().length(index) : whole.byteSize();
    if (start < 0 || length < 0 || start > there - length) {
      throw where.fail(
          batch.buffers().start(index),
          "Corrupt Arrow file: in column '%s' the %s need bytes [%s, %s) of a buffer of %s."
              .formatted(column.path(), what, start, start + length, there));
    }
    if (whole != null) {
      return whole.asSlice(start, length);
    }
    MemorySegment target = into.ensure(length);
    file.read(batch.buffers().start(index) + start, target.asSlice(0, length));
    return target;
  }

  /// Returns the decompressed size of a buffer in bytes.
  long length(int index) throws IOException {
    return batch.buffers().codec() == IpcMetadata.PLAIN
        ? batch.buffers().length(index)
        : decompressed(index).byteSize();
  }

  private MemorySegment decompressed(int index) throws IOException {
    MemorySegment known = decompressed.get(index);
    if (known == null) {
      known = decompress(index);
      decompressed.put(index, known);
    }
    return known;
  }

  private MemorySegment take(long bytes) {
    return memory.take(Math.max(64, bytes)).asSlice(0, bytes);
  }

  /// A compressed buffer starts with its decompressed length; -1 says that it is not compressed.
  private MemorySegment decompress(int index) throws IOException {
    long length = batch.buffers().length(index);
    long at = batch.buffers().start(index);
    if (length == 0) {
      return MemorySegment.NULL;
    }
    if (length < 8) {
      throw where.fail(
          at, "Truncated Arrow buffer: " + length + " bytes have no length of its own.");
    }
    MemorySegment packed = memory.take(length);
    try {
      file.read(at, packed.asSlice(0, length));
      long stated = packed.get(LONG, 0);
      MemorySegment source = packed.asSlice(8, length - 8);
      if (stated == -1) {
        MemorySegment plain = take(length - 8);
        plain.copyFrom(source);
        return plain;
      }
      boolean zstd = batch.buffers().codec() == CompressionType.ZSTD;
      long most = (length - 8) * (zstd ? ZSTD_RATIO_MAX : LZ4_RATIO_MAX);
      if (stated < 0 || stated > most) {
        throw where.fail(
            at,
            ("Corrupt Arrow buffer: it says that %s compressed bytes are %s but they are at"
                    + " most %s.")
                .formatted(length - 8, stated, most));
      }
      MemorySegment target = take(stated);
      long done = zstd ? zstd(source, target) : Lz4Frame.decompress(source, target);
      if (done != stated) {
        throw where.fail(
            at,
            "Corrupt Arrow buffer: %s compressed bytes do not decompress to %s."
                .formatted(length - 8, stated));
      }
      return target;
    } finally {
      memory.give(packed);
    }
  }

  private static long zstd(MemorySegment source, MemorySegment target) throws LibraryException {
    NativeCodec.ZSTD.require();
    if (target.byteSize() == 0) {
      return 0;
    }
    long done =
        Zstd.decompressUnsafe(
            target.address(), target.byteSize(), source.address(), source.byteSize());
    return Zstd.isError(done) ? -1 : done;
  }

  @Override
  public void close() {
    memory.close();
  }
}
