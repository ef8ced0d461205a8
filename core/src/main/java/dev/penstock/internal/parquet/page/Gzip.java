package dev.penstock.internal.parquet.page;

import dev.penstock.internal.parquet.footer.Codec;
import dev.penstock.internal.parquet.footer.PageException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/// Decompresses gzip with any number of members. Holds the decoder's native state.
final class Gzip implements AutoCloseable {
  private static final int MAGIC = 0x8b1f;
  private static final int HEADER_BYTES = 10;
  private static final int TRAILER_BYTES = 8;

  private final Inflater inflater = new Inflater(true);

  /// Inflates all members and returns the number of bytes.
  long decompress(ByteBuffer source, ByteBuffer target) throws PageException {
    source.order(ByteOrder.LITTLE_ENDIAN);
    try {
      do {
        header(source);
        member(source, target);
      } while (source.remaining() >= HEADER_BYTES + TRAILER_BYTES);
    } catch (DataFormatException e) {
      throw broken(e);
    }
    return target.position();
  }

  private void member(ByteBuffer source, ByteBuffer target)
      throws DataFormatException, PageException {
    int start = target.position();
    inflater.reset();
    inflater.setInput(source);
    while (!inflater.finished()) {
      if (inflater.inflate(target) == 0 && !inflater.finished()) {
        throw broken(null); // It needs more input or more room, and there is none.
      }
    }
    if (source.remaining() < TRAILER_BYTES) {
      throw broken(null);
    }
    CRC32 crc = new CRC32();
    crc.update(target.duplicate().limit(target.position()).position(start));
    if ((int) crc.getValue() != source.getInt() || target.position() - start != source.getInt()) {
      throw new PageException(
          "Corrupt Parquet page: the checksum (CRC) of its GZIP stream is wrong.");
    }
  }

  private static void header(ByteBuffer source) throws PageException {
    int start = source.position();
    if (source.remaining() < HEADER_BYTES
        || (source.getShort(start) & 0xffff) != MAGIC
        || source.get(start + 2) != 8) {
      throw broken(null);
    }
    int flags = source.get(start + 3);
    source.position(start + HEADER_BYTES);
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
      throw broken(null);
    }
    source.position(source.position() + bytes);
  }

  private static PageException broken(@Nullable Throwable cause) {
    return Decompressor.broken(Codec.GZIP, cause);
  }

  @Override
  public void close() {
    inflater.end();
  }
}
