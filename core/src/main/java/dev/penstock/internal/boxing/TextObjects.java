package dev.penstock.internal.boxing;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes strings, and byte arrays of any length.
///
/// The objects of a dictionary are made once and shared by the rows that have them.
final class TextObjects extends ObjectMaker {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private static final int STRING_BYTES = 24;
  private static final int COPIED_BYTES = 4 << 10;

  private final boolean binary;
  private ColumnSlice slice;
  private @Nullable TextDictionary dictionary;
  private @Nullable Object[] dictionaryObjects = new Object[0];
  private byte[] bytes = new byte[64];
  private @Nullable AsciiStrings ascii;
  private long made; // bytes, in one call

  @SuppressWarnings("NullAway.Init") // bind() comes before make()
  TextObjects(DataType type) {
    this.binary = type instanceof DataType.Binary;
  }

  @Override
  public void bind(ColumnSlice bound) {
    slice = bound;
    if (bound.dictionary() != null && !bound.dictionary().equals(dictionary)) {
      dictionary = bound.dictionary();
      dictionaryObjects = new Object[dictionary.size()];
    }
  }

  @Override
  public long make(int from, int count, @Nullable Object[] objects, int to)
      throws BadValueException {
    MemorySegment validity = slice.validity();
    MemorySegment codes = slice.codes();
    made = 0;
    if (codes != null) {
      for (int i = 0; i < count; i++) {
        boolean present = isPresent(validity, from + i);
        objects[to + i] = present ? entry(codes.getAtIndex(INT, from + i)) : null;
      }
      return made;
    }
    MemorySegment offsets = Objects.requireNonNull(slice.offsets());
    for (int i = 0; i < count; ) {
      int end = binary ? i : some(offsets, from + i, from + count, COPIED_BYTES) - from;
      if (end > i) {
        strings(offsets, from + i, from + end, objects, to + i);
        i = end;
      } else {
        boolean present = isPresent(validity, from + i);
        objects[to + i] = present ? value(slice.values(), offsets, from + i) : null;
        i++;
      }
    }
    return made;
  }

  /// Returns where to stop copying, from `row` on, so that the texts take at most `bytes` together.
  static int some(MemorySegment offsets, int row, int end, int bytes) {
    long most = (long) offsets.getAtIndex(INT, row) + bytes;
    if (offsets.getAtIndex(INT, end) <= most) {
      return end;
    }
    int some = row;
    while (some < end && offsets.getAtIndex(INT, some + 1) <= most) {
      some++;
    }
    return some;
  }

  private void strings(MemorySegment offsets, int row, int end, @Nullable Object[] objects, int to)
      throws BadValueException {
    MemorySegment validity = slice.validity();
    int first = offsets.getAtIndex(INT, row);
    int length = offsets.getAtIndex(INT, end) - first;
    room(COPIED_BYTES);
    if (ascii == null) {
      ascii = new AsciiStrings();
    }
    MemorySegment.copy(slice.values(), ValueLayout.JAVA_BYTE, first, bytes, 0, length);
    boolean isAscii = AsciiStrings.isAscii(bytes, length);
    int at = 0;
    for (int i = 0; i < end - row; i++) {
      int next = offsets.getAtIndex(INT, row + i + 1) - first;
      if (!isPresent(validity, row + i)) {
        objects[to + i] = null;
      } else {
        objects[to + i] = isAscii ? ascii.make(bytes, at, next - at) : string(at, next - at);
        made += ARRAY_BYTES + STRING_BYTES + next - at;
      }
      at = next;
    }
  }

  private @Nullable Object entry(int code) throws BadValueException {
    Object object = dictionaryObjects[code];
    if (object == null && dictionary != null) {
      object = value(dictionary.values(), dictionary.offsets(), code);
      dictionaryObjects[code] = object;
    }
    return object;
  }

  private Object value(MemorySegment values, MemorySegment offsets, int index)
      throws BadValueException {
    int start = offsets.getAtIndex(INT, index);
    int length = offsets.getAtIndex(INT, index + 1) - start;
    made += ARRAY_BYTES + length + (binary ? 0 : STRING_BYTES);
    if (binary) {
      return values.asSlice(start, length).toArray(ValueLayout.JAVA_BYTE);
    }
    room(length);
    MemorySegment.copy(values, ValueLayout.JAVA_BYTE, start, bytes, 0, length);
    return string(0, length);
  }

  private void room(int length) {
    if (bytes.length - AsciiStrings.ROOM < length) {
      bytes = new byte[Math.max(length, bytes.length * 2) + AsciiStrings.ROOM];
    }
  }

  private String string(int at, int length) throws BadValueException {
    String string = new String(bytes, at, length, StandardCharsets.UTF_8);
    if (string.indexOf('\uFFFD') >= 0) {
      requireUtf8(at, length);
    }
    return string;
  }

  /// Checks that a replacement character is in the data, and does not stand for bytes that are not
  /// UTF-8.
  private void requireUtf8(int at, int length) throws BadValueException {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, at, length));
    } catch (CharacterCodingException e) {
      throw new BadValueException(
          "text", "the value is not UTF-8. Rewrite the column as binary", e);
    }
  }
}
