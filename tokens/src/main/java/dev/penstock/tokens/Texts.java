package dev.penstock.tokens;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import dev.penstock.transform.ColumnBlock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The texts of a column of strings, or of lists of strings, made one at a time.
///
/// @param slice the strings
/// @param lists by row, its strings; null where each row has one
/// @param isNullable whether the column may have nulls
record Texts(ColumnSlice slice, @Nullable ColumnSlice lists, boolean isNullable) {
  /// The most bytes of a text that is tokenised as a whole, 16 MiB: as of a record of CSV and JSON.
  static final int LONGEST = 16 << 20;

  /// Returns the texts of a column of a block.
  ///
  /// @throws IllegalArgumentException if there is no such column, or it has no strings
  static Texts of(ColumnBlock block, String column) {
    ColumnSlice slice = block.slice(column); // its error lists the columns
    Field field = block.schema().find(column).orElseThrow();
    if (field.type() instanceof DataType.List(DataType.Utf8 _, boolean _)) {
      return new Texts(slice.children().getFirst(), slice, field.nullable());
    }
    if (!(field.type() instanceof DataType.Utf8)) {
      throw new IllegalArgumentException(
          "Cannot tokenise column '"
              + column
              + "': it is "
              + field.type()
              + " but expected strings, or lists of strings.");
    }
    return new Texts(slice, null, field.nullable());
  }

  /// Returns the first text of a row; the next row's is behind the last of this one.
  int first(int row) {
    return lists == null ? row : offset(Objects.requireNonNull(lists.offsets()), row);
  }

  boolean isNullRow(int row) {
    return isNull(lists == null ? slice : lists, row);
  }

  boolean isNull(int text) {
    return isNull(slice, text);
  }

  private static boolean isNull(ColumnSlice slice, int index) {
    MemorySegment validity = slice.validity();
    return validity != null
        && (validity.get(ValueLayout.JAVA_BYTE, index >>> 3) >>> (index & 7) & 1) == 0;
  }

  /// Returns a text.
  String get(int text) {
    return decoded(bytes(text));
  }

  /// Decodes a text. Bytes that are not UTF-8 become U+FFFD, as in Python.
  static String decoded(MemorySegment utf8) {
    byte[] bytes = utf8.toArray(ValueLayout.JAVA_BYTE);
    String text = new String(bytes, StandardCharsets.UTF_8);
    return text.indexOf('\uFFFD') < 0 ? text : withoutSurrogates(bytes);
  }

  /// Returns a text in which each byte of an encoded surrogate is a U+FFFD, as Unicode recommends
  /// and Python does. Java takes one for the whole surrogate.
  private static String withoutSurrogates(byte[] bytes) {
    for (int i = 0; i + 1 < bytes.length; i++) {
      if (bytes[i] == (byte) 0xED && (bytes[i + 1] & 0xE0) == 0xA0) {
        bytes[i] = (byte) 0xFF;
      }
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /// Returns the bytes of a text.
  MemorySegment bytes(int text) {
    TextDictionary dictionary = slice.dictionary();
    return dictionary == null
        ? bytes(slice.values(), Objects.requireNonNull(slice.offsets()), text)
        : bytes(
            dictionary.values(),
            dictionary.offsets(),
            Objects.requireNonNull(slice.codes()).getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, text));
  }

  private static MemorySegment bytes(MemorySegment values, MemorySegment offsets, int index) {
    int start = offset(offsets, index);
    return values.asSlice(start, (long) offset(offsets, index + 1) - start);
  }

  private static int offset(MemorySegment offsets, int index) {
    return offsets.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index);
  }
}
