package dev.penstock.internal.filter;

import dev.penstock.filter.Operator;
import dev.penstock.format.ByteString;
import dev.penstock.internal.filter.Condition.Test;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

/// A test of a value that is a run of bytes.
sealed interface BytesCheck {
  /// Tests the bytes `[from, to)`.
  boolean test(MemorySegment bytes, long from, long to);

  static BytesCheck of(Test test) {
    return switch (test) {
      case Test.Compare(Operator operator, Comparable<?> value) ->
          new Compare(operator, ((ByteString) value).toByteArray());
      case Test.OneOf(List<Comparable<?>> values) ->
          new OneOf(
              values.stream()
                  .map(value -> ((ByteString) value).toByteArray())
                  .toArray(byte[][]::new));
      case Test.StartsWith(ByteString prefix) -> new StartsWith(prefix.toByteArray());
      default -> throw new IllegalArgumentException("Cannot test bytes: " + test);
    };
  }

  /// Compares the first `length` bytes from `from` with those of an array, as unsigned numbers.
  private static int order(MemorySegment bytes, long from, byte[] other, int length) {
    MemorySegment others = MemorySegment.ofArray(other);
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      long mine = bytes.get(Words.BIG_ENDIAN_LONG, from + i);
      long its = others.get(Words.BIG_ENDIAN_LONG, i);
      if (mine != its) {
        return Long.compareUnsigned(mine, its);
      }
    }
    for (; i < length; i++) {
      int order = (bytes.get(Words.BYTE, from + i) & 0xff) - (other[i] & 0xff);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /// Bytes that compare with others; of two that start alike the shorter comes first.
  final class Compare implements BytesCheck {
    private final Operator operator;
    private final byte[] other;

    Compare(Operator operator, byte[] other) {
      this.operator = operator;
      this.other = other;
    }

    @Override
    public boolean test(MemorySegment bytes, long from, long to) {
      long length = to - from;
      if (operator == Operator.EQ || operator == Operator.NE) {
        boolean equal = length == other.length && order(bytes, from, other, other.length) == 0;
        return equal == (operator == Operator.EQ);
      }
      int order = order(bytes, from, other, (int) Math.min(length, other.length));
      return operator.test(order != 0 ? order : Long.compare(length, other.length));
    }
  }

  /// Bytes that begin with others.
  final class StartsWith implements BytesCheck {
    private final byte[] prefix;

    StartsWith(byte[] prefix) {
      this.prefix = prefix;
    }

    @Override
    public boolean test(MemorySegment bytes, long from, long to) {
      return to - from >= prefix.length && order(bytes, from, prefix, prefix.length) == 0;
    }
  }

  /// Bytes that are one of several, which are found by their hash.
  final class OneOf implements BytesCheck {
    private static final long FACTOR = 0x9e37_79b9_7f4a_7c15L;

    private final byte[][] several;

    /// For each hash the place of a value, and the next free one behind for others; -1 is free.
    private final int[] table;

    private final int shift;

    OneOf(byte[][] several) {
      this.several = several;
      int log = 65 - Long.numberOfLeadingZeros(several.length); // at least twice as many places
      this.shift = 64 - log;
      this.table = new int[1 << log];
      Arrays.fill(table, -1);
      for (int i = 0; i < several.length; i++) {
        int place = hash(MemorySegment.ofArray(several[i]), 0, several[i].length);
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
        byte[] other = several[table[place]];
        if (to - from == other.length && order(bytes, from, other, other.length) == 0) {
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
        hash = mix(hash ^ bytes.get(Words.LONG, at));
      }
      long rest = 0;
      for (; at < to; at++) {
        rest = (rest << 8) | (bytes.get(Words.BYTE, at) & 0xff);
      }
      return (int) (mix(hash ^ rest) >>> shift);
    }

    private static long mix(long value) {
      long mixed = value * FACTOR;
      return (mixed ^ (mixed >>> 32)) * FACTOR;
    }
  }

  /// A two's complement number of several 64-bit words, the lowest first, that compares with
  /// another.
  final class WideNumber implements BytesCheck {
    private final Operator operator;
    private final long[] other;

    /// Takes a number that has no more than `words` words.
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
      int order = Long.compare(bytes.get(Words.LONG, from + top * 8L), other[top]);
      for (int i = top - 1; i >= 0 && order == 0; i--) {
        order = Long.compareUnsigned(bytes.get(Words.LONG, from + i * 8L), other[i]);
      }
      return operator.test(order);
    }
  }
}
