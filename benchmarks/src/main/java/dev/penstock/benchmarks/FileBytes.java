package dev.penstock.benchmarks;

import com.github.luben.zstd.Zstd;
import dev.penstock.internal.lz4.Lz4;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.xerial.snappy.Snappy;

/// The bytes of a file, read and decompressed and no more: the limit of any reader.
///
/// Compressed blocks are found in the mapped file, and each thread decompresses to one buffer.
interface FileBytes {
  /// As many bytes as are read or decompressed at a time.
  int ROOM = 64 << 20;

  ThreadLocal<MemorySegment> BUFFERS =
      ThreadLocal.withInitial(() -> Arena.global().allocate(ROOM, 64));

  /// Reads the file to its end.
  void read() throws IOException;

  /// Returns how to read a file, as its name ends.
  static FileBytes of(Path file) throws IOException {
    String name = file.getFileName().toString();
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "csv", "jsonl" -> () -> plain(file);
      case "gz" -> () -> gzip(file);
      case "orc" -> blocks(file, FileBytes::orc);
      case "avro" -> blocks(file, FileBytes::avro);
      case "arrow" -> blocks(file, FileBytes::arrow);
      default -> throw new IOException("Cannot read this kind of file. [" + file + "]");
    };
  }

  private static void plain(Path file) throws IOException {
    ByteBuffer buffer = BUFFERS.get().asSlice(0, 256 << 10).asByteBuffer();
    try (FileChannel channel = FileChannel.open(file)) {
      while (channel.read(buffer.clear()) >= 0) {}
    }
  }

  private static void gzip(Path file) throws IOException {
    byte[] buffer = new byte[64 << 10];
    try (InputStream input = new GZIPInputStream(Files.newInputStream(file), buffer.length)) {
      while (input.read(buffer) >= 0) {}
    }
  }

  private static FileBytes blocks(Path file, Walk walk) throws IOException {
    MemorySegment mapped;
    try (FileChannel channel = FileChannel.open(file)) {
      mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.global());
    }
    return () -> walk.over(mapped, BUFFERS.get());
  }

  /// Between its magic and its postscript an ORC file is one row of chunks, if it has no padding.
  private static void orc(MemorySegment file, MemorySegment buffer) {
    long end = file.byteSize() - 1;
    end -= file.get(ValueLayout.JAVA_BYTE, end) & 0xff;
    for (long at = 3; at < end; ) {
      int header = file.get(ValueLayout.JAVA_INT_UNALIGNED, at) & 0xffffff;
      MemorySegment chunk = file.asSlice(at + 3, header >> 1);
      if ((header & 1) == 0) {
        check(
            Zstd.decompressUnsafe(
                buffer.address(), buffer.byteSize(), chunk.address(), chunk.byteSize()));
      }
      at += 3 + chunk.byteSize();
    }
  }

  /// A header that ends with a marker, then blocks: two lengths, bytes in Snappy, their checksum,
  /// and the marker.
  private static void avro(MemorySegment file, MemorySegment buffer) throws IOException {
    Varints header = new Varints(file, 4);
    for (long entries = header.next(); entries != 0; entries = header.next()) {
      for (long texts = 2 * entries; texts > 0; texts--) {
        header.skip(header.next());
      }
    }
    header.skip(16);
    while (header.position < file.byteSize()) {
      header.next();
      long length = header.next();
      MemorySegment block = file.asSlice(header.position, length - 4);
      check(Snappy.rawUncompress(block.address(), block.byteSize(), buffer.address()));
      header.skip(length + 16);
    }
  }

  /// Compressed buffers begin at multiples of 8, with their length and the magic of LZ4. What is
  /// between them is skipped.
  private static void arrow(MemorySegment file, MemorySegment buffer) {
    for (long at = 0; at + 16 < file.byteSize(); at += 8) {
      if (file.get(ValueLayout.JAVA_INT_UNALIGNED, at + 8) == 0x184D2204) {
        at = lz4(file, at + 8, buffer) - 1 & -8;
      }
    }
  }

  /// Decompresses a frame, and returns where it ends.
  private static long lz4(MemorySegment file, long frame, MemorySegment buffer) {
    int flags = file.get(ValueLayout.JAVA_BYTE, frame + 4);
    long at = frame + 7 + ((flags & 8) != 0 ? 8 : 0);
    long written = 0;
    while (true) {
      int stated = file.get(ValueLayout.JAVA_INT_UNALIGNED, at);
      at += 4;
      if (stated == 0) {
        return at + ((flags & 4) != 0 ? 4 : 0);
      }
      int length = stated & 0x7fffffff;
      if (stated > 0) {
        long count = Lz4.decompress(file.asSlice(at, length), buffer, written);
        check(count);
        written += count;
      } else {
        MemorySegment.copy(file, at, buffer, written, length);
        written += length;
      }
      at += length + ((flags & 16) != 0 ? 4 : 0);
    }
  }

  private static void check(long written) {
    if (written < 0) {
      throw new IllegalStateException("Cannot decompress a block: error " + written + ".");
    }
  }

  /// Walks over the blocks of a mapped file, with a buffer to decompress each to.
  interface Walk {
    void over(MemorySegment file, MemorySegment buffer) throws IOException;
  }

  /// Reads Avro's numbers.
  final class Varints {
    private final MemorySegment file;
    private long position;

    Varints(MemorySegment file, long position) {
      this.file = file;
      this.position = position;
    }

    long next() {
      long bits = 0;
      byte part;
      int shift = 0;
      do {
        part = file.get(ValueLayout.JAVA_BYTE, position++);
        bits |= (part & 0x7fL) << shift;
        shift += 7;
      } while (part < 0);
      return bits >>> 1 ^ -(bits & 1);
    }

    void skip(long bytes) {
      position += bytes;
    }
  }
}
