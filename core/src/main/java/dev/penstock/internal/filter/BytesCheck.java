package dev.penstock.internal.filter;

import dev.penstock.filter.Filter;
import dev.penstock.filter.Operator;
import dev.penstock.internal.filter.Condition.Test;
import dev.penstock.internal.memory.Raw;
import dev.penstock.spi.format.ByteString;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

sealed interface BytesCheck {
  /// Tests the bytes `[from, to)`.
  boolean test(MemorySegment bytes, long from, long to);

  static BytesCheck of(Test test) {
    return switch (test) {
      case Test.Compare(Operator operator, Comparable<?> value) ->
          new Compare(operator, new KnownBytes((ByteString) value));
      case Test.OneOf(List<Comparable<?>> values) ->
          new OneOf(
              values.stream()
                  .map(value -> new KnownBytes((ByteString) value))
                  .toArray(KnownBytes[]::new));
      case Test.StartsWith(ByteString prefix) -> new StartsWith(new KnownBytes(prefix));
      case Test.Matches(List<Integer> parts) ->
          new Matches(parts.stream().mapToInt(Integer::intValue).toArray());
      default -> throw new IllegalArgumentException("Cannot test bytes: " + test);
    };
  }

  /// Bytes of a condition, available as words of eight, so that a comparison allocates nothing.
  final class KnownBytes {
    private static final ValueLayout.OfLong BIG_ENDIAN = Raw.LONG.withOrder(ByteOrder.BIG_ENDIAN);

    private final byte[] bytes;
    private final long[] words;

    KnownBytes(ByteString value) {
      bytes = value.toByteArray();
      words = new long[bytes.length >> 3];
      ByteBuffer.wrap(bytes).asLongBuffer().get(words);
    }

    int length() {
      return bytes.length;
    }

    /// Compares the first `length` bytes from `from` with the first of these, as unsigned numbers.
    int order(MemorySegment others, long from, int length) {
      int i = 0;
      for (; i + 8 <= length; i += 8) {
        long other = others.get(BIG_ENDIAN, from + i);
        if (other != words[i >> 3]) {
          return Long.compareUnsigned(other, words[i >> 3]);
        }
      }
      for (; i < length; i++) {
        int order = (others.get(Raw.BYTE, from + i) & 0xff) - (bytes[i] & 0xff);
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }

    boolean startOf(MemorySegment others, long from) {
      return order(others, from, bytes.length) == 0;
    }
  }

  /// Compares with other bytes; if one is a prefix of the other, the shorter comes first.
  record Compare(Operator operator, KnownBytes other) implements BytesCheck {
    @Override
    public boolean test(MemorySegment bytes, long from, long to) {
      long length = to - from;
      if (operator == Operator.EQ || operator == Operator.NE) {
        boolean equal = length == other.length() && other.startOf(bytes, from);
        return equal == (operator == Operator.EQ);
      }
      int order = other.order(bytes, from, (int) Math.min(length, other.length()));
      return operator.test(order != 0 ? order : Long.compare(length, other.length()));
    }
  }

  record StartsWith(KnownBytes prefix) implements BytesCheck {
    @Override
    public boolean test(MemorySegment bytes, long from, long to) {
      return to - from >= prefix.length() && prefix.startOf(bytes, from);
    }
  }

  /// Matches text in UTF-8 with a pattern.
  ///
  /// If the text after a wildcard does not match, the last wildcard for any text takes one more
  /// character; the text before it need not be matched again.
  final class Matches implements BytesCheck {
    private final int[] parts; // bytes as unsigned numbers, and wildcards

    Matches(int[] parts) {
      this.parts = parts;
    }

    @Override
    public boolean test(MemorySegment bytes, long from, long to) {
      int part = 0;
      int partAgain = -1; // the part after the last wildcard for any text
      long at = from;
      long atAgain = from;
      while (at < to) {
        int wanted = part == parts.length ? Integer.MIN_VALUE : parts[part];
        if (wanted == Filter.Like.ANY_TEXT) {
          partAgain = ++part;
          atAgain = at;
        } else if (wanted == Filter.Like.ANY_CHARACTER) {
          part++;
          at = next(bytes, at, to);
        } else if (wanted == (bytes.get(Raw.BYTE, at) & 0xff)) {
          part++;
          at++;
        } else if (partAgain >= 0) {
          atAgain = next(bytes, atAgain, to);
          at = atAgain;
          part = partAgain;
        } else {
          return false;
        }
      }
      while (part < parts.length && parts[part] == Filter.Like.ANY_TEXT) {
        part++;
      }
      return part == parts.length;
    }

    /// Returns where the character after the one at `at` begins.
    private static long next(MemorySegment bytes, long at, long to) {
      long next = at + 1;
      while (next < to && (bytes.get(Raw.BYTE, next) & 0xc0) == 0x80) {
        next++;
      }
      return next;
    }
  }

  /// Tests for being one of several values, found by their hash.
  final class OneOf implements BytesCheck {
    private static final long FACTOR = 0x9e37_79b9_7f4a_7c15L;

    private final KnownBytes[] several;

    /// For each hash, the place of a value; values with the same hash are in the next free entries.
    /// -1 is free.
    private final int[] table;

    private final int shift;

    OneOf(KnownBytes[] several) {
      this.several = several;
      int log = 65 - Long.numberOfLeadingZeros(several.length); // at least twice as many entries
      this.shift = 64 - log;
      this.table = new int[1 << log];
      Arrays.fill(table, -1);
      for (int i = 0; i < several.length; i++) {
        int place = hash(MemorySegment.ofArray(several[i].bytes), 0, several[i].length());
        while (table[place] >= 0) {
          place = next(place);
        }
        table[place] = i;
      }
    }

    @Override
    public boolean test(MemorySegment bytes, long from, long to) {
      int place = hash(bytes, from, to);
      while (table[place] >= 0) {
        KnownBytes other = several[table[place]];
        if (to - from == other.length() && other.startOf(bytes, from)) {
          return true;
        }
        place = next(place);
      }
      return false;
    }

    private int next(int place) {
      return (place + 1) & (table.length - 1);
    }

    private int hash(MemorySegment bytes, long from, long to) {
      long hash = to - from;
      long at = from;
      for (; at + 8 <= to; at += 8) {
        hash = mix(hash ^ bytes.get(Raw.LONG, at));
      }
      long rest = 0;
      for (; at < to; at++) {
        rest = (rest << 8) | (bytes.get(Raw.BYTE, at) & 0xff);
      }
      return (int) (mix(hash ^ rest) >>> shift);
    }

    private static long mix(long value) {
      long mixed = value * FACTOR;
      return (mixed ^ (mixed >>> 32)) * FACTOR;
    }
  }

  /// Compares a two's complement number of several 64-bit words, the lowest first, with another.
  final class WideNumber implements BytesCheck {
    private final Operator operator;
    private final long[] other;

    WideNumber(Operator operator, BigInteger other, int words) {
      this.operator = operator;
      this.other = new long[words];
      for (int i = 0; i < words; i++) {
        this.other[i] = other.shiftRight(64 * i).longValue();
      }
    }

    @Override
    public boolean test(MemorySegment bytes, long from, long to) {
      int top = other.length - 1;
      int order = Long.compare(bytes.get(Raw.LONG, from + top * 8L), other[top]);
      for (int i = top - 1; i >= 0 && order == 0; i--) {
        order = Long.compareUnsigned(bytes.get(Raw.LONG, from + i * 8L), other[i]);
      }
      return operator.test(order);
    }
  }
}
