package dev.penstock.internal.planfile;

import com.google.errorprone.annotations.FormatMethod;
import dev.penstock.internal.choice.Sentence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// Reads what [BlockWriter] wrote. Whatever is not that is an [IllegalArgumentException] with the
/// reason, and nothing is allocated for more values than there are bytes.
final class BlockReader {
  private final byte[] bytes;
  private int at;

  BlockReader(byte[] bytes) {
    this.bytes = bytes;
  }

  /// Takes the next bytes, and returns where they begin.
  private int take(long count) {
    if (count > bytes.length - at) {
      throw wrong("%s bytes are wanted at byte %s of %s", count, at, bytes.length);
    }
    int start = at;
    at += (int) count;
    return start;
  }

  void requireEnd() {
    if (at != bytes.length) {
      throw wrong("%s bytes were read of %s", at, bytes.length);
    }
  }

  int one() {
    return bytes[take(1)] & 0xff;
  }

  boolean flag() {
    return one(2, "a flag") == 1;
  }

  /// Returns a byte that is below `end`.
  int one(int end, String what) {
    int value = one();
    return (int) require(value, end, what);
  }

  static long require(long value, long end, String what) {
    if (value < 0 || value >= end) {
      throw wrong("%s is %s but expected one in [0, %s)", what, value, end);
    }
    return value;
  }

  @FormatMethod
  static IllegalArgumentException wrong(String form, Object... values) {
    return new IllegalArgumentException(Sentence.of(form, values));
  }

  long count() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = one();
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return require(value, Long.MAX_VALUE, "a number");
      }
    }
    throw wrong("a number has more than 63 bits at byte %s", at);
  }

  /// Returns a number of things that take at least a byte each.
  int size() {
    long size = count();
    if (size > bytes.length - at) {
      throw wrong("%s are stated at byte %s of %s", size, at, bytes.length);
    }
    return (int) size;
  }

  String text() {
    int length = size();
    return new String(bytes, take(length), length, StandardCharsets.UTF_8);
  }

  byte[] raw(long length) {
    int start = take(length);
    return Arrays.copyOfRange(bytes, start, at);
  }

  long[] numbers(int count) {
    if (count == 0) {
      return new long[0];
    }
    long least = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      least |= (long) one() << (8 * i);
    }
    int width = one();
    require(width - 1L, Long.BYTES, "a width");
    int start = take((long) width * count);
    long[] values = new long[count];
    Arrays.fill(values, least);
    for (int each = 0; each < width; each++) {
      for (int i = 0; i < count; i++) {
        values[i] += (bytes[start + each * count + i] & 0xffL) << (8 * each);
      }
    }
    return values;
  }

  /// Returns numbers of which none is negative.
  long[] counts(int count, String what) {
    long[] values = numbers(count);
    for (long value : values) {
      require(value, Long.MAX_VALUE, what);
    }
    return values;
  }

  List<String> texts(int count) {
    List<String> texts = new ArrayList<>();
    for (byte[] each : bytes(count)) {
      texts.add(new String(each, StandardCharsets.UTF_8));
    }
    return texts;
  }

  List<byte[]> bytes(int count) {
    if (count == 0) {
      return List.of();
    }
    return one(2, "a form of texts") == BlockWriter.HEX ? hex(count) : shared(count);
  }

  private List<byte[]> shared(int count) {
    long[] shared = counts(count, "a common length");
    long[] left = counts(count, "a length");
    List<byte[]> texts = new ArrayList<>();
    byte[] before = {};
    long total = 0;
    for (int i = 0; i < count; i++) {
      require(shared[i], before.length + 1L, "a common length");
      int start = take(left[i]);
      total += shared[i] + left[i];
      require(total, BlockWriter.BYTES_MAX + 1L, "the length of texts");
      byte[] text = Arrays.copyOf(before, (int) (shared[i] + left[i]));
      System.arraycopy(bytes, start, text, (int) shared[i], (int) left[i]);
      texts.add(text);
      before = text;
    }
    return texts;
  }

  private List<byte[]> hex(int count) {
    byte[] start = raw(size());
    byte[] end = raw(size());
    long[] lengths = counts(count, "a length");
    List<byte[]> texts = new ArrayList<>();
    long total = 0;
    for (int i = 0; i < count; i++) {
      byte[] digits = HexFormat.of().formatHex(raw(lengths[i])).getBytes(StandardCharsets.US_ASCII);
      int length = start.length + digits.length + end.length;
      total += length;
      require(total, BlockWriter.BYTES_MAX + 1L, "the length of texts");
      byte[] text = Arrays.copyOf(start, length);
      System.arraycopy(digits, 0, text, start.length, digits.length);
      System.arraycopy(end, 0, text, start.length + digits.length, end.length);
      texts.add(text);
    }
    return texts;
  }
}
