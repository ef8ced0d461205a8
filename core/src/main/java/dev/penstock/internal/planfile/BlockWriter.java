package dev.penstock.internal.planfile;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Writes the contents of a block: single values, and columns of numbers or texts.
///
/// Numbers are written byte by byte: the lowest byte of all, then the next one. So the bytes that
/// neighbours have in common are together, where deflate makes next to nothing of them.
final class BlockWriter {
  /// The most bytes of a block, and of the texts in a column. What is written beyond is dropped.
  static final int BYTES_MAX = 64 << 20;

  /// Texts are neighbours' common start, and the rest.
  static final int SHARED = 0;

  /// Texts are bytes as hexadecimal digits, between a start and an end that all have.
  static final int HEX = 1;

  private static final Pattern DIGITS =
      Pattern.compile("(?s)(.*?)((?:[0-9a-f]{2}){8,})([^0-9a-f].*)?");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private boolean isFull;

  /// Returns whether it was too much for a block.
  boolean isFull() {
    return isFull;
  }

  byte[] bytes() {
    return out.toByteArray();
  }

  void one(int value) {
    out.write(value);
  }

  void flag(boolean value) {
    one(value ? 1 : 0);
  }

  /// Writes a number that is not negative, seven bits a byte, the lowest first.
  void count(long value) {
    long left = value;
    for (; left > 0x7f; left >>>= 7) {
      one((int) left | 0x80);
    }
    one((int) left);
  }

  void text(String text) {
    text(text.getBytes(StandardCharsets.UTF_8));
  }

  private void text(byte[] bytes) {
    count(bytes.length);
    raw(bytes, 0, bytes.length);
  }

  void raw(byte[] bytes, int start, int length) {
    isFull |= out.size() > BYTES_MAX - length;
    if (!isFull) {
      out.write(bytes, start, length);
    }
  }

  /// Writes numbers; the reader knows how many.
  void numbers(long... values) {
    if (values.length == 0) {
      return;
    }
    long least = Arrays.stream(values).min().orElseThrow();
    long most = Arrays.stream(values).max().orElseThrow();
    // As an unsigned number, the difference always fits.
    int width = Math.max(1, (Long.SIZE + 7 - Long.numberOfLeadingZeros(most - least)) / 8);
    byte[] start = new byte[Long.BYTES];
    for (int i = 0; i < Long.BYTES; i++) {
      start[i] = (byte) (least >>> (8 * i));
    }
    raw(start, 0, start.length);
    one(width);
    byte[] plane = new byte[values.length];
    for (int each = 0; each < width; each++) {
      for (int i = 0; i < values.length; i++) {
        plane[i] = (byte) ((values[i] - least) >>> (8 * each));
      }
      raw(plane, 0, plane.length);
    }
  }

  void texts(List<String> texts) {
    bytes(texts.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList());
  }

  /// Writes texts or other bytes; the reader knows how many.
  void bytes(List<byte[]> texts) {
    isFull |= texts.stream().mapToLong(text -> text.length).sum() > BYTES_MAX;
    if (!texts.isEmpty() && !isFull && !hex(texts)) {
      shared(texts);
    }
  }

  private void shared(List<byte[]> texts) {
    long[] shared = new long[texts.size()];
    long[] left = new long[texts.size()];
    byte[] before = {};
    for (int i = 0; i < shared.length; i++) {
      byte[] text = texts.get(i);
      int differs = Arrays.mismatch(before, text);
      shared[i] = differs < 0 ? text.length : differs;
      left[i] = text.length - shared[i];
      before = text;
    }
    one(SHARED);
    numbers(shared);
    numbers(left);
    for (int i = 0; i < shared.length; i++) {
      raw(texts.get(i), (int) shared[i], (int) left[i]);
    }
  }

  /// Writes texts such as ETags in half of the bytes, if all are alike.
  private boolean hex(List<byte[]> texts) {
    Matcher first = DIGITS.matcher(latin(texts.getFirst()));
    if (!first.matches()) {
      return false;
    }
    String start = first.group(1);
    String end = first.group(3) == null ? "" : first.group(3);
    Pattern form =
        Pattern.compile("(?s)" + Pattern.quote(start) + "((?:[0-9a-f]{2})*+)" + Pattern.quote(end));
    long[] lengths = new long[texts.size()];
    ByteArrayOutputStream digits = new ByteArrayOutputStream();
    for (int i = 0; i < lengths.length; i++) {
      Matcher each = form.matcher(latin(texts.get(i)));
      if (!each.matches()) {
        return false;
      }
      byte[] bytes = HexFormat.of().parseHex(each.group(1));
      lengths[i] = bytes.length;
      digits.writeBytes(bytes);
    }
    one(HEX);
    text(start.getBytes(StandardCharsets.ISO_8859_1));
    text(end.getBytes(StandardCharsets.ISO_8859_1));
    numbers(lengths);
    raw(digits.toByteArray(), 0, digits.size());
    return true;
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
