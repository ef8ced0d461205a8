package dev.penstock.internal.hash;

/// The hash xxHash32 with seed 0, of bytes passed in pieces: the checksum of LZ4 frames.
///
/// None of our libraries offers it alone; it is short and will never change.
public final class XxHash32 {
  private static final int PRIME_1 = 0x9E3779B1;
  private static final int PRIME_2 = 0x85EBCA77;
  private static final int PRIME_3 = 0xC2B2AE3D;
  private static final int PRIME_4 = 0x27D4EB2F;
  private static final int PRIME_5 = 0x165667B1;
  private static final int STRIPE_BYTES = 16;

  private final byte[] stripe = new byte[STRIPE_BYTES];
  private final int[] lanes = new int[4];
  private int kept; // bytes of the incomplete stripe
  private long length;

  public XxHash32() {
    reset();
  }

  /// Starts again without bytes.
  public void reset() {
    lanes[0] = 0x24234428; // PRIME_1 + PRIME_2
    lanes[1] = PRIME_2;
    lanes[2] = 0;
    lanes[3] = -PRIME_1;
    kept = 0;
    length = 0;
  }

  /// Adds the next bytes, `[start, start + count)`.
  public void update(byte[] bytes, int start, int count) {
    length += count;
    int at = start;
    int end = start + count;
    while (at < end) {
      if (kept == 0 && end - at >= STRIPE_BYTES) {
        take(bytes, at);
        at += STRIPE_BYTES;
        continue;
      }
      int part = Math.min(end - at, STRIPE_BYTES - kept);
      System.arraycopy(bytes, at, stripe, kept, part);
      at += part;
      kept += part;
      if (kept == STRIPE_BYTES) {
        take(stripe, 0);
        kept = 0;
      }
    }
  }

  private void take(byte[] bytes, int at) {
    for (int i = 0; i < 4; i++) {
      int lane = lanes[i] + number(bytes, at + 4 * i) * PRIME_2;
      lanes[i] = Integer.rotateLeft(lane, 13) * PRIME_1;
    }
  }

  /// Returns the hash of all bytes added.
  public int value() {
    int hash =
        length < STRIPE_BYTES
            ? PRIME_5
            : Integer.rotateLeft(lanes[0], 1)
                + Integer.rotateLeft(lanes[1], 7)
                + Integer.rotateLeft(lanes[2], 12)
                + Integer.rotateLeft(lanes[3], 18);
    hash += (int) length;
    int at = 0;
    for (; at <= kept - 4; at += 4) {
      hash = Integer.rotateLeft(hash + number(stripe, at) * PRIME_3, 17) * PRIME_4;
    }
    for (; at < kept; at++) {
      hash = Integer.rotateLeft(hash + (stripe[at] & 0xff) * PRIME_5, 11) * PRIME_1;
    }
    hash = (hash ^ hash >>> 15) * PRIME_2;
    hash = (hash ^ hash >>> 13) * PRIME_3;
    return hash ^ hash >>> 16;
  }

  private static int number(byte[] bytes, int at) {
    return (bytes[at] & 0xff)
        | (bytes[at + 1] & 0xff) << 8
        | (bytes[at + 2] & 0xff) << 16
        | (bytes[at + 3] & 0xff) << 24;
  }
}
