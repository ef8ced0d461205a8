package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.spi.format.Dictionary;
import java.lang.foreign.MemorySegment;

/// Writes coded values out as plain ones, for a slice with both kinds: the writer gave up its
/// dictionary within a row.
final class CodedValues {
  private CodedValues() {}

  /// Appends the values of slots `[at, at + count)`, each with a code, and returns how many bytes
  /// of `values` are used. Nulls become empty. `ends` has the offsets of all slots, set up to `at`.
  static long append(
      Dictionary dictionary,
      MemorySegment codes,
      Validity validity,
      int at,
      int count,
      MemorySegment ends,
      Buffer values)
      throws PageException {
    long used = ends.get(Raw.INT, at * 4L);
    long offset = used;
    for (int i = 0; i < count; i++) {
      if (validity.isPresent(at + i)) {
        long code = codes.get(Raw.INT, i * 4L);
        offset += end(dictionary, code) - start(dictionary, code);
      }
      ends.set(Raw.INT, (at + i + 1) * 4L, (int) offset);
    }
    if (offset > Integer.MAX_VALUE) {
      throw new PageException(
          "Unsupported Parquet row: its values have more than 2 GiB. Write smaller rows.");
    }
    MemorySegment target = values.grow(offset, used);
    for (int i = 0; i < count; i++) {
      int length = ends.get(Raw.INT, (at + i + 1) * 4L) - (int) used;
      if (length > 0) {
        long start = start(dictionary, codes.get(Raw.INT, i * 4L));
        MemorySegment.copy(dictionary.values(), start, target, used, length);
        used += length;
      }
    }
    return used;
  }

  private static int start(Dictionary dictionary, long code) {
    return dictionary.offsets().get(Raw.INT, code * 4);
  }

  private static int end(Dictionary dictionary, long code) {
    return dictionary.offsets().get(Raw.INT, code * 4 + 4);
  }
}
