package dev.penstock.internal.planfile;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The last bytes of a plan file, which say where its index is.
///
/// @param offset where the index is
/// @param length its bytes in the file
/// @param raw its bytes when they are inflated
/// @param checksum the CRC-32 of its bytes in the file
record Trailer(long offset, int length, int raw, int checksum) {
  static final int BYTES = 32;
  private static final byte[] MAGIC = "PenPlan\n".getBytes(StandardCharsets.US_ASCII);

  byte[] bytes() {
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(offset)
        .putInt(length)
        .putInt(raw)
        .putInt(checksum)
        .putInt(PlanIndex.VERSION)
        .put(MAGIC)
        .array();
  }

  /// Reads the trailer at the end of a file's last bytes, or throws [IllegalArgumentException] with
  /// the reason why it is not one.
  ///
  /// @param size of the whole file
  static Trailer read(byte[] tail, long size) {
    if (tail.length < BYTES) {
      throw BlockReader.wrong("it has %s bytes but expected at least %s", size, BYTES);
    }
    ByteBuffer in =
        ByteBuffer.wrap(tail, tail.length - BYTES, BYTES).order(ByteOrder.LITTLE_ENDIAN);
    Trailer trailer = new Trailer(in.getLong(), in.getInt(), in.getInt(), in.getInt());
    int version = in.getInt();
    byte[] magic = new byte[MAGIC.length];
    in.get(magic);
    if (!Arrays.equals(magic, MAGIC)) {
      throw new IllegalArgumentException("it does not end as a plan does");
    }
    if (version != PlanIndex.VERSION) {
      throw BlockReader.wrong("it is of version %s but expected %s", version, PlanIndex.VERSION);
    }
    if (trailer.length < 0
        || trailer.offset < 0
        || trailer.offset != size - BYTES - trailer.length) {
      throw BlockReader.wrong(
          "its index is stated at [%s, %s) but expected to end at %s",
          trailer.offset, trailer.offset + trailer.length, size - BYTES);
    }
    return trailer;
  }
}
