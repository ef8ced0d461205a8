package dev.penstock.internal.parquet.page;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.parquet.footer.Codec;
import dev.penstock.internal.parquet.footer.PageException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Decompresses Zstandard with any number of frames. Holds the decoder's native state.
final class Zstandard implements AutoCloseable {
  /* Memory: the lengths that frames state are added up and compared with the page's claim. Frames
   * can lie as well, and 4 bytes can really make 128 KiB; so if much is claimed for little input,
   * the target grows with the actual output. */
  private static final int BLOCK_RATIO_MAX = 1 << 15;
  private static final long LENGTH_UNKNOWN = -1;
  private static final long FIRST_BYTES = 16 << 20;
  private static final int USUAL_RATIO_MAX = 1000;

  private final ZstdDecompressCtx context = new ZstdDecompressCtx();

  /// Decompresses into `target`, growing it to at most `most` bytes, and returns the number of
  /// bytes, at most `most + 1`.
  long decompress(MemorySegment source, Buffer target, long most) throws PageException {
    ByteBuffer bytes = source.asByteBuffer();
    checkLength(bytes, most);
    try {
      if (most > FIRST_BYTES && most / USUAL_RATIO_MAX > source.byteSize()) {
        return stream(bytes, target, most);
      }
      return context.decompress(target.ensure(most).asSlice(0, most).asByteBuffer(), bytes);
    } catch (ZstdException e) {
      throw Decompressor.broken(Codec.ZSTD, e);
    }
  }

  private static void checkLength(ByteBuffer source, long expected) throws PageException {
    int size = source.limit();
    long most = 0;
    boolean stated = true;
    for (int at = 0; at < size; ) {
      long length = Zstd.getDirectByteBufferFrameContentSize(source, at, size - at);
      if (at == 0 && length == expected) {
        return; // One frame, as nearly always; another one after it would not fit.
      }
      long bytes = Zstd.findDirectByteBufferFrameCompressedSize(source, at, size - at);
      if (length < LENGTH_UNKNOWN || bytes < 1 || Zstd.isError(bytes)) {
        throw Decompressor.broken(Codec.ZSTD, null);
      }
      if (length > expected) {
        Decompressor.checkLength("Zstandard frame has", length, expected);
      }
      stated &= length >= 0;
      most += length < 0 ? bytes * BLOCK_RATIO_MAX : length;
      at += (int) bytes;
    }
    if (stated || most < expected) {
      String what = stated ? "Zstandard frames have" : "Zstandard frames have at most";
      Decompressor.checkLength(what, most, expected);
    }
  }

  private long stream(ByteBuffer source, Buffer target, long most) throws PageException {
    context.reset();
    MemorySegment room = target.ensure(FIRST_BYTES);
    long out = 0;
    boolean frameEnded = false;
    while (!frameEnded || source.hasRemaining()) {
      if (out == target.capacity() && out < most) {
        room = target.grow(Math.min(most, 4 * out), out);
      }
      // If there is no room left, one byte of padding shows whether the frame has more.
      long end = Math.min(target.capacity(), most) + (out == most ? 1 : 0);
      ByteBuffer part = room.asSlice(out, end - out).asByteBuffer();
      int before = source.remaining();
      frameEnded = context.decompressDirectByteBufferStream(part, source);
      out += part.position();
      if (out > most) {
        return out;
      }
      if (!frameEnded && part.position() == 0 && source.remaining() == before) {
        throw Decompressor.broken(Codec.ZSTD, null); // The frame is truncated.
      }
    }
    return out;
  }

  @Override
  public void close() {
    context.close();
  }
}
