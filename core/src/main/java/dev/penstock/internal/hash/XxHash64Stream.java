package dev.penstock.internal.hash;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The hash of a text that comes in pieces and is too long to be kept: [XxHash64] of all of it.
///
/// **Threads.** One at a time.
public final class XxHash64Stream {
  private static final int BUFFER_BYTES = 4_096; // a multiple of a stripe

  private final long[] lanes = XxHash64.lanes();
  private byte[] buffer = new byte[BUFFER_BYTES];
  private int buffered;
  private long total;

  /// Adds a piece of text, hashed as UTF-8.
  public void add(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (buffered + bytes.length > buffer.length) {
      int striped = XxHash64.stripes(lanes, MemorySegment.ofArray(buffer), 0, buffered);
      int left = buffered - striped;
      byte[] next = new byte[Math.max(BUFFER_BYTES, left + bytes.length)];
      System.arraycopy(buffer, striped, next, 0, left);
      buffer = next;
      buffered = left;
    }
    System.arraycopy(bytes, 0, buffer, buffered, bytes.length);
    buffered += bytes.length;
    total += bytes.length;
  }

  /// Returns the hash of what was added. Nothing can be added after it.
  public long hash() {
    MemorySegment rest = MemorySegment.ofArray(Arrays.copyOf(buffer, buffered));
    int striped = XxHash64.stripes(lanes, rest, 0, buffered);
    return XxHash64.finished(lanes, total, rest, striped, buffered - striped);
  }
}
