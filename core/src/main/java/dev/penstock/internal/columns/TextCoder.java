package dev.penstock.internal.columns;

import static dev.penstock.internal.memory.Raw.BYTE;
import static dev.penstock.internal.memory.Raw.INT;
import static dev.penstock.internal.memory.Raw.LONG;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.internal.boxing.ObjectMaker;
import dev.penstock.internal.columns.TensorForm.ElementWriter;
import dev.penstock.internal.columns.TensorForm.ElementWriter.UnfitElementException;
import dev.penstock.internal.hash.XxHash64;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Maps texts to numbers. Immutable; all workers share one.
interface TextCoder {
  int UNKNOWN = -1;

  /// Returns the number of a text in UTF-8: 0 or more, or [#UNKNOWN].
  int code(MemorySegment bytes, long start, int length);

  /// Returns the number of a text under an encoding; empty if the vocabulary does not have it.
  static OptionalInt code(String text, StringEncoding encoding) {
    return switch (encoding) {
      case StringEncoding.Codes codes -> {
        OptionalInt known = codes.vocabulary().orElseThrow().code(text);
        yield known.isPresent() ? known : codes.unknown();
      }
      case StringEncoding.Hash(int buckets) -> {
        MemorySegment bytes = MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
        yield OptionalInt.of(buckets(buckets).code(bytes, 0, (int) bytes.byteSize()));
      }
      case StringEncoding.Listed _ -> OptionalInt.empty();
    };
  }

  static TextCoder places(Vocabulary vocabulary) {
    return new CodeTable(vocabulary.texts());
  }

  static TextCoder buckets(int count) {
    // Floor(2^64 / count) or one less: the quotient computed with it is at most two too small.
    long inverse = Long.divideUnsigned(-1, count);
    return (bytes, start, length) -> {
      long hash = XxHash64.hash(bytes, start, length);
      long rest = hash - Math.unsignedMultiplyHigh(hash, inverse) * count;
      rest -= rest >= count ? count : 0;
      return (int) (rest >= count ? rest - count : rest);
    };
  }

  /// The place of each text of a list, looked up by its bytes in UTF-8 without making a string.
  final class CodeTable implements TextCoder {
    /* A table with open addressing, at most half full: a hash chooses the first slot, the next ones
     * follow until one is empty. The key of a slot is the text's length and two words. Up to 16
     * bytes they are the whole text, the second word overlapping the first, so nothing else is
     * compared; for longer texts the first word is a hash of all bytes, and the bytes are compared
     * as well. */

    private static final int KEY_BYTES_MAX = 16;

    // Odd, with well-spread bits, as in xxHash64.
    private static final long SPREAD_1 = 0x9E3779B185EBCA87L;
    private static final long SPREAD_2 = 0xC2B2AE3D27D4EB4FL;

    /// All texts, concatenated; off-heap, like the texts to look up.
    private final MemorySegment bytes;

    private final int[] starts;
    private final long[] words; // two per slot
    private final int[] places; // plus one; 0 in an empty slot
    private final int mask;

    CodeTable(List<String> texts) {
      byte[][] encoded = new byte[texts.size()][];
      starts = new int[texts.size() + 1];
      for (int i = 0; i < encoded.length; i++) {
        encoded[i] = texts.get(i).getBytes(StandardCharsets.UTF_8);
        starts[i + 1] = Math.addExact(starts[i], encoded[i].length);
      }
      bytes = Arena.ofAuto().allocate(Math.max(1, starts[encoded.length]));
      int slots = Integer.highestOneBit(Math.max(1, encoded.length)) * 4;
      mask = slots - 1;
      words = new long[slots * 2];
      places = new int[slots];
      for (int i = 0; i < encoded.length; i++) {
        MemorySegment.copy(encoded[i], 0, bytes, BYTE, starts[i], encoded[i].length);
        add(i);
      }
    }

    private void add(int place) {
      int start = starts[place];
      int length = starts[place + 1] - start;
      long first = first(bytes, start, length);
      long last = last(bytes, start, length);
      int slot = slot(first, last, length);
      while (places[slot] != 0) {
        slot = slot + 1 & mask;
      }
      words[2 * slot] = first;
      words[2 * slot + 1] = last;
      places[slot] = place + 1;
    }

    @Override
    public int code(MemorySegment source, long start, int length) {
      long first = first(source, start, length);
      long last = last(source, start, length);
      for (int slot = slot(first, last, length); places[slot] != 0; slot = slot + 1 & mask) {
        int place = places[slot] - 1;
        if (words[2 * slot] == first
            && words[2 * slot + 1] == last
            && starts[place + 1] - starts[place] == length
            && (length <= KEY_BYTES_MAX || isAt(starts[place], source, start, length))) {
          return place;
        }
      }
      return UNKNOWN;
    }

    private int slot(long first, long last, int length) {
      long hash = (first * SPREAD_1 ^ Long.rotateLeft(last * SPREAD_2, 32)) + length;
      hash = (hash ^ hash >>> 32) * SPREAD_1;
      return (int) (hash >>> 32) & mask;
    }

    private static long first(MemorySegment source, long start, int length) {
      if (length > KEY_BYTES_MAX) {
        return hash(source, start, length);
      }
      if (length >= 8) {
        return source.get(LONG, start);
      }
      if (length >= 4) {
        return source.get(INT, start);
      }
      // The first, the middle and the last of up to three bytes.
      return length == 0
          ? 0
          : (source.get(BYTE, start) & 0xFF)
              | (source.get(BYTE, start + (length >>> 1)) & 0xFF) << 8
              | (source.get(BYTE, start + length - 1) & 0xFF) << 16;
    }

