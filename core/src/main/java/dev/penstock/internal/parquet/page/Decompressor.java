package dev.penstock.internal.parquet.page;

import dev.penstock.internal.clock.StageClock;
import dev.penstock.internal.lz4.Lz4;
import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.Codec;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.spi.format.NativeCodec;
import dev.penstock.stats.Stage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.xerial.snappy.Snappy;

/// Decompresses pages, and rejects claimed sizes that the codec cannot reach.
final class Decompressor implements AutoCloseable {
  /* Safety: Zstandard and zlib are given both lengths. Snappy writes as much as the stream's own
   * length says, so that length is compared with the target first. Brotli writes to an array; LZ4
   * is our own code. Codecs are loaded when first needed. */
  private @Nullable Zstandard zstd;
  private @Nullable Gzip gzip;

  /// Decompresses `source` into `target`, checks that the result has exactly `bytes` bytes, and
  /// returns the memory.
  MemorySegment decompress(Codec codec, MemorySegment source, Buffer target, long bytes)
      throws IOException {
    StageClock clock = StageClock.current();
    Stage before = clock.enter(Stage.DECOMPRESS);
    try {
      return decompressed(codec, source, target, bytes);
    } finally {
      clock.enter(before);
    }
  }

  private MemorySegment decompressed(Codec codec, MemorySegment source, Buffer target, long bytes)
      throws IOException {
    checkClaim(codec, source.byteSize(), bytes);
    long length =
        switch (codec) {
          case SNAPPY -> snappy(source, target, bytes);
          case GZIP -> gzip().decompress(source.asByteBuffer(), room(target, bytes).asByteBuffer());
          case ZSTD -> zstd().decompress(source, target, bytes);
          case BROTLI -> brotli(source, target, bytes);
          case LZ4 -> HadoopLz4.decompressFramedOrBare(source, room(target, bytes));
          case LZ4_RAW -> Lz4.decompress(source, room(target, bytes));
          case UNCOMPRESSED, LZO ->
              throw new IllegalStateException("Cannot decompress " + codec + ".");
        };
    if (length < 0) {
      throw broken(codec, null);
    }
    if (length != bytes) {
      throw PageException.of(
          "Corrupt Parquet page: it decompressed to %s bytes but its header says %s.",
          length, bytes);
    }
    return target.segment();
  }

  private static MemorySegment room(Buffer target, long bytes) {
    return target.ensure(bytes).asSlice(0, bytes);
  }

  /// Rejects sizes that the compressed bytes cannot reach, so that no memory is allocated for them.
  private static void checkClaim(Codec codec, long sourceBytes, long targetBytes)
      throws PageException {
    if (targetBytes > 64 + sourceBytes * codec.ratioMax()) {
      throw PageException.of(
          "Corrupt Parquet page: it claims %s bytes but its %s bytes of %s cannot become as many.",
          targetBytes, sourceBytes, codec);
    }
  }

  private static long snappy(MemorySegment source, Buffer target, long bytes) throws IOException {
    NativeCodec.SNAPPY.require();
    checkLength("Snappy stream has", snappyLength(source), bytes);
    try {
      MemorySegment room = room(target, bytes);
      return Snappy.rawUncompress(source.address(), source.byteSize(), room.address());
    } catch (IOException e) {
      throw broken(Codec.SNAPPY, e);
    }
  }

  private static long snappyLength(MemorySegment source) throws PageException {
    long length = 0;
    for (int i = 0; i < 5 && i < source.byteSize(); i++) {
      byte part = source.get(Raw.BYTE, i);
      length |= (part & 0x7fL) << (7 * i);
      if (part >= 0) {
        return length;
      }
    }
    throw new PageException("Corrupt Parquet page: its Snappy stream has no length.");
  }

  private Gzip gzip() {
    if (gzip == null) {
      gzip = new Gzip();
    }
    return gzip;
  }

  private Zstandard zstd() throws IOException {
    if (zstd == null) {
      NativeCodec.ZSTD.require();
      zstd = new Zstandard();
    }
    return zstd;
  }

  private static long brotli(MemorySegment source, Buffer target, long most) throws PageException {
    try {
      return Brotli.decompress(source, target, most);
    } catch (IOException e) {
      throw broken(Codec.BROTLI, e);
    }
  }

  /// Compares a length that a stream states with the page's.
  static void checkLength(String what, long length, long expected) throws PageException {
    if (length != expected) {
      throw PageException.of(
          "Corrupt Parquet page: its %s %s bytes but its header says %s.", what, length, expected);
    }
  }

  static PageException broken(Codec codec, @Nullable Throwable cause) {
    return new PageException(
        "Corrupt Parquet page: it cannot be decompressed as " + codec + ".", cause);
  }

  @Override
  public void close() {
    if (zstd != null) {
      zstd.close();
      zstd = null;
    }
    if (gzip != null) {
      gzip.close();
      gzip = null;
    }
  }
}
