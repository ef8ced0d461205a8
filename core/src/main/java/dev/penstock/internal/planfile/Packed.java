package dev.penstock.internal.planfile;

import java.io.ByteArrayOutputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// The contents of a block as they are stored: deflated, in zlib's format.
final class Packed {
  /// Deflate makes at most this many bytes of one.
  private static final int RATIO_MAX = 1032;

  private Packed() {}

  static byte[] pack(byte[] raw) {
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    try {
      deflater.setInput(raw);
      deflater.finish();
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      byte[] part = new byte[1 << 16];
      while (!deflater.finished()) {
        packed.write(part, 0, deflater.deflate(part));
      }
      return packed.toByteArray();
    } finally {
      deflater.end();
    }
  }

  /// Returns the contents, or throws [IllegalArgumentException] with the reason why they are not of
  /// that length and checksum.
  static byte[] unpack(byte[] packed, long length, int checksum) {
    if (crc(packed) != checksum) {
      throw BlockReader.wrong("its checksum is %08x but expected %08x", crc(packed), checksum);
    }
    long most = Math.min(BlockWriter.BYTES_MAX, (long) packed.length * RATIO_MAX);
    BlockReader.require(length, most + 1, "its length");
    Inflater inflater = new Inflater();
    try {
      byte[] raw = new byte[(int) length];
      inflater.setInput(packed);
      int read = inflater.inflate(raw);
      int more = inflater.inflate(new byte[1]); // also reads the end
      if (read != length || more > 0 || !inflater.finished() || inflater.getRemaining() > 0) {
        throw BlockReader.wrong("it does not inflate to %s bytes", length);
      }
      return raw;
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("it cannot be inflated: " + e.getMessage(), e);
    } finally {
      inflater.end();
    }
  }

  static int crc(byte[] packed) {
    CRC32 crc = new CRC32();
    crc.update(packed);
    return (int) crc.getValue();
  }
}
