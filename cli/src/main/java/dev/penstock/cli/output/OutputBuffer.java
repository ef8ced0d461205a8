package dev.penstock.cli.output;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/// A large UTF-8 buffer in front of a stream, for writing millions of values.
///
/// Closing it writes the rest; the stream stays open.
public final class OutputBuffer implements AutoCloseable {
  private static final int CAPACITY = 1 << 18;
  private static final int CHUNK_CHARS = 1 << 12;
  // The longest form of a char in JSON: a \ u escape.
  private static final int BYTES_PER_CHAR = 6;
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};
  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] LONG_MIN =
      String.valueOf(Long.MIN_VALUE).getBytes(StandardCharsets.US_ASCII);

  private final OutputStream out;
  private final byte[] buffer = new byte[CAPACITY];
  private int size;
  private boolean broken;

  /// Makes an empty buffer.
  ///
  /// @param out the stream behind it
  public OutputBuffer(OutputStream out) {
    this.out = out;
  }

  /// Writes bytes as they are.
  ///
  /// @param bytes text in UTF-8
  public void write(byte[] bytes) {
    int done = 0;
    while (done < bytes.length) {
      int part = Math.min(bytes.length - done, CAPACITY);
      reserve(part);
      System.arraycopy(bytes, done, buffer, size, part);
      size += part;
      done += part;
    }
  }

  void write(char ascii) {
    reserve(1);
    buffer[size++] = (byte) ascii;
  }

  /// Writes short ASCII text, such as a number.
  void ascii(String text) {
    int length = text.length();
    reserve(length);
    for (int i = 0; i < length; i++) {
      buffer[size++] = (byte) text.charAt(i);
    }
  }

  /// Writes `null`.
  void none() {
    write(NULL);
  }

  void bool(boolean value) {
    write(value ? TRUE : FALSE);
  }

  /// Writes the shortest number that parses to the same value, or a string if it is not finite.
  void number(float value) {
    number(Float.toString(value), Float.isFinite(value));
  }

  /// Writes the shortest number that parses to the same value, or a string if it is not finite.
  void number(double value) {
    number(Double.toString(value), Double.isFinite(value));
  }

  /// Writes a 16-bit floating-point number so that it parses to the same value as a 64-bit number,
  /// as in most JSON parsers.
  void half(float value) {
    number((double) value);
  }

  private void number(String text, boolean finite) {
    if (!finite) {
      write('"');
    }
    ascii(text);
    if (!finite) {
      write('"');
    }
  }

  /// Writes an integer whose bits are unsigned.
  void unsigned(long bits) {
    if (bits >= 0) {
      integer(bits);
    } else {
      ascii(Long.toUnsignedString(bits));
    }
  }

  void integer(long value) {
    reserve(20);
    if (value == Long.MIN_VALUE) {
      write(LONG_MIN);
      return;
    }
    long rest = value;
    if (rest < 0) {
      buffer[size++] = '-';
      rest = -rest;
    }
    digits(rest, digitCount(rest));
  }

  /// Writes a non-negative number with leading zeros.
  ///
  /// @param count how many digits; the number has no more
  void digits(long value, int count) {
    reserve(count);
    long rest = value;
    for (int i = size + count - 1; i >= size; i--) {
      buffer[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    size += count;
  }

  private static int digitCount(long value) {
    int count = 1;
    for (long limit = 10; count < 19 && value >= limit; limit *= 10) {
      count++;
    }
    return count;
  }

  /// Writes bytes as a JSON string in base64.
  void base64(byte[] bytes) {
    write('"');
    write(Base64.getEncoder().encode(bytes));
    write('"');
  }

  /// Writes text as a JSON string, quotes included. An unpaired surrogate is escaped.
  void string(String text) {
    write('"');
    int length = text.length();
    int at = 0;
    while (at < length) {
      reserve((CHUNK_CHARS + 1) * BYTES_PER_CHAR);
      int end = Math.min(length, at + CHUNK_CHARS);
      while (at < end) {
        char c = text.charAt(at++);
        if (c >= 0x20 && c < 0x80) {
          if (c == '"' || c == '\\') {
            buffer[size++] = '\\';
          }
          buffer[size++] = (byte) c;
        } else if (Character.isHighSurrogate(c)
            && at < length
            && Character.isLowSurrogate(text.charAt(at))) {
          codePoint(Character.toCodePoint(c, text.charAt(at++)));
        } else {
          special(c);
        }
      }
    }
    write('"');
  }

  /// Returns the text before each value of a JSON object: brace or comma, name, colon.
  ///
  /// @param names the names, in order
  /// @return a text in UTF-8 for each name
  public static byte[][] keys(List<String> names) {
    byte[][] keys = new byte[names.size()][];
    for (int i = 0; i < keys.length; i++) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (OutputBuffer out = new OutputBuffer(bytes)) {
        out.write(i == 0 ? '{' : ',');
        out.string(names.get(i));
        out.write(':');
      }
      keys[i] = bytes.toByteArray();
    }
    return keys;
  }

  private void special(char c) {
    switch (c) {
      case '\n' -> escape('n');
      case '\r' -> escape('r');
      case '\t' -> escape('t');
      case '\b' -> escape('b');
      case '\f' -> escape('f');
      default -> {
        if (c < 0x20 || Character.isSurrogate(c)) {
          escape('u');
          for (int shift = 12; shift >= 0; shift -= 4) {
            buffer[size++] = HEX[(c >>> shift) & 0xF];
          }
        } else if (c < 0x800) {
          buffer[size++] = (byte) (0xC0 | (c >>> 6));
          buffer[size++] = (byte) (0x80 | (c & 0x3F));
        } else {
          buffer[size++] = (byte) (0xE0 | (c >>> 12));
          buffer[size++] = (byte) (0x80 | ((c >>> 6) & 0x3F));
          buffer[size++] = (byte) (0x80 | (c & 0x3F));
        }
      }
    }
  }

  private void escape(char c) {
    buffer[size++] = '\\';
    buffer[size++] = (byte) c;
  }

  private void codePoint(int point) {
    buffer[size++] = (byte) (0xF0 | (point >>> 18));
    buffer[size++] = (byte) (0x80 | ((point >>> 12) & 0x3F));
    buffer[size++] = (byte) (0x80 | ((point >>> 6) & 0x3F));
    buffer[size++] = (byte) (0x80 | (point & 0x3F));
  }

  private void reserve(int bytes) {
    if (bytes > CAPACITY - size) {
      drain();
    }
  }

  /// Writes everything to the stream.
  ///
  /// @throws OutputException if the stream accepts no more bytes
  public void flush() {
    drain();
    try {
      out.flush();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private void drain() {
    int bytes = size;
    size = 0;
    if (broken) {
      return;
    }
    try {
      out.write(buffer, 0, bytes);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private OutputException broken(IOException cause) {
    broken = true;
    return new OutputException(cause);
  }

  @Override
  public void close() {
    if (!broken) {
      flush();
    }
  }
}
