package dev.penstock.tokens;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A text that is tokenised in pieces, since the library takes memory for a text as a whole.
///
/// @param bytes its UTF-8
/// @param most the most bytes of a piece, at least 4
record LongText(MemorySegment bytes, int most) {
  /// Adds the ids of all pieces, with the special tokens of the first at the start and those of the
  /// last at the end.
  ///
  /// @param special whether to add special tokens
  /// @param room the most ids
  void addIds(RustTokenizer tokenizer, boolean special, int room, IdLists to) {
    int left = room;
    long start = 0;
    RustTokenizer.Ids ids;
    do {
      long stop = pieceEnd(start);
      ids = tokenizer.encodeMarked(text(start, stop), special);
      if (start == 0) {
        to.add(Arrays.copyOf(ids.all, ids.before));
        left -= ids.before + ids.after;
      }
      int count = Math.min(left, ids.all.length - ids.before - ids.after);
      to.add(Arrays.copyOfRange(ids.all, ids.before, ids.before + count));
      left -= count;
      start = stop;
    } while (start < bytes.byteSize() && left > 0);
    to.add(Arrays.copyOfRange(ids.all, ids.all.length - ids.after, ids.all.length));
  }

  private String text(long start, long stop) {
    return new String(
        bytes.asSlice(start, stop - start).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
  }

  /// Returns where the piece ends that starts there.
  long pieceEnd(long start) {
    long stop = start + most;
    if (stop >= bytes.byteSize()) {
      return bytes.byteSize();
    }
    for (long end = stop; end > start; end--) {
      if (at(end - 1) == '\n') {
        return end;
      }
    }
    for (long end = stop; end > start; end--) {
      if (isSpace(at(end))) {
        return end; // most tokenizers take a space with the word behind it
      }
    }
    for (long end = stop; end > stop - 4; end--) {
      if ((at(end) & 0xC0) != 0x80) {
        return end; // a character starts there
      }
    }
    return stop;
  }

  private byte at(long index) {
    return bytes.get(ValueLayout.JAVA_BYTE, index);
  }

  private static boolean isSpace(byte each) {
    return each == ' ' || each == '\t' || each == '\r' || each == '\f' || each == 0x0B;
  }
}