    private static long last(MemorySegment source, long start, int length) {
      if (length >= 8) {
        return source.get(LONG, start + length - 8);
      }
      return length >= 4 ? source.get(INT, start + length - 4) : 0;
    }

    /// Mixes all bytes except the last 1 to 8.
    private static long hash(MemorySegment source, long start, int length) {
      long hash = length;
      for (int i = 0; i < length - 8; i += 8) {
        hash = Long.rotateLeft(hash + source.get(LONG, start + i) * SPREAD_2, 31) * SPREAD_1;
      }
      return hash;
    }

    /// Returns whether a text of more than 8 bytes, the last 8 of which match, is at a place.
    private boolean isAt(long place, MemorySegment source, long start, int length) {
      return MemorySegment.mismatch(
              bytes, place, place + length - 8, source, start, start + length - 8)
          < 0;
    }
  }

  /// Writes strings as numbers.
  ///
  /// The entries of a dictionary are coded once, when the dictionary is new; each of its rows then
  /// takes one look-up. Other strings are looked up by their bytes.
  final class TextCodeWriter implements ElementWriter {
    private static final int SHOWN_MAX = 100;

    private final TextCoder coder;
    private final OptionalInt unknown;
    private final String missing;
    private @Nullable TextDictionary dictionary;
    private int[] entries = {};

    /// @param unknown the number of a text that the coder does not know; if absent, it is an error
    /// @param missing the message of that error, after the text
    TextCodeWriter(TextCoder coder, OptionalInt unknown, String missing) {
      this.coder = coder;
      this.unknown = unknown;
      this.missing = missing;
    }

    @Override
    public void write(ColumnSlice slice, int from, int count, MemorySegment elements, long to)
        throws UnfitElementException {
      int any =
          slice.codes() != null
              ? coded(slice, from, count, elements, to)
              : plain(slice, from, count, elements, to);
      // A negative number is fine for a null, and for any row if it was chosen for unknown texts.
      if (any < 0 && unknown.isEmpty()) {
        requireKnown(slice, from, count, elements, to);
      }
    }

    /// Writes numbers; returns a negative number if any of them is negative.
    private int coded(ColumnSlice slice, int from, int count, MemorySegment elements, long to) {
      MemorySegment codes = Objects.requireNonNull(slice.codes());
      int[] numbers = entries(Objects.requireNonNull(slice.dictionary()));
      int any = 0;
      for (int i = 0; i < count; i++) {
        int number = numbers[codes.getAtIndex(INT, from + i)];
        any |= number;
        elements.setAtIndex(INT, to + i, number);
      }
      return any;
    }

    @SuppressWarnings("ReferenceEquality") // slices that share a dictionary share the instance
    private int[] entries(TextDictionary current) {
      if (current != dictionary) {
        // Nulls have code 0, also where the dictionary is empty.
        entries = new int[Math.max(1, current.size())];
        for (int i = 0; i < current.size(); i++) {
          entries[i] = number(current.values(), current.offsets(), i);
        }
        dictionary = current;
      }
      return entries;
    }

    private int plain(ColumnSlice slice, int from, int count, MemorySegment elements, long to) {
      MemorySegment validity = slice.validity();
      MemorySegment offsets = Objects.requireNonNull(slice.offsets());
      int any = 0;
      for (int i = 0; i < count; i++) {
        int row = from + i;
        boolean present = ObjectMaker.isPresent(validity, row);
        int number = present ? number(slice.values(), offsets, row) : 0;
        any |= number;
        elements.setAtIndex(INT, to + i, number);
      }
      return any;
    }

    private int number(MemorySegment values, MemorySegment offsets, int index) {
      int start = offsets.getAtIndex(INT, index);
      int length = offsets.getAtIndex(INT, index + 1L) - start;
      int code = coder.code(values, start, length);
      return code == TextCoder.UNKNOWN ? unknown.orElse(code) : code;
    }

    private void requireKnown(
        ColumnSlice slice, int from, int count, MemorySegment elements, long to)
        throws UnfitElementException {
      for (int i = 0; i < count; i++) {
        boolean known = elements.getAtIndex(INT, to + i) >= 0;
        if (!known && ObjectMaker.isPresent(slice.validity(), from + i)) {
          throw new UnfitElementException(
              from + i,
              "'" + text(slice, from + i) + "', " + missing,
              Advice.of(
                  "Add it, or choose a code for such values, as in %s.",
                  Remedy.of(
                      "strings",
                      "COLUMN=unknown:-1",
                      "StringEncoding.codes(vocabulary).unknown(-1)")));
        }
      }
    }

    private static String text(ColumnSlice slice, int row) {
      int index = row;
      MemorySegment offsets = slice.offsets();
      if (slice.codes() != null && slice.dictionary() != null) {
        index = slice.codes().getAtIndex(INT, row);
        offsets = slice.dictionary().offsets();
      }
      Objects.requireNonNull(offsets);
      int start = offsets.getAtIndex(INT, index);
      int length = offsets.getAtIndex(INT, index + 1L) - start;
      MemorySegment bytes = slice.values().asSlice(start, Math.min(length, SHOWN_MAX));
      String text = new String(bytes.toArray(BYTE), StandardCharsets.UTF_8);
      return length > SHOWN_MAX ? text + "..." : text;
    }
  }
}
