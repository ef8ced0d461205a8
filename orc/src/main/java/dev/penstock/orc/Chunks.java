package dev.penstock.orc;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.apache.orc.CompressionCodec;
import org.apache.orc.CompressionKind;
import org.apache.orc.impl.OrcCodecPool;
import org.apache.orc.impl.ZstdCodec;
import org.jspecify.annotations.Nullable;

/// Decompresses the chunks of streams (ORC specification, "Compression"): three bytes of length,
/// whose lowest bit marks an uncompressed chunk, and then that many bytes.
///
/// All streams of a reader share one.
final class Chunks {
  private static final int HEADER_BYTES = 3;

  private final CompressionKind kind;
  private final int most;
  private final ScratchBuffer joined; // a compressed chunk whose bytes do not lie side by side
  private @Nullable CompressionCodec codec;
  private @Nullable ZstdDecompressCtx zstd;
  private byte[] packed = {};
  private byte[] bytes = {};

  /// @param most the most bytes of a chunk, compressed or not
  Chunks(CompressionKind kind, int most, ScratchMemory memory) {
    this.kind = kind;
    this.most = most;
    this.joined = new ScratchBuffer(memory);
  }

  /// Returns the decompressor of a file's streams, or null if they are not compressed.
  static @Nullable Chunks of(OrcMetadata metadata, ScratchMemory memory) {
    CompressionKind kind = metadata.tail().getCompressionKind();
    return kind == CompressionKind.NONE
        ? null
        : new Chunks(kind, metadata.tail().getCompressionBufferSize(), memory);
  }

  /// Reads the next chunk.
  ///
  /// @return its contents, in the memory of `to`
  MemorySegment read(StoredStream from, ScratchBuffer to) throws IOException {
    from.read(header, 0, HEADER_BYTES);
    int stated = (header[0] & 0xff) | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16;
    int length = stated >>> 1;
    if (length > most) {
      throw new IOException(
          "a chunk has " + length + " bytes but chunks have at most " + most + " in this file");
    }
    from.require(length);
    if ((stated & 1) != 0) {
      return from.read(to, length).asSlice(0, length);
    }
    return codec() instanceof ZstdCodec
        ? zstd(from.next(joined, length), to)
        : other(from, length, to);
  }

  private final byte[] header = new byte[HEADER_BYTES];

  /// ORC's own codec makes a context for each chunk.
  private MemorySegment zstd(MemorySegment source, ScratchBuffer to) throws IOException {
    ZstdDecompressCtx context = zstd;
    if (context == null) {
      context = new ZstdDecompressCtx();
      zstd = context;
    }
    ByteBuffer from = source.asByteBuffer();
    int length = from.limit();
    long stated = Zstd.getDirectByteBufferFrameContentSize(from, 0, length);
    boolean isOne = Zstd.findDirectByteBufferFrameCompressedSize(from, 0, length) == length;
    long room = isOne && stated >= 0 ? Math.min(stated, most) : most;
    MemorySegment target = to.ensure(room).asSlice(0, room);
    try {
      return target.asSlice(0, context.decompress(target.asByteBuffer(), from));
    } catch (ZstdException e) {
      throw broken(e);
    }
  }

  private MemorySegment other(StoredStream from, int length, ScratchBuffer to) throws IOException {
    packed = room(packed, length);
    from.read(packed, 0, length);
    bytes = room(bytes, most);
    ByteBuffer out = ByteBuffer.wrap(bytes, 0, most);
    try {
      codec().decompress(ByteBuffer.wrap(packed, 0, length), out);
    } catch (RuntimeException e) {
      throw broken(e);
    }
    MemorySegment target = to.ensure(out.limit()).asSlice(0, out.limit());
    MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, 0, out.limit());
    return target;
  }

  private static IOException broken(RuntimeException cause) {
    return new IOException("a chunk cannot be decompressed: " + cause.getMessage(), cause);
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
    ZstdDecompressCtx context = zstd;
    if (context != null) {
      context.close();
      zstd = null;
    }
    packed = new byte[0];
    bytes = new byte[0];
  }
}
