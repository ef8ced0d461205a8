package dev.penstock.internal.text;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/// Passes the frames of a zstd file on to the decoder, without skippable frames. It detects a
/// truncated file, which the decoder takes for the end of the data.
///
/// Looks at headers only. Zeros may follow the last frame.
final class ZstdFrames extends BlockStream {
  /// The default for the largest window of frames, as a power of two.
  static final int WINDOW_LOG_USUAL = 27;

  static final int WINDOW_LOG_MAX = 31; // the largest window of the format's reference decoder
  static final int WINDOW_LOG_MIN = 10;

  private static final int MAGIC = 0xfd2fb528;

  /// pzstd announces the length of a frame before it, in a skippable frame.
  private static final int ANNOUNCEMENT_MAGIC = 0x184d2a50;

  private static final int HEADER_BYTES_MAX = 18;
  private static final int CHECKSUM_BYTES = 4;
  private static final int ONE_BYTE_REPEATED = 1;

  private enum Next {
    FRAME,
    BLOCK,
    CHECKSUM
  }

  private final int windowLog;
  private final byte[] header = new byte[HEADER_BYTES_MAX];
  private int headerLength;
  private int headerAt;
  private long left; // bytes to pass on before the next header
  private Next next = Next.FRAME;
  private boolean checksum;
  private long frameBytes;
  private long announced; // length announced by the last skippable frame, or 0
  private boolean announces; // whether the file begins with an announcement and all were right
  private boolean any;
  private boolean ended;

  ZstdFrames(InputStream in, int windowLog) {
    super(in);
    this.windowLog = windowLog;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (headerAt == headerLength && left == 0) {
      if (ended || !advance()) {
        ended = true;
        return -1;
      }
    }
    int count;
    if (headerAt < headerLength) {
      count = Math.min(length, headerLength - headerAt);
      System.arraycopy(header, headerAt, target, offset, count);
      headerAt += count;
    } else {
      count = in.read(target, offset, (int) Math.min(length, left));
      if (count < 0) {
        throw cut();
      }
      left -= count;
    }
    frameBytes += count;
    return count;
  }

  /// Reads the next header; false at the end of the file.
  private boolean advance() throws IOException {
    headerAt = 0;
    headerLength = 0;
    return switch (next) {
      case FRAME -> frame();
      case BLOCK -> {
        take(3);
        int stated = Compression.littleEndian(header, 0) & 0xffffff;
        left = (stated >>> 1 & 3) == ONE_BYTE_REPEATED ? 1 : stated >>> 3;
        next = (stated & 1) == 0 ? Next.BLOCK : Next.CHECKSUM;
        yield true;
      }
      case CHECKSUM -> {
        left = checksum ? CHECKSUM_BYTES : 0;
        checksum = false;
        if (left == 0) {
          next = Next.FRAME;
          announces &= announced == 0 || announced == frameBytes;
          announced = 0;
        }
        yield true;
      }
    };
  }

  private boolean frame() throws IOException {
    int first = in.read();
    if (first <= 0) {
      if (announced > 0 && announces) {
        throw new EOFException("it ends before a frame that it announces");
      }
      Compression.requirePadding(first, in);
      return false;
    }
    header[0] = (byte) first;
    headerLength = 1;
    take(3);
    int magic = Compression.littleEndian(header, 0);
    if (Compression.isSkippable(magic)) {
      skip(magic);
      return true;
    }
    require(magic == MAGIC, "a frame is followed by neither another one nor zeros");
    frameBytes = 0;
    take(1);
    int flags = header[4] & 0xff;
    boolean single = (flags & 0x20) != 0;
    int dictionary = (1 << (flags & 3)) >> 1;
    int size = flags >>> 6 == 0 ? (single ? 1 : 0) : 1 << (flags >>> 6);
    checksum = (flags & 4) != 0;
    take((single ? 0 : 1) + dictionary + size);
    requireWindow(single ? contentSize(5 + dictionary, size) : window(header[5] & 0xff));
    next = Next.BLOCK;
    any = true;
    return true;
  }

  private void skip(int magic) throws IOException {
    headerLength = 0;
    take(4);
    long size = Compression.littleEndian(header, 0) & 0xffffffffL;
    headerLength = 0;
    announced = 0;
    if (magic == ANNOUNCEMENT_MAGIC && size == 4) {
      take(4);
      announced = Compression.littleEndian(header, 0) & 0xffffffffL;
      announces |= !any;
      any = true;
      headerLength = 0;
      return;
    }
    any = true;
    pass(size);
  }

  private static long window(int descriptor) {
    long base = 1L << (10 + (descriptor >>> 3));
    return base + base / 8 * (descriptor & 7);
  }

  private long contentSize(int at, int bytes) {
    long size = bytes == 2 ? 256 : 0;
    for (int i = 0; i < bytes; i++) {
      size += (header[at + i] & 0xffL) << (8 * i);
    }
    return size;
  }

  private void requireWindow(long window) throws IOException {
    if (Long.compareUnsigned(window, 1L << windowLog) <= 0) {
      return;
    }
    int needed = Long.SIZE - Long.numberOfLeadingZeros(window - 1);
    throw new Compression.UnsupportedException(
        Advice.of(
            "its window is %s bytes but at most %s are kept. %s",
            Long.toUnsignedString(window),
            1L << windowLog,
            needed <= WINDOW_LOG_MAX
                ? Advice.of(
                    "Set %s: each file that is being read then takes as much memory",
                    Remedy.formatOption("zstd-window-log", "to", String.valueOf(needed)))
                : "Compress the file with a smaller one"));
  }

  private void take(int count) throws IOException {
    take(header, headerLength, count);
    headerLength += count;
  }
}
