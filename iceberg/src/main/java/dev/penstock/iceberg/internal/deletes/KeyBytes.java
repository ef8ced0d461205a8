package dev.penstock.iceberg.internal.deletes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Builds the bytes of one key.
final class KeyBytes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private byte[] bytes = new byte[64];
  private int length;

  void clear() {
    length = 0;
  }

  void add(MemorySegment source, long start, int count) {
    room(count);
    MemorySegment.copy(source, ValueLayout.JAVA_BYTE, start, bytes, length, count);
    length += count;
  }

  void addByte(int value) {
    room(1);
    bytes[length++] = (byte) value;
  }

  void addLong(long value) {
    room(8);
    LONG.set(bytes, length, value);
    length += 8;
  }

  private void room(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.addExact(Math.max(length, more), Math.max(length, more)));
    }
  }

  byte[] array() {
    return bytes;
  }

  int length() {
    return length;
  }

  /// Returns a 64-bit hash of the key.
  long hash() {
    return hash(bytes, length);
  }

  static long hash(byte[] bytes, int length) {
    long hash = length * MIX;
    int at = 0;
    for (; at + 8 <= length; at += 8) {
      hash = mix(hash ^ (long) LONG.get(bytes, at));
    }
    long rest = 0;
    for (; at < length; at++) {
      rest = (rest << 8) | (bytes[at] & 0xFF);
    }
    return mix(hash ^ rest);
  }

  static long mix(long value) {
    long mixed = (value ^ (value >>> 32)) * MIX;
    return mixed ^ (mixed >>> 29);
  }
}
