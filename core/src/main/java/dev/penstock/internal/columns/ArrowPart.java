package dev.penstock.internal.columns;

import static dev.penstock.internal.memory.Raw.INT;
import static dev.penstock.internal.memory.Raw.LONG;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.slices.Validity;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Rows of a column, collected from one or several places into one piece of memory, in the layout
/// of [dev.penstock.spi.batch.BatchForm].
final class ArrowPart {
  /* Two passes over the same tree, parents before their children: bytes() counts the memory needed,
   * write() lays it out. Both walk alike, so write() never needs more than was counted; if it did,
   * slicing the memory would fail. */

  private static final long ALIGNMENT = 64;

  private final MemorySegment memory;
  private long used;

  private ArrowPart(MemorySegment memory) {
    this.memory = memory;
  }

  /// Some rows of a slice. Decimals of a slice that [#write] wrote have 16 bytes.
  record Stretch(ColumnSlice slice, int from, int count, boolean written) {
    /// Returns where the bytes or elements of the first row start.
    private long start() {
      return offset(0);
    }

    private long offset(int row) {
      return count == 0
          ? 0 // Slices without rows may have no offsets.
          : Objects.requireNonNull(slice.offsets()).getAtIndex(INT, (long) from + row);
    }

    private long end() {
      return offset(count);
    }

    private boolean isPresent(int row) {
      MemorySegment validity = slice.validity();
      return validity == null || Validity.isPresent(validity, from + row);
    }

    private int code(int row) {
      return Objects.requireNonNull(slice.codes()).getAtIndex(INT, (long) from + row);
    }

    private Stretch child() {
      return new Stretch(
          slice.children().getFirst(), (int) start(), (int) (end() - start()), written);
    }

    private Stretch child(int index) {
      return new Stretch(slice.children().get(index), from, count, written);
    }
  }

  /// Returns how many bytes a value takes; decimals take at least 16.
  static int width(DataType type) {
    return type instanceof DataType.Decimal ? Math.max(16, type.byteWidth()) : type.byteWidth();
  }

  /// Returns how many bytes rows of a type take.
  ///
  /// @throws IllegalStateException if 32-bit offsets do not suffice
  static long bytes(DataType type, List<Stretch> stretches) {
    long rows = rows(stretches);
    long validity = aligned(BitCopy.bytes(rows));
    return switch (type) {
      case DataType.Bool _ -> 2 * validity;
      case DataType.Utf8 _, DataType.Binary _ ->
          validity + aligned((rows + 1) * 4) + aligned(valueBytes(stretches));
      case DataType.List(DataType element, boolean _) ->
          validity + aligned((rows + 1) * 4) + bytes(element, elements(stretches));
      case DataType.Map map ->
          validity + aligned((rows + 1) * 4) + bytes(map.entry(), elements(stretches));
      case DataType.Struct(var fields) -> {
        long bytes = validity;
        for (int i = 0; i < fields.size(); i++) {
          bytes += bytes(fields.get(i).type(), field(stretches, i));
        }
        yield bytes;
      }
      default -> validity + aligned(rows * width(type));
    };
  }

  /// Writes rows to 8-byte aligned memory of at least [#bytes], all offsets from 0 on, with
  /// validity bits at all levels.
  static ColumnSlice write(DataType type, List<Stretch> stretches, MemorySegment memory) {
    return new ArrowPart(memory).write(type, stretches);
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
  }

  private static int rows(List<Stretch> stretches) {
    return (int) requireOffset(stretches.stream().mapToLong(Stretch::count).sum());
  }

  private static long requireOffset(long offset) {
    if (offset > Integer.MAX_VALUE) {
      throw Advice.stateError(
          "one column's strings, binaries or elements in one batch are %s bytes or elements,"
              + " but Arrow's offsets have 32 bits. Use a smaller %s",
          offset, Remedy.name("batchSize"));
    }
    return offset;
  }

  private static long valueBytes(List<Stretch> stretches) {
    return requireOffset(stretches.stream().mapToLong(ArrowPart::valueBytes).sum());
  }

  private static long valueBytes(Stretch stretch) {
    TextDictionary dictionary = stretch.slice().dictionary();
    if (dictionary == null) {
      return stretch.end() - stretch.start();
    }
    long bytes = 0;
    for (int i = 0; i < stretch.count(); i++) {
      bytes += length(stretch, dictionary, i);
    }
    return bytes;
  }

  private static int length(Stretch stretch, TextDictionary dictionary, int row) {
    if (!stretch.isPresent(row)) {
      return 0; // A null's code means nothing, and the dictionary may be empty.
    }
    int code = stretch.code(row);
    MemorySegment offsets = dictionary.offsets();
    return offsets.getAtIndex(INT, code + 1L) - offsets.getAtIndex(INT, code);
  }

  private static List<Stretch> elements(List<Stretch> stretches) {
    return stretches.stream().map(Stretch::child).toList();
  }

  private static List<Stretch> field(List<Stretch> stretches, int index) {
    return stretches.stream().map(stretch -> stretch.child(index)).toList();
  }

  private MemorySegment take(long bytes) {
    MemorySegment taken = memory.asSlice(used, bytes);
    used += aligned(bytes);
    return taken;
  }

