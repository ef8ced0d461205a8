package dev.penstock.avro;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.penstock.spi.format.NativeCodec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.xerial.snappy.Snappy;

/// How the blocks of a file are compressed.
enum Codec {
  /// Not compressed.
  NULL("null"),
  DEFLATE("deflate"),
  SNAPPY("snappy"),
  ZSTANDARD("zstandard"),
  BZIP2("bzip2"),
  XZ("xz");

  private static final int CRC_BYTES = 4;

  private static final int FIRST_BYTES_MIN = 4 << 10;
  private static final int FIRST_BYTES_MAX = 256 << 10;

  /// The most memory that decoding XZ may take. Level 9 needs 65 MiB.
  private static final int XZ_MEMORY_KIB = 66 << 10;

  private final String label;

  Codec(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /// Decompresses a block, in pieces.
  ///
  /// @return how many bytes of `to` they fill
  /// @throws dev.penstock.format.LibraryException if the codec's library cannot be loaded
  /// @throws CountedBytes.TooLongException if `to` may not have that many
  int decompress(byte[] packed, int length, CountedBytes to) throws IOException {
    return switch (this) {
      case NULL -> throw new IllegalStateException("Nothing to decompress.");
      case DEFLATE -> {
        Inflater inflater = new Inflater(true);
        try {
          yield all(in -> new InflaterInputStream(in, inflater, 8192), packed, length, to);
        } finally {
          inflater.end();
        }
      }
      case SNAPPY -> snappy(packed, length, to);
      case ZSTANDARD -> {
        NativeCodec.ZSTD.require();
        yield all(ZstdInputStreamNoFinalizer::new, packed, length, to);
      }
      case BZIP2 -> all(BZip2CompressorInputStream::new, packed, length, to);
      case XZ -> all(Codec::xz, packed, length, to);
    };
  }

  private static InputStream xz(InputStream packed) throws IOException {
    return XZCompressorInputStream.builder()
        .setInputStream(packed)
        .setMemoryLimitKiB(XZ_MEMORY_KIB)
        .get();
  }

  /// Makes a decompressor, or takes a step with it. Some libraries throw any exception.
  private interface Step<A, B> {
    B take(A from) throws IOException;
  }

  private static <A, B> B step(Step<A, B> step, A from) throws IOException {
    try {
      return step.take(from);
    } catch (RuntimeException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static int all(
      Step<InputStream, InputStream> opening, byte[] packed, int length, CountedBytes to)
      throws IOException {
    int first = Math.clamp(3L * length, FIRST_BYTES_MIN, FIRST_BYTES_MAX);
    byte[] bytes = to.room(Math.min(first, to.most()), 0);
    try (InputStream stream = step(opening, new ByteArrayInputStream(packed, 0, length))) {
      int count = 0;
      while (true) {
        if (count == bytes.length) {
          int next = step(InputStream::read, stream);
          if (next < 0) {
            return count;
          }
          bytes = to.room(count + 1, count);
          bytes[count++] = (byte) next;
        }
        byte[] target = bytes;
        int from = count;
        int read = step(in -> in.read(target, from, target.length - from), stream);
        if (read < 0) {
          return count;
        }
        count += read;
      }
    }
  }

  /// The checksum of the decompressed bytes follows the compressed ones. A block cannot be read in
  /// pieces, but its stated length is at most what the bytes can hold.
  private static int snappy(byte[] packed, int length, CountedBytes to) throws IOException {
    NativeCodec.SNAPPY.require();
    int size = length - CRC_BYTES;
    if (size < 1) {
      throw new IOException("its " + length + " bytes have no checksum");
    }
    int stated = step(bytes -> Snappy.uncompressedLength(bytes, 0, size), packed);
    if (stated < 0 || stated > 32L * size + 64) {
      throw new IOException("its " + size + " bytes cannot be " + stated + " decompressed");
    }
    byte[] bytes = to.room(stated, 0);
    int count = step(from -> Snappy.uncompress(from, 0, size, bytes, 0), packed);
    if (count != stated) {
      throw new IOException("its bytes are " + count + " decompressed but should be " + stated);
    }
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, stated);
    int expected = 0;
    for (int i = 0; i < CRC_BYTES; i++) {
      expected = expected << 8 | (packed[size + i] & 0xff);
    }
    if ((int) crc.getValue() != expected) {
      throw new IOException("its checksum (CRC) is wrong");
    }
    return stated;
  }
}
