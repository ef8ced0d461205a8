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

/// The texts of a column, made one at a time.
///
/// @param isNullable whether the column may have nulls
record Texts(ColumnSlice slice, boolean isNullable) {
  /// The most bytes of a text, 16 MiB: as of a record of CSV and JSON.
  private static final int LONGEST = 16 << 20;

  /// Returns the texts of a column of a block.
  ///
  /// @throws IllegalArgumentException if there is no such column, or it is not of strings
  static Texts of(ColumnBlock block, String column) {
    ColumnSlice slice = block.slice(column); // its error lists the columns
    Field field = block.schema().find(column).orElseThrow();
    if (!(field.type() instanceof DataType.Utf8)) {
      throw new IllegalArgumentException(
          "Cannot tokenise column '"
              + column
              + "': it is "
              + field.type()
              + " but expected strings.");
    }
    return new Texts(slice, field.nullable());
  }

  /// Returns a text; null for a null. Bytes that are not UTF-8 become U+FFFD, as in Python.
  @Nullable String get(int row) {
    MemorySegment validity = slice.validity();
    if (validity != null
        && (validity.get(ValueLayout.JAVA_BYTE, row >>> 3) >>> (row & 7) & 1) == 0) {
      return null;
    }
    TextDictionary dictionary = slice.dictionary();
    return dictionary == null
        ? text(slice.values(), Objects.requireNonNull(slice.offsets()), row)
        : text(
            dictionary.values(),
            dictionary.offsets(),
            Objects.requireNonNull(slice.codes()).getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, row));
  }

  private static String text(MemorySegment values, MemorySegment offsets, int index) {
    int start = offsets.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index);
    int end = offsets.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index + 1L);
    if (end - start > LONGEST) {
      throw new IllegalArgumentException(
          "Cannot tokenise a text of "
              + (end - start)
              + " bytes: the tokenizer takes over 160 bytes of memory for each, so a text may have "
              + LONGEST
              + ". Cut it when you write the files, or leave its row out.");
    }
    byte[] bytes = values.asSlice(start, (long) end - start).toArray(ValueLayout.JAVA_BYTE);
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
}
