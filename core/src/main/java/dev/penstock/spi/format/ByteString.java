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

  /// {@return the bytes as a value}
  ///
  /// @param bytes the bytes, which are copied
  public static ByteString of(byte[] bytes) {
    return new ByteString(bytes.clone());
  }

  /// {@return the UTF-8 bytes of a text}
  ///
  /// @param text the text
  public static ByteString utf8(String text) {
    return new ByteString(text.getBytes(StandardCharsets.UTF_8));
  }

  /// {@return the length in bytes}
  public int length() {
    return bytes.length;
  }

  /// {@return a copy of the bytes}
  public byte[] toByteArray() {
    return bytes.clone();
  }

  /// {@return whether these bytes begin with others; true also for an empty prefix}
  ///
  /// @param prefix the others
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
