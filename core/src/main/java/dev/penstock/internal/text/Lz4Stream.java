package dev.penstock.internal.text;

import dev.penstock.internal.hash.XxHash32;
import dev.penstock.internal.lz4.Lz4;
import dev.penstock.internal.memory.Raw;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Decompresses a file of one or more LZ4 frames, and compares checksums and lengths.
///
/// Our own code, because lz4-java's stream refuses linked blocks, which Python's lz4 writes unless
/// it is told otherwise.
final class Lz4Stream extends BlockStream {
  /* Memory: a block and the 64 KiB before it, which later blocks may copy from. It is native, as
   * the decoder needs it, and freed by the garbage collector, so that it cannot be freed while
   * another thread reads. */
  private static final int MAGIC = 0x184d2204;
  private static final int PAST_BYTES = 64 << 10;
  private static final int INDEPENDENT = 0x20;
  private static final int BLOCK_CHECKSUM = 0x10;
  private static final int CONTENT_SIZE = 8;
  private static final int CONTENT_CHECKSUM = 4;
  private static final int DICTIONARY = 1;

  private final byte[] small = new byte[8];
  private final XxHash32 descriptor = new XxHash32();
  private final XxHash32 content = new XxHash32();
  private final XxHash32 blockHash = new XxHash32();
  private byte[] packed = {};
  private byte[] block = {};
  private MemorySegment source = MemorySegment.NULL;
  private MemorySegment window = MemorySegment.NULL;
  private int blockMax;
  private int past; // bytes before the block that it may copy from
  private int at;
  private int end;
  private int flags;
  private long stated = -1; // the frame's length according to its header, or -1
  private long frameBytes;
  private boolean inFrame;
  private boolean ended;

  Lz4Stream(InputStream in) {
    super(in);
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (at == end) {
      if (inFrame) {
        nextBlock();
      } else if (ended || !nextFrame()) {
        ended = true;
        return -1;
      }
    }
    int count = Math.min(length, end - at);
    System.arraycopy(block, at, target, offset, count);
    at += count;
    return count;
  }

  /// Reads the next header; false at the end of the file.
  private boolean nextFrame() throws IOException {
    while (true) {
      int first = in.read();
      if (first <= 0) {
        Compression.requirePadding(first, in);
        return false;
      }
      small[0] = (byte) first;
      take(small, 1, 3);
      int magic = Compression.littleEndian(small, 0);
      if (magic == MAGIC) {
        header();
        return true;
      }
      require(
          Compression.isSkippable(magic), "a frame is followed by neither another one nor zeros");
      long size = number() & 0xffffffffL;
      pass(size);
    }
  }

  private void header() throws IOException {
    descriptor.reset();
    describe(2);
    flags = small[0] & 0xff;
    int size = small[1] >>> 4 & 7;
    require(flags >>> 6 == 1 && size >= 4, "the header of a frame is wrong");
    if ((flags & DICTIONARY) != 0) {
      throw new Compression.UnsupportedException("it was compressed with a dictionary");
    }
    stated = -1;
    if ((flags & CONTENT_SIZE) != 0) {
      describe(8);
      stated =
          (Compression.littleEndian(small, 0) & 0xffffffffL)
              | (long) Compression.littleEndian(small, 4) << 32;
    }
    int expected = descriptor.value() >>> 8 & 0xff;
    take(small, 0, 1);
    require((small[0] & 0xff) == expected, "the checksum of a header is wrong");
    blockMax = 1 << (8 + 2 * size);
    if (packed.length < blockMax) {
      packed = new byte[blockMax];
      block = new byte[blockMax];
      source = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(blockMax));
      window = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(PAST_BYTES + blockMax));
    }
    past = 0;
    frameBytes = 0;
    content.reset();
    inFrame = true;
  }

  private void describe(int bytes) throws IOException {
    take(small, 0, bytes);
    descriptor.update(small, 0, bytes);
  }

  private void nextBlock() throws IOException {
    int length = number();
    if (length == 0) {
      endFrame();
      return;
    }
    boolean stored = length < 0;
    length &= Integer.MAX_VALUE;
    require(length <= blockMax, "a block is longer than it may be");
    take(packed, 0, length);
    if ((flags & BLOCK_CHECKSUM) != 0) {
      blockHash.reset();
      blockHash.update(packed, 0, length);
      requireChecksum(blockHash.value(), "block");
    }
    MemorySegment there = stored ? window : source;
    MemorySegment.copy(packed, 0, there, Raw.BYTE, stored ? PAST_BYTES : 0, length);
    at = 0;
    end = stored ? length : decompress(length);
    MemorySegment.copy(window, Raw.BYTE, PAST_BYTES, block, 0, end);
    content.update(block, 0, (flags & CONTENT_CHECKSUM) != 0 ? end : 0);
    frameBytes += end;
    if ((flags & INDEPENDENT) == 0) {
      past = Math.min(PAST_BYTES, past + end);
      MemorySegment.copy(window, end + PAST_BYTES - past, window, PAST_BYTES - past, past);
    }
  }

  private int decompress(int length) throws IOException {
    long bytes =
        Lz4.decompress(
            source.asSlice(0, length),
            window.asSlice(PAST_BYTES - past, past + (long) blockMax),
            past);
    require(bytes >= 0, "a block cannot be decompressed");
    return (int) bytes;
  }

  private void endFrame() throws IOException {
    inFrame = false;
    if ((flags & CONTENT_CHECKSUM) != 0) {
      requireChecksum(content.value(), "frame");
    }
    require(stated < 0 || stated == frameBytes, "the length of a frame is wrong");
  }

  private void requireChecksum(int found, String what) throws IOException {
    require(number() == found, "the checksum of a " + what + " is wrong");
  }

  private int number() throws IOException {
    take(small, 0, 4);
    return Compression.littleEndian(small, 0);
  }
}
