package dev.penstock.cli.output;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import tools.jackson.core.io.NumberOutput;

/// A large UTF-8 buffer in front of a stream, for writing millions of values.
///
/// Closing it writes the rest; the stream stays open.
public class OutputBuffer implements AutoCloseable {
  private static final int CAPACITY = 1 << 18;
  private static final int CHUNK_CHARS = 1 << 12;
  // The longest form of a char in JSON: a \ u escape.
  private static final int BYTES_PER_CHAR = 6;
  // What follows the backslash; 0 for characters that stand for themselves.
  private static final byte[] ESCAPES = new byte[0x80];

  static {
    Arrays.fill(ESCAPES, 0, 0x20, (byte) 'u');
    for (String each : List.of("\"\"", "\\\\", "\nn", "\rr", "\tt", "\bb", "\ff")) {
      ESCAPES[each.charAt(0)] = (byte) each.charAt(1);
    }
  }

  private final OutputStream out;
  private final byte[] buffer = new byte[CAPACITY];
  private int size;
  private boolean broken;

  public OutputBuffer(OutputStream out) {
    this.out = out;
  }

  /// Writes text in UTF-8 as it is.
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
    ascii("null");
  }

  void bool(boolean value) {
    ascii(value ? "true" : "false");
  }

  /// Writes the shortest number that parses to the same value, or a string if it is not finite.
  void number(float value) {
    number(Float.toString(value), Float.isFinite(value));
  }

  /// Writes the shortest number that parses to the same value, or a string if it is not finite.
  void number(double value) {
    number(Double.toString(value), Double.isFinite(value));
  }

  private void number(String text, boolean finite) {
    if (finite) {
      ascii(text);
    } else {
      string(text);
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
    size = NumberOutput.outputLong(value, buffer, size);
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

  /// Writes what begins and ends a text in which nothing has to be escaped, such as a date.
  void quote() {
    write('"');
  }

  /// Writes bytes as text in base64.
  void base64(byte[] bytes) {
    quote();
    write(Base64.getEncoder().encode(bytes));
    quote();
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
        at = plain(text, at, end);
        if (at < end) {
          int point = text.codePointAt(at);
          special(point);
          at += Character.charCount(point);
        }
      }
    }
    write('"');
  }

  /// Writes the characters that stand for themselves, and returns where they end.
  private int plain(String text, int start, int end) {
    int at = start;
    int to = size; // as a field it takes twice the time
    char c;
    while (at < end && (c = text.charAt(at)) < ESCAPES.length && ESCAPES[c] == 0) {
      buffer[to++] = (byte) c;
      at++;
    }
    size = to;
    return at;
  }

  private void special(int point) {
    boolean isUnpaired = point >>> 11 == Character.MIN_SURROGATE >>> 11;
    byte escape = point < ESCAPES.length ? ESCAPES[point] : (byte) (isUnpaired ? 'u' : 0);
    if (escape != 0) {
      buffer[size++] = '\\';
      buffer[size++] = escape;
      if (escape == 'u') {
        ascii(HexFormat.of().toHexDigits((char) point));
      }
    } else { // two to four bytes of UTF-8
      int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
      buffer[size++] = (byte) ((Byte.MIN_VALUE >> more) | (point >>> (6 * more)));
      for (int shift = 6 * (more - 1); shift >= 0; shift -= 6) {
        buffer[size++] = (byte) (0x80 | ((point >>> shift) & 0x3F));
      }
    }
  }

  /// Returns the text before each value of a JSON object: brace or comma, name, colon.
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
