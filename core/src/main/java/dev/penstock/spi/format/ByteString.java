package dev.penstock.spi.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/// An immutable byte sequence: a string, a binary or a UUID in a [Bound].
///
/// **Order.** Byte by byte as unsigned numbers; a prefix comes before longer values. For text in
/// UTF-8 this is the order of its code points, which is not that of [String].
///
/// Share it freely among threads.
public final class ByteString implements Comparable<ByteString> {
  private final byte[] bytes;

  private ByteString(byte[] bytes) {
    this.bytes = bytes;
  }

  /// Returns the bytes as a value.
  ///
  /// @param bytes the bytes, which are copied
  /// @return the value
  public static ByteString of(byte[] bytes) {
    return new ByteString(bytes.clone());
  }

  /// Returns the UTF-8 bytes of a text.
  ///
  /// @param text the text
  /// @return its bytes
  public static ByteString utf8(String text) {
    return new ByteString(text.getBytes(StandardCharsets.UTF_8));
  }

  /// Returns how many bytes there are.
  ///
  /// @return the length in bytes
  public int length() {
    return bytes.length;
  }

  /// Returns the bytes.
  ///
  /// @return a copy
  public byte[] toByteArray() {
    return bytes.clone();
  }

  /// Returns whether these bytes begin with others.
  ///
  /// @param prefix the others
  /// @return true if they do, also for an empty prefix
  public boolean startsWith(ByteString prefix) {
    int length = prefix.bytes.length;
    return bytes.length >= length && Arrays.equals(bytes, 0, length, prefix.bytes, 0, length);
  }

  @Override
  public int compareTo(ByteString other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ByteString that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /// Returns the bytes as hexadecimal digits.
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
