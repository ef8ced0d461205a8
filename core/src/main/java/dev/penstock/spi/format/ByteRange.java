package dev.penstock.spi.format;

import dev.penstock.internal.choice.Sentence;

/// Bytes of a file.
///
/// @param offset the first one, counted from 0
/// @param length how many
public record ByteRange(long offset, long length) {
  /// Throws [IllegalArgumentException] if a number is negative, or their sum exceeds 63 bits.
  public ByteRange {
    if (offset < 0 || length < 0 || offset + length < 0) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Offset and length of bytes must not be negative, got %s and %s.", offset, length));
    }
  }

  /// {@return the byte after the last}
  public long end() {
    return offset + length;
  }

  @Override
  public String toString() {
    return "[" + offset + ", " + end() + ")";
  }
}
