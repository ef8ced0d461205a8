package dev.penstock.internal.lz4;

import dev.penstock.internal.memory.Raw;
import java.lang.foreign.MemorySegment;

/// Decompresses LZ4 blocks.
///
/// Our own code, because libraries decompress a block by itself only. Blocks of a frame may be
/// linked: they copy from those before.
///
/// A block is a list of sequences: a token with two lengths, literal bytes, and the distance of the
/// match that follows them. The last sequence ends with its literals.
public final class Lz4 {
  /* Safety: source and target are checked as a whole; every length is compared with the rest of
   * them before it is used. Whole words are copied only if a word fits. Nothing after `out` is
   * read, and a match starts in bytes already written.
   *
   * Speed: most sequences are short ones far from both ends. Their literals and their match are
   * copied as words, whatever their lengths. */
  private static final int MATCH_MIN = 4;
  private static final long SHORT_LITERALS = 16;
  private static final long SHORT_MATCH = 18;
  private static final int LONG_LENGTH = 15;
  private static final long WRONG = -1;

  private Lz4() {}

  /// Decompresses a block, of native memory as the target, and returns the bytes written, or -1 if
  /// the block is corrupt or does not fit.
  public static long decompress(MemorySegment source, MemorySegment target) {
    return decompress(source, target, 0);
  }

  /// Decompresses a block that may copy from earlier output: the first `past` bytes of the target,
  /// after which it is written. Else as above.
  public static long decompress(MemorySegment source, MemorySegment target, long past) {
    long in = Raw.address(source, 0, source.byteSize());
    final long inEnd = in + source.byteSize();
    final long start = Raw.address(target, 0, target.byteSize());
    final long outEnd = start + target.byteSize();
    final long first = start + past;
    long out = first;
    while (in < inEnd) {
      long token = Raw.ALL.get(Raw.BYTE, in++) & 0xff;
      long literals = token >>> 4;
      long length = token & 0xf;
      if (literals < LONG_LENGTH
          && inEnd - in > SHORT_LITERALS + 2
          && outEnd - out >= SHORT_LITERALS + SHORT_MATCH) {
        Raw.ALL.set(Raw.LONG, out, Raw.ALL.get(Raw.LONG, in));
        Raw.ALL.set(Raw.LONG, out + 8, Raw.ALL.get(Raw.LONG, in + 8));
        in += literals;
        out += literals;
        literals = 0;
        long distance = Raw.ALL.get(Raw.SHORT, in) & 0xffff;
        if (length < LONG_LENGTH && distance >= 8 && distance <= out - start) {
          in += 2;
          long from = out - distance;
          Raw.ALL.set(Raw.LONG, out, Raw.ALL.get(Raw.LONG, from));
          Raw.ALL.set(Raw.LONG, out + 8, Raw.ALL.get(Raw.LONG, from + 8));
          Raw.ALL.set(Raw.SHORT, out + 16, Raw.ALL.get(Raw.SHORT, from + 16));
          out += MATCH_MIN + length;
          continue;
        }
      }
      if (literals == LONG_LENGTH) {
        int part = 255;
        while (part == 255 && in < inEnd) {
          part = Raw.ALL.get(Raw.BYTE, in++) & 0xff;
          literals += part;
        }
      }
      if (literals > inEnd - in || literals > outEnd - out) {
        return WRONG;
      }
      Raw.copy(in, out, literals);
      in += literals;
      out += literals;
      if (in == inEnd) {
        return out - first;
      }
      if (inEnd - in < 2) {
        return WRONG;
      }
      long distance = Raw.ALL.get(Raw.SHORT, in) & 0xffff;
      in += 2;
      if (length == LONG_LENGTH) {
        int part = 255;
        while (part == 255 && in < inEnd) {
          part = Raw.ALL.get(Raw.BYTE, in++) & 0xff;
          length += part;
        }
      }
      length += MATCH_MIN;
      if (distance == 0 || distance > out - start || length > outEnd - out) {
        return WRONG;
      }
      match(out, distance, length, outEnd);
      out += length;
    }
    return WRONG; // It ends with a match, or is empty.
  }

  /// Copies `length` bytes from `distance` bytes before `out`. If the distance is less than the
  /// length, copied bytes are copied again.
  private static void match(long out, long distance, long length, long outEnd) {
    long end = out + length;
    long from = out - distance;
    if (distance < 8) {
      // First repeats the pattern to at least 8 bytes; then whole words can be copied.
      long repeated = (7 + distance) / distance * distance;
      long head = Math.min(end, from + repeated);
      for (; out < head; out++, from++) {
        Raw.ALL.set(Raw.BYTE, out, Raw.ALL.get(Raw.BYTE, from));
      }
      from = out - repeated;
    }
    for (; out < end && outEnd - out >= 8; out += 8, from += 8) {
      Raw.ALL.set(Raw.LONG, out, Raw.ALL.get(Raw.LONG, from));
    }
    for (; out < end; out++, from++) {
      Raw.ALL.set(Raw.BYTE, out, Raw.ALL.get(Raw.BYTE, from));
    }
  }
}
