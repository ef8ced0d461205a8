package dev.penstock.internal.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;
import org.xerial.snappy.Snappy;

/// Decompresses pages. Holds the codecs' native states, which are made when first needed.
final class Decompressor implements AutoCloseable {
  /* Safety: Zstandard and zlib are given both lengths. Snappy writes as much as the stream's own
   * length says, so that is compared with the target first. Brotli writes to an array. Classes of
   * the rarer codecs are loaded when first needed. */

  // The most that one compressed byte can become: a Snappy copy makes 64 bytes from 3; deflate
  // ends at 1032 to 1; a Zstandard block makes 128 KiB from 4 bytes; a byte of an LZ4 length is
  // 255 at most. Brotli has no such limit.
  private static final int SNAPPY_RATIO_MAX = 22;
  private static final int GZIP_RATIO_MAX = 1032;
  private static final int ZSTD_RATIO_MAX = 1 << 15;
  private static final int LZ4_RATIO_MAX = 255;

  private static final long ZSTD_LENGTH_UNKNOWN = -1;

  private static final int GZIP_MAGIC = 0x8b1f;
  private static final int GZIP_HEADER_BYTES = 10;
  private static final int GZIP_TRAILER_BYTES = 8;

  private @Nullable ZstdDecompressCtx zstd;
  private @Nullable Inflater inflater;

  /// Decompresses `source` into `target`, where it has to become exactly `bytes`. Returns the
  /// memory.
  MemorySegment decompress(Codec codec, MemorySegment source, Buffer target, long bytes)
      throws IOException {
    checkClaim(codec, source, bytes);
    long length;
    if (codec == Codec.BROTLI) {
      length = brotli(source, target, bytes);
    } else {
      length = decompress(codec, source, target.ensure(bytes).asSlice(0, bytes));
    }
    if (length < 0) {
      throw broken(codec, null);
    }
    if (length != bytes) {
      throw new PageException(
          "Corrupt Parquet page: it decompressed to "
              + length
              + " bytes but its header says "
              + bytes
              + ".");
    }
    return target.segment();
  }

  /// Tells whether a page's stated size is one that its compressed bytes can have, so that nobody
  /// allocates for a claim. Looks into the bytes where the codec says its length there.
  private static void checkClaim(Codec codec, MemorySegment source, long targetBytes)
      throws PageException {
    long ratio =
        switch (codec) {
          case SNAPPY -> SNAPPY_RATIO_MAX;
          case GZIP -> GZIP_RATIO_MAX;
          case ZSTD -> ZSTD_RATIO_MAX;
          case LZ4, LZ4_RAW -> LZ4_RATIO_MAX;
          case BROTLI -> Integer.MAX_VALUE;
          case UNCOMPRESSED, LZO -> 1;
        };
    if (targetBytes > 64 + source.byteSize() * ratio) {
      throw new PageException(
          "Corrupt Parquet page: it claims "
              + targetBytes
              + " bytes but its "
              + source.byteSize()
              + " bytes of "
              + codec
              + " cannot become as many.");
    }
    switch (codec) {
      case SNAPPY -> checkSnappyLength(source, targetBytes);
      case ZSTD -> checkZstdLength(source.asByteBuffer(), targetBytes);
      case UNCOMPRESSED, GZIP, LZO, BROTLI, LZ4, LZ4_RAW -> {}
    }
  }

  /// Returns how many bytes `source` became, or -1 if it is corrupt.
  private long decompress(Codec codec, MemorySegment source, MemorySegment target)
      throws IOException {
    return switch (codec) {
      case SNAPPY -> snappy(source, target);
      case GZIP -> gzip(source.asByteBuffer(), target.asByteBuffer());
      case ZSTD -> zstd(source.asByteBuffer(), target.asByteBuffer());
      case LZ4 -> Lz4.decompressFramedOrBare(source, target);
      case LZ4_RAW -> Lz4.decompress(source, target);
      case UNCOMPRESSED, LZO, BROTLI ->
          throw new IllegalStateException("Cannot decompress " + codec + ".");
    };
  }

  private static void checkSnappyLength(MemorySegment source, long expected) throws PageException {
    long length = 0;
    for (int i = 0; i < 5 && i < source.byteSize(); i++) {
      byte part = source.get(Raw.BYTE, i);
      length |= (part & 0x7fL) << (7 * i);
      if (part >= 0) {
        checkLength("Snappy stream has", length, expected);
        return;
      }
    }
    throw new PageException("Corrupt Parquet page: its Snappy stream has no length.");
  }

