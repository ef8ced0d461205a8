package dev.penstock.internal.parquet;

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
   * length says, so that is compared with the target first. */

  // The most that one compressed byte can become: a Snappy copy makes 64 bytes from 3; deflate
  // ends at 1032 to 1; a Zstandard block makes 128 KiB from 4 bytes.
  private static final int SNAPPY_RATIO_MAX = 22;
  private static final int GZIP_RATIO_MAX = 1032;
  private static final int ZSTD_RATIO_MAX = 1 << 15;

  private static final int GZIP_MAGIC = 0x8b1f;
  private static final int GZIP_HEADER_BYTES = 10;
  private static final int GZIP_TRAILER_BYTES = 8;

  private @Nullable ZstdDecompressCtx zstd;
  private @Nullable Inflater inflater;

  /// Tells whether a page's stated size is one that its compressed bytes can have, so that nobody
  /// allocates for a claim. Looks into the bytes where the codec says its length there.
  void checkClaim(Codec codec, MemorySegment source, long targetBytes) throws PageException {
    long ratio =
        switch (codec) {
          case SNAPPY -> SNAPPY_RATIO_MAX;
          case GZIP -> GZIP_RATIO_MAX;
          case ZSTD -> ZSTD_RATIO_MAX;
          case UNCOMPRESSED, LZO, BROTLI, LZ4, LZ4_RAW -> 1;
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
    if (codec == Codec.SNAPPY) {
      checkSnappyLength(source, targetBytes);
    }
  }

  /// Decompresses `source` into `target`, which it must fill exactly.
  void decompress(Codec codec, MemorySegment source, MemorySegment target) throws IOException {
    long length =
        switch (codec) {
          case SNAPPY -> snappy(source, target);
          case GZIP -> gzip(source.asByteBuffer(), target.asByteBuffer());
          case ZSTD -> zstd(source.asByteBuffer(), target.asByteBuffer());
          case UNCOMPRESSED, LZO, BROTLI, LZ4, LZ4_RAW ->
              throw new IllegalStateException("Cannot decompress " + codec + ".");
        };
    if (length != target.byteSize()) {
      throw new PageException(
          "Corrupt Parquet page: it decompressed to "
              + length
              + " bytes but its header says "
              + target.byteSize()
              + ".");
    }
  }

  private static void checkSnappyLength(MemorySegment source, long expected) throws PageException {
    long length = 0;
    for (int i = 0; i < 5 && i < source.byteSize(); i++) {
      byte part = source.get(Raw.BYTE, i);
      length |= (part & 0x7fL) << (7 * i);
      if (part >= 0) {
        if (length != expected) {
          throw new PageException(
              "Corrupt Parquet page: its Snappy stream has "
                  + length
                  + " bytes but its header says "
                  + expected
                  + ".");
        }
        return;
      }
    }
    throw new PageException("Corrupt Parquet page: its Snappy stream has no length.");
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
