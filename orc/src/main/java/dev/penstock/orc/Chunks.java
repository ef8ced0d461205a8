package dev.penstock.orc;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.orc.CompressionCodec;
import org.apache.orc.CompressionKind;
import org.apache.orc.impl.OrcCodecPool;
import org.jspecify.annotations.Nullable;

/// Decompresses the chunks of streams (ORC specification, "Compression"): three bytes of length,
/// whose lowest bit marks an uncompressed chunk, and then that many bytes.
///
/// All streams of a reader share one: each copies a chunk's contents before the next chunk is read.
final class Chunks {
  private static final int HEADER_BYTES = 3;

  private final CompressionKind kind;
  private final int most;
  private @Nullable CompressionCodec codec;
  private byte[] packed = {};
  private byte[] bytes = {};

  /// @param most the most bytes of a chunk, compressed or not
  Chunks(CompressionKind kind, int most) {
    this.kind = kind;
    this.most = most;
  }

  /// Returns the decompressor of a file's streams, or null if they are not compressed.
  static @Nullable Chunks of(OrcMetadata metadata) {
    CompressionKind kind = metadata.tail().getCompressionKind();
    return kind == CompressionKind.NONE
        ? null
        : new Chunks(kind, metadata.tail().getCompressionBufferSize());
  }

  /// Reads the next chunk.
  ///
  /// @return how many bytes of [#bytes] it fills
  int read(StoredStream from) throws IOException {
    from.read(header, 0, HEADER_BYTES);
    int stated = (header[0] & 0xff) | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16;
    int length = stated >>> 1;
    if (length > most) {
      throw new IOException(
          "a chunk has " + length + " bytes but chunks have at most " + most + " in this file");
    }
    from.require(length);
    if ((stated & 1) != 0) {
      bytes = room(bytes, length);
      from.read(bytes, 0, length);
      return length;
    }
    packed = room(packed, length);
    from.read(packed, 0, length);
    bytes = room(bytes, most);
    ByteBuffer out = ByteBuffer.wrap(bytes, 0, most);
    try {
      codec().decompress(ByteBuffer.wrap(packed, 0, length), out);
    } catch (RuntimeException e) {
      throw new IOException("a chunk cannot be decompressed: " + e.getMessage(), e);
    }
    return out.limit();
  }

  private final byte[] header = new byte[HEADER_BYTES];

  /// Returns the array with the last chunk; bytes after the chunk are undefined.
  byte[] bytes() {
    return bytes;
  }

  private static byte[] room(byte[] has, int count) {
    return has.length >= count ? has : new byte[count];
  }

  private CompressionCodec codec() {
    CompressionCodec known = codec;
    if (known == null) {
      known = OrcCodecPool.getCodec(kind);
      codec = known;
    }
    return known;
  }

  void release() {
    CompressionCodec known = codec;
    if (known != null) {
      OrcCodecPool.returnCodec(kind, known);
      codec = null;
    }
    packed = new byte[0];
    bytes = new byte[0];
  }
}
