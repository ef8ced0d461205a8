package dev.penstock.internal.parquet.footer;

import dev.penstock.spi.format.ByteString;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Numbers and short runs of bytes, one after another, in as few bytes as they need.
///
/// A number, at least -1, is stored plus one, in groups of 7 bits, the least significant first; the
/// highest bit of a byte means that more follow. Bytes are stored after their length, which is -1
/// if they are absent.
final class PackedNumbers {
  private final byte[] bytes;
  private int position;

  PackedNumbers(byte[] bytes, int position) {
    this.bytes = bytes;
    this.position = position;
  }

  long number() {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = bytes[position++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value - 1;
      }
    }
  }

  @Nullable ByteString bytes() {
    int length = (int) number();
    if (length < 0) {
      return null;
    }
    position += length;
    return ByteString.of(Arrays.copyOfRange(bytes, position - length, position));
  }

  static final class Writer {
    private byte[] bytes = new byte[256];
    private int size;

    int size() {
      return size;
    }

    /// Adds a number; anything below 0 becomes -1.
    void add(long number) {
      long value = number < 0 ? 0 : number + 1;
      reserve(10);
      while ((value & ~0x7fL) != 0) {
        bytes[size++] = (byte) (value | 0x80);
        value >>>= 7;
      }
      bytes[size++] = (byte) value;
    }

    void add(@Nullable ByteString added) {
      add(added == null ? -1 : added.length());
      if (added != null) {
        reserve(added.length());
        System.arraycopy(added.toByteArray(), 0, bytes, size, added.length());
        size += added.length();
      }
    }

    private void reserve(int more) {
      if (bytes.length - size < more) {
        bytes = Arrays.copyOf(bytes, Math.addExact(size, Math.max(more, size)));
      }
    }

    byte[] toByteArray() {
      return Arrays.copyOf(bytes, size);
    }
  }
}
