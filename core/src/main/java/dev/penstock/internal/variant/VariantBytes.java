package dev.penstock.internal.variant;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Reads and checks the parts that variants are made of.
final class VariantBytes {
  static final VarHandle SHORT = view(short[].class);
  static final VarHandle INT = view(int[].class);
  static final VarHandle LONG = view(long[].class);

  private VariantBytes() {}

  private static VarHandle view(Class<?> type) {
    return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.LITTLE_ENDIAN);
  }

  /// Returns an unsigned number of `width` bytes, in `[1, 4]`.
  static long unsigned(byte[] bytes, int at, int width) {
    long number = 0;
    for (int i = width - 1; i >= 0; i--) {
      number = number << 8 | (bytes[at + i] & 0xFF);
    }
    return number;
  }

  /// Returns the end of some bytes, which may not go beyond the limit.
  static int end(int at, long count, int limit) throws VariantException {
    if (count > limit - at) {
      throw new VariantException(
          count + " bytes are needed where " + Math.max(0, limit - at) + " are left.");
    }
    return (int) (at + count);
  }

  static String text(byte[] bytes, int at, int length) {
    return new String(bytes, at, length, StandardCharsets.UTF_8);
  }

  static void requireUtf8(byte[] bytes, int at, int length) throws VariantException {
    int i = at;
    while (i < at + length && bytes[i] >= 0) {
      i++;
    }
    if (i == at + length) {
      return;
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, i, at + length - i));
    } catch (CharacterCodingException _) {
      throw new VariantException("a text is not UTF-8.");
    }
  }
}