  /// Adds up what the frames say that they have; those that do not say are taken for their most.
  private static void checkZstdLength(ByteBuffer source, long expected) throws PageException {
    int size = source.limit();
    long most = 0;
    boolean stated = true;
    for (int at = 0; at < size; ) {
      long length = Zstd.getDirectByteBufferFrameContentSize(source, at, size - at);
      if (at == 0 && length == expected) {
        return; // One frame, as nearly always; another one behind it would not fit.
      }
      long bytes = Zstd.findDirectByteBufferFrameCompressedSize(source, at, size - at);
      if (length < ZSTD_LENGTH_UNKNOWN || bytes < 1 || Zstd.isError(bytes)) {
        throw broken(Codec.ZSTD, null);
      }
      if (length > expected) {
        checkLength("Zstandard frame has", length, expected);
      }
      stated &= length >= 0;
      most += length < 0 ? bytes * ZSTD_RATIO_MAX : length;
      at += (int) bytes;
    }
    if (stated || most < expected) {
      checkLength(
          stated ? "Zstandard frames have" : "Zstandard frames have at most", most, expected);
    }
  }

  private static void checkLength(String what, long length, long expected) throws PageException {
    if (length != expected) {
      throw new PageException(
          "Corrupt Parquet page: its "
              + what
              + " "
              + length
              + " bytes but its header says "
              + expected
              + ".");
    }
  }

  private static long brotli(MemorySegment source, Buffer target, long most) throws PageException {
    try {
      return Brotli.decompress(source, target, most);
    } catch (IOException | RuntimeException e) {
      throw broken(Codec.BROTLI, e);
    }
  }

  private static long snappy(MemorySegment source, MemorySegment target) throws IOException {
    try {
      return Snappy.rawUncompress(source.address(), source.byteSize(), target.address());
    } catch (IOException e) {
      throw broken(Codec.SNAPPY, e);
    }
  }

  private long zstd(ByteBuffer source, ByteBuffer target) throws PageException {
    if (zstd == null) {
      zstd = new ZstdDecompressCtx();
    }
    try {
      return zstd.decompress(target, source);
    } catch (ZstdException e) {
      throw broken(Codec.ZSTD, e);
    }
  }

  /// Inflates all members of a gzip stream.
  private long gzip(ByteBuffer source, ByteBuffer target) throws PageException {
    if (inflater == null) {
      inflater = new Inflater(true);
    }
    source.order(java.nio.ByteOrder.LITTLE_ENDIAN);
    try {
      do {
        gzipHeader(source);
        gzipMember(inflater, source, target);
      } while (source.remaining() >= GZIP_HEADER_BYTES + GZIP_TRAILER_BYTES);
    } catch (DataFormatException e) {
      throw broken(Codec.GZIP, e);
    }
    return target.position();
  }

  private static void gzipMember(Inflater inflater, ByteBuffer source, ByteBuffer target)
      throws DataFormatException, PageException {
    int start = target.position();
    inflater.reset();
    inflater.setInput(source);
    while (!inflater.finished()) {
      if (inflater.inflate(target) == 0 && !inflater.finished()) {
        throw broken(Codec.GZIP, null); // It wants more input or more room, and there is none.
      }
    }
    if (source.remaining() < GZIP_TRAILER_BYTES) {
      throw broken(Codec.GZIP, null);
    }
    CRC32 crc = new CRC32();
    crc.update(target.duplicate().limit(target.position()).position(start));
    if ((int) crc.getValue() != source.getInt() || target.position() - start != source.getInt()) {
      throw new PageException(
          "Corrupt Parquet page: the checksum (CRC) of its GZIP stream is wrong.");
    }
  }

  private static void gzipHeader(ByteBuffer source) throws PageException {
    int start = source.position();
    if (source.remaining() < GZIP_HEADER_BYTES
        || (source.getShort(start) & 0xffff) != GZIP_MAGIC
        || source.get(start + 2) != 8) {
      throw broken(Codec.GZIP, null);
    }
    int flags = source.get(start + 3);
    source.position(start + GZIP_HEADER_BYTES);
    if ((flags & 4) != 0) {
      skip(source, source.remaining() < 2 ? Integer.MAX_VALUE : source.getShort() & 0xffff);
    }
    for (int text = flags & 0x18; text != 0; text &= text - 1) { // name, then comment
      while (source.hasRemaining() && source.get() != 0) {}
    }
    if ((flags & 2) != 0) {
      skip(source, 2);
    }
  }

  private static void skip(ByteBuffer source, int bytes) throws PageException {
    if (source.remaining() < bytes) {
      throw broken(Codec.GZIP, null);
    }
    source.position(source.position() + bytes);
  }

  private static PageException broken(Codec codec, @Nullable Throwable cause) {
    return new PageException(
        "Corrupt Parquet page: it cannot be decompressed as " + codec + ".", cause);
  }

  @Override
  public void close() {
    if (zstd != null) {
      zstd.close();
      zstd = null;
    }
    if (inflater != null) {
      inflater.end();
      inflater = null;
    }
  }
}
