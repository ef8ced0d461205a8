package dev.penstock.avro;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.penstock.spi.format.NativeCodec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
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

  /// The most decompressed bytes of a block.
  static final int BLOCK_BYTES_MAX = 1 << 30;

  private static final int CRC_BYTES = 4;

  private final String label;

  Codec(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /// Decompresses a block.
  ///
  /// @param packed the bytes, `length` of them
  /// @return the contents, all of the array
  /// @throws dev.penstock.format.LibraryException if the codec's library cannot be loaded
  /// @throws IOException if the bytes are corrupt, or decompress to too many
  byte[] decompress(byte[] packed, int length) throws IOException {
    return switch (this) {
      case NULL -> Arrays.copyOf(packed, length);
      case DEFLATE -> {
        Inflater inflater = new Inflater(true);
        try {
          yield all(new InflaterInputStream(stream(packed, length), inflater, 8192), length);
        } finally {
          inflater.end();
        }
      }
      case SNAPPY -> snappy(packed, length);
      case ZSTANDARD -> {
        NativeCodec.ZSTD.require();
        yield all(new ZstdInputStreamNoFinalizer(stream(packed, length)), length);
      }
      case BZIP2 -> all(new BZip2CompressorInputStream(stream(packed, length)), length);
      case XZ -> all(new XZCompressorInputStream(stream(packed, length)), length);
    };
  }

  private static InputStream stream(byte[] packed, int length) {
    return new ByteArrayInputStream(packed, 0, length);
  }

  private static byte[] all(InputStream stream, int packed) throws IOException {
    try (stream) {
      byte[] bytes = new byte[Math.max(1 << 12, Math.min(BLOCK_BYTES_MAX / 4, packed) * 3)];
      int count = 0;
      while (true) {
        int read = stream.read(bytes, count, bytes.length - count);
        if (read < 0) {
          return Arrays.copyOf(bytes, count);
        }
        count += read;
        if (count == bytes.length) {
          if (count >= BLOCK_BYTES_MAX) {
            throw new IOException("it has more than " + BLOCK_BYTES_MAX + " bytes decompressed");
          }
          bytes = Arrays.copyOf(bytes, Math.min(BLOCK_BYTES_MAX, 2 * count));
        }
      }
    }
  }

  /// The checksum of the decompressed bytes follows the compressed ones.
  private static byte[] snappy(byte[] packed, int length) throws IOException {
    NativeCodec.SNAPPY.require();
    int size = length - CRC_BYTES;
    if (size < 1) {
      throw new IOException("its " + length + " bytes have no checksum");
    }
    int stated = Snappy.uncompressedLength(packed, 0, size);
    if (stated < 0 || stated > BLOCK_BYTES_MAX || stated > 32L * size + 64) {
      throw new IOException("its " + size + " bytes cannot be " + stated + " decompressed");
    }
    byte[] bytes = new byte[stated];
    Snappy.uncompress(packed, 0, size, bytes, 0);
    CRC32 crc = new CRC32();
    crc.update(bytes);
    int expected = 0;
    for (int i = 0; i < CRC_BYTES; i++) {
      expected = expected << 8 | (packed[size + i] & 0xff);
    }
    if ((int) crc.getValue() != expected) {
      throw new IOException("its checksum (CRC) is wrong");
    }
    return bytes;
  }
}
