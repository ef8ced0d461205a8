package dev.penstock.internal.variant;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The metadata of a variant: the names of the fields of all its objects, by number.
///
/// Immutable but for what it remembers.
///
/// **Threads.** One at a time.
public final class VariantNames {
  private static final int VERSION = 1;

  private final byte[] bytes; // a copy: rows mostly have the metadata of the row before
  private final int[] starts;
  private final @Nullable String[] names;
  private @Nullable Map<String, Integer> numbers; // made on first use

  private VariantNames(byte[] bytes, int[] starts) {
    this.bytes = bytes;
    this.starts = starts;
    this.names = new String[starts.length - 1];
  }

  /// Reads the metadata that starts at byte `from` and ends at `end` or before. Returns `last`, the
  /// metadata of another value, if its bytes are the same.
  public static VariantNames of(byte[] bytes, int from, int end, @Nullable VariantNames last)
      throws VariantException {
    if (last != null) {
      int length = last.bytes.length;
      if (length <= end - from
          && Arrays.equals(bytes, from, from + length, last.bytes, 0, length)) {
        return last;
      }
    }
    return read(bytes, from, end);
  }

  private static VariantNames read(byte[] bytes, int from, int end) throws VariantException {
    VariantBytes.end(from, 1, end);
    int version = bytes[from] & 0xF;
    if (version != VERSION) {
      throw new VariantException(
          "its metadata has version " + version + " but only version 1 can be read.");
    }
    int width = (bytes[from] >>> 6 & 3) + 1;
    int offsets = VariantBytes.end(from + 1, width, end);
    long count = VariantBytes.unsigned(bytes, from + 1, width);
    int texts = VariantBytes.end(offsets, (count + 1) * width, end);
    int[] starts = new int[(int) count + 1];
    int before = texts;
    for (int i = 0; i <= count; i++) {
      long offset = VariantBytes.unsigned(bytes, offsets + i * width, width);
      int start = VariantBytes.end(texts, offset, end);
      if (start < before || (i == 0 && offset != 0)) {
        throw new VariantException("the names in its metadata overlap.");
      }
      if (i > 0) {
        VariantBytes.requireUtf8(bytes, before, start - before);
      }
      starts[i] = start - from;
      before = start;
    }
    return new VariantNames(Arrays.copyOfRange(bytes, from, before), starts);
  }

  /// Returns how many bytes the metadata has.
  public int length() {
    return bytes.length;
  }

  int size() {
    return names.length;
  }

  byte[] bytes() {
    return bytes;
  }

  String name(int number) {
    String name = names[number];
    if (name == null) {
      int start = starts[number];
      name = VariantBytes.text(bytes, start, starts[number + 1] - start);
      names[number] = name;
    }
    return name;
  }

  int number(String name) throws VariantException {
    Map<String, Integer> known = numbers;
    if (known == null) {
      known = HashMap.newHashMap(names.length);
      for (int i = 0; i < names.length; i++) {
        known.put(name(i), i);
      }
      numbers = known;
    }
    Integer number = known.get(name);
    if (number == null) {
      throw new VariantException("its metadata lacks the name '" + name + "' of a column.");
    }
    return number;
  }
}