  private ColumnSlice write(DataType type, List<Stretch> stretches) {
    int rows = rows(stretches);
    MemorySegment words = words(stretches, rows, ColumnSlice::validity);
    int nulls = rows - BitCopy.count(words, rows);
    MemorySegment validity = words.asSlice(0, Math.ceilDiv(rows, 8));
    return switch (type) {
      case DataType.Bool _ -> {
        MemorySegment values = words(stretches, rows, ColumnSlice::values);
        MemorySegment bits = values.asSlice(0, Math.ceilDiv(rows, 8));
        yield ColumnSlice.fixed(type, rows, nulls, validity, bits);
      }
      case DataType.Utf8 _, DataType.Binary _ -> {
        MemorySegment offsets = take((rows + 1L) * 4);
        MemorySegment values = values(stretches, offsets);
        yield ColumnSlice.variable(type, rows, nulls, validity, values, offsets);
      }
      case DataType.List(DataType element, boolean _) ->
          list(type, element, stretches, rows, nulls, validity);
      case DataType.Map map -> list(type, map.entry(), stretches, rows, nulls, validity);
      case DataType.Struct(var fields) -> {
        List<ColumnSlice> children = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
          children.add(write(fields.get(i).type(), field(stretches, i)));
        }
        yield ColumnSlice.struct(type, rows, nulls, validity, children);
      }
      default -> ColumnSlice.fixed(type, rows, nulls, validity, fixed(type, stretches, rows));
    };
  }

  private MemorySegment words(
      List<Stretch> stretches, int rows, Function<ColumnSlice, @Nullable MemorySegment> bits) {
    MemorySegment words = take(BitCopy.bytes(rows)).fill((byte) 0);
    int row = 0;
    for (Stretch stretch : stretches) {
      BitCopy.or(bits.apply(stretch.slice()), stretch.from(), stretch.count(), words, row);
      row += stretch.count();
    }
    return words;
  }

  private MemorySegment fixed(DataType type, List<Stretch> stretches, int rows) {
    MemorySegment values = take((long) rows * width(type));
    int row = 0;
    for (Stretch stretch : stretches) {
      copyFixed(stretch, type, values, row);
      row += stretch.count();
    }
    return values;
  }

  /// Copies values of a fixed width; decimals of 8 bytes become 16.
  static void copyFixed(Stretch stretch, DataType type, MemorySegment values, long to) {
    MemorySegment source = stretch.slice().values();
    long from = stretch.from();
    long count = stretch.count();
    long width = width(type);
    if (type.byteWidth() == width || stretch.written()) {
      MemorySegment.copy(source, from * width, values, to * width, count * width);
      return;
    }
    for (long i = 0; i < count; i++) {
      long value = source.get(LONG, (from + i) * 8);
      values.set(LONG, (to + i) * 16, value);
      values.set(LONG, (to + i) * 16 + 8, value >> 63);
    }
  }

  private MemorySegment values(List<Stretch> stretches, MemorySegment offsets) {
    MemorySegment values = take(valueBytes(stretches));
    offsets.set(INT, 0, 0);
    int row = 0;
    long end = 0;
    for (Stretch stretch : stretches) {
      if (stretch.slice().dictionary() == null) {
        long start = stretch.start();
        long bytes = stretch.end() - start;
        MemorySegment.copy(stretch.slice().values(), start, values, end, bytes);
        copyOffsets(stretch, end - start, offsets, row);
        end += bytes;
      } else {
        end = copyEntries(stretch, values, end, offsets, row);
      }
      row += stretch.count();
    }
    return values;
  }

  private static void copyOffsets(Stretch stretch, long shift, MemorySegment offsets, int row) {
    MemorySegment source = Objects.requireNonNull(stretch.slice().offsets());
    for (int i = 1; i <= stretch.count(); i++) {
      long end = source.getAtIndex(INT, (long) stretch.from() + i);
      offsets.setAtIndex(INT, (long) row + i, (int) (end + shift));
    }
  }

  private static long copyEntries(
      Stretch stretch, MemorySegment values, long start, MemorySegment offsets, int row) {
    TextDictionary dictionary = Objects.requireNonNull(stretch.slice().dictionary());
    long end = start;
    for (int i = 0; i < stretch.count(); i++) {
      int length = length(stretch, dictionary, i);
      if (length > 0) {
        int entry = dictionary.offsets().getAtIndex(INT, stretch.code(i));
        MemorySegment.copy(dictionary.values(), entry, values, end, length);
        end += length;
      }
      offsets.setAtIndex(INT, row + i + 1L, (int) end);
    }
    return end;
  }

  private ColumnSlice list(
      DataType type,
      DataType element,
      List<Stretch> stretches,
      int rows,
      int nulls,
      MemorySegment validity) {
    MemorySegment offsets = take((rows + 1L) * 4);
    offsets.set(INT, 0, 0);
    int row = 0;
    long end = 0;
    for (Stretch stretch : stretches) {
      copyOffsets(stretch, end - stretch.start(), offsets, row);
      end += stretch.end() - stretch.start();
      row += stretch.count();
    }
    ColumnSlice child = write(element, elements(stretches));
    return ColumnSlice.list(type, rows, nulls, validity, offsets, child);
  }
}
