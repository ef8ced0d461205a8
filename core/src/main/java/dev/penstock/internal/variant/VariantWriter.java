package dev.penstock.internal.variant;

import dev.penstock.spi.format.BytesView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// The bytes of a value that is put together from its parts.
final class VariantWriter {
  /// How an object and an array start whose counts, numbers and offsets have 4 bytes.
  private static final byte OBJECT = 0b0111_1110;

  private static final byte ARRAY = 0b0001_1111;

  private byte[] bytes = new byte[256];
  private int size;

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  private int grow(long more) {
    int at = size;
    long needed = at + more;
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.max(needed, 2L * bytes.length)));
    }
    size = (int) needed;
    return at;
  }

  /// Appends bytes as they are.
  void copy(MemorySegment from, long at, int count) {
    int to = grow(count);
    MemorySegment.copy(from, ValueLayout.JAVA_BYTE, at, bytes, to, count);
  }

  /// Appends bytes as they are.
  void copy(byte[] from, int at, int count) {
    int to = grow(count);
    System.arraycopy(from, at, bytes, to, count);
  }

  /// Appends an encoded value, checked.
  void value(BytesView encoded, VariantNames names) throws VariantException {
    int start = size;
    copy(encoded.segment(), encoded.start(), encoded.length());
    size = VariantValue.check(bytes, start, size, names);
  }

  /// Appends a value that was checked.
  void value(VariantValue value) {
    copy(value.bytes, value.at, value.end() - value.at);
  }

  /// Reads an encoded value.
  static VariantValue read(BytesView encoded, VariantNames names) throws VariantException {
    byte[] bytes = new byte[encoded.length()];
    MemorySegment.copy(
        encoded.segment(), ValueLayout.JAVA_BYTE, encoded.start(), bytes, 0, bytes.length);
    VariantValue.check(bytes, 0, bytes.length, names);
    return new VariantValue(bytes, 0, names);
  }

  /// Starts a value of a primitive type, by its number in [VariantValue].
  void primitive(int type) {
    bytes[grow(1)] = (byte) (type << 2);
  }

  void int8(int value) {
    bytes[grow(1)] = (byte) value;
  }

  void int32(int value) {
    int at = grow(4);
    VariantBytes.INT.set(bytes, at, value);
  }

  /// Appends a value of 8 bytes.
  void wide(int type, long value) {
    primitive(type);
    int at = grow(8);
    VariantBytes.LONG.set(bytes, at, value);
  }

  /// Starts an object whose fields have these numbers of names, in the order of the names. Returns
  /// it for [#part], to be called before each field is appended and after the last one.
  int object(int[] ids) {
    int at = grow(5 + 4L * ids.length);
    bytes[at] = OBJECT;
    VariantBytes.INT.set(bytes, at + 1, ids.length);
    for (int i = 0; i < ids.length; i++) {
      VariantBytes.INT.set(bytes, at + 5 + 4 * i, ids[i]);
    }
    return grow(4L * (ids.length + 1L));
  }

  /// Starts an array, as [#object] does.
  int array(int count) {
    int at = grow(5);
    bytes[at] = ARRAY;
    VariantBytes.INT.set(bytes, at + 1, count);
    return grow(4L * (count + 1L));
  }

  /// Starts part `index` of an object or array with `count` parts; `index` is `count` to end the
  /// last one.
  void part(int owner, int index, int count) {
    int parts = owner + 4 * (count + 1);
    VariantBytes.INT.set(bytes, owner + 4 * index, size - parts);
  }
}
