package dev.penstock.arrow.ipc;

import static dev.penstock.spi.format.LittleEndian.INT;
import static dev.penstock.spi.format.LittleEndian.LONG;
import static dev.penstock.spi.format.LittleEndian.SHORT;

import dev.penstock.arrow.ipc.IpcColumn.Change;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.TextDictionary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads rows of one column as slices.
///
/// Slices have Arrow's layout, so values stay as in the file, and offsets are only moved to start
/// at 0. Arrow allows two things that slices do not. Parts of a struct may be present where the
/// struct is null, so validity bits are combined from the outside in. Null lists may have elements:
/// these are left out ([ListGaps]), or slices end where such rows begin and end.
///
/// One class reads all layouts, because lists and structs contain columns of any layout.
///
/// **Ownership.** It or the batch's body owns the memory of its slices; each call reuses it.
final class ColumnReader {
  private static final long MILLIS_PER_DAY = 86_400_000;

  /// Slices end before the values of a column take more than this, unless a single row does.
  static final long SLICE_BYTES_MAX = 16 << 20;

  /// Columns of type null take no bytes, so a file can claim any number of rows: slices are
  /// limited.
  private static final int NULLS_MAX = 4 << 20;

  private final List<IpcColumn> above;
  private final IpcColumn column;
  private final Dictionaries dictionaries;
  private final List<ColumnReader> children = new ArrayList<>();
  private final ScratchBuffer stored;
  private final ScratchBuffer shifted;
  private final ScratchBuffer joined;
  private final ScratchBuffer read;
  private final RowBuffer starts;
  private final ScratchBuffer values;
  private final ScratchBuffer offsets;
  private final Views views;
  private final ListGaps gaps;

  ColumnReader(List<IpcColumn> path, Dictionaries dictionaries, ScratchMemory memory) {
    this.above = path.subList(0, path.size() - 1);
    this.column = path.getLast();
    this.dictionaries = dictionaries;
    this.stored = new ScratchBuffer(memory);
    this.shifted = new ScratchBuffer(memory);
    this.joined = new ScratchBuffer(memory);
    this.read = new ScratchBuffer(memory);
    this.starts = new RowBuffer(column, column.width(), 1, memory);
    this.values = new ScratchBuffer(memory);
    this.offsets = new ScratchBuffer(memory);
    this.views = new Views(column, memory);
    this.gaps = new ListGaps(memory);
    if (column.dictionary() != null) {
      dictionaries.want(column.dictionary());
    }
    column
        .children()
        .forEach(child -> children.add(new ColumnReader(List.of(child), dictionaries, memory)));
  }

  /// The validity of some rows; bits are null if no row is null.
  private record Valid(@Nullable MemorySegment bits, int nulls) {
    static final Valid ALL = new Valid(null, 0);

    boolean isNull(int row) {
      return bits != null && (bits.get(ValueLayout.JAVA_BYTE, row >> 3) >> (row & 7) & 1) == 0;
    }
  }

  /// Returns how many of the rows fit into one slice: at least one.
  int limit(Body body, long from, int count) throws IOException {
    return limit(body, from, count, path(body, from, count));
  }

  private int limit(Body body, long from, int count, Valid parent) throws IOException {
    long width = Math.max(1, Math.max(column.width(), column.type().byteWidth()));
    int most = (int) Math.min(count, Math.max(1, SLICE_BYTES_MAX / width));
    return switch (column.layout()) {
      case VIEWS -> views.limit(body, from, most);
      case VARIABLE -> {
        int rows = starts.limit(body, from, most);
        yield fit(starts(body, from, rows), rows, SLICE_BYTES_MAX);
      }
      case LIST, FIXED_LIST -> {
        int rows = starts.limit(body, from, most);
        Valid valid = valid(body, from, rows, parent);
        if (valid.nulls == rows) {
          yield rows;
        }
        MemorySegment stored = starts(body, from, rows);
        rows = fit(body, stored, rows);
        yield valid.nulls == 0 || canClose() ? rows : limit(stored, rows, valid);
      }
      case STRUCT -> {
        Valid valid = valid(body, from, most, parent);
        int rows = most;
        for (ColumnReader child : children) {
          rows = child.limit(body, from, rows, valid);
        }
        yield rows;
      }
      default -> most;
    };
  }

  /// Returns how many lists have elements that together fit into one slice: at least one.
  private int fit(Body body, MemorySegment starts, int rows) throws IOException {
    long first = start(starts, 0);
    long elements = start(starts, rows) - first;
    if (elements <= 0) {
      return rows; // No elements, or corrupt.
    }
    int some = (int) Math.min(elements, Integer.MAX_VALUE);
    return fit(starts, rows, children.getFirst().limit(body, first, some, Valid.ALL));
  }

  /// Returns how many rows together have at most a number of bytes or elements: at least one.
  private int fit(MemorySegment starts, int rows, long most) {
    long first = start(starts, 0);
    if (start(starts, rows) - first <= most) {
      return rows;
    }
    int fit = 1;
    while (fit < rows && start(starts, fit + 1) - first <= most) {
      fit++;
    }
    return fit;
  }

  /// If null lists have elements, returns the length of the first run of lists that are all null or
  /// all present.
  private int limit(MemorySegment starts, int count, Valid valid) {
    boolean filled = isFilled(starts, count, valid);
    int same = count;
    for (int i = 1; i < same && filled; i++) {
      if (valid.isNull(i) != valid.isNull(0)) {
        same = i;
      }
    }
    return same;
  }

  /// Returns whether a null list has elements.
  private boolean isFilled(MemorySegment starts, int count, Valid valid) {
    for (int i = 0; i < count && valid.nulls > 0; i++) {
      if (valid.isNull(i) && start(starts, i + 1) != start(starts, i)) {
        return true;
      }
    }
    return false;
  }

  private boolean canClose() {
    return ListGaps.canClose(column.children().getFirst());
  }

  ColumnSlice read(Body body, long from, int count) throws IOException {
    return slice(body, from, count, path(body, from, count));
  }

  /// Returns the rows' validity in the structs around the column.
  private Valid path(Body body, long from, int count) throws IOException {
    Valid valid = Valid.ALL;
    for (IpcColumn struct : above) {
      valid = valid(body, struct, from, count, valid);
    }
    return valid;
  }

  private Valid valid(Body body, long from, int count, Valid parent) throws IOException {
    return valid(body, column, from, count, parent);
  }

  /// Returns the rows where neither the column nor a struct around it is null.
  private Valid valid(Body body, IpcColumn of, long from, int count, Valid parent)
      throws IOException {
    int buffer = body.batch().buffer(of);
    if (count == 0 || body.batch().nullCounts()[of.place().node()] == 0) {
      return parent;
    }
    if (body.length(buffer) == 0) {
      return parent; // The buffer was omitted: there are no nulls, whatever the null count says.
    }
    MemorySegment bits = bits(body, of, buffer, from, count, "validity bits");
    MemorySegment own = joined.ensure((count + 63) / 64 * 8L);
    long present = 0;
    for (int at = 0; at < count; at += 8) {
      int some = bits.get(ValueLayout.JAVA_BYTE, at >> 3);
      if (parent.bits != null) {
        some &= parent.bits.get(ValueLayout.JAVA_BYTE, at >> 3);
      }
      if (count - at < 8) {
        some &= (1 << (count - at)) - 1;
      }
      own.set(ValueLayout.JAVA_BYTE, at >> 3, (byte) some);
      present += Integer.bitCount(some & 0xff);
    }
    return present == count ? Valid.ALL : new Valid(own, (int) (count - present));
  }

  /// Returns bits of a buffer, shifted to start with the first row.
  private MemorySegment bits(Body body, IpcColumn of, int buffer, long from, int count, String what)
      throws IOException {
    long first = from >> 3;
    long end = (from + count + 7) >> 3;
    MemorySegment bytes = body.bytes(of, buffer, first, end - first, stored, what);
    int shift = (int) (from & 7);
    if (shift == 0) {
      return bytes;
    }
    int length = (count + 7) >> 3;
    MemorySegment moved = shifted.ensure(length);
    for (int i = 0; i < length; i++) {
      int low = (bytes.get(ValueLayout.JAVA_BYTE, i) & 0xff) >> shift;
      int high = i + 1 < end - first ? bytes.get(ValueLayout.JAVA_BYTE, i + 1) << (8 - shift) : 0;
      moved.set(ValueLayout.JAVA_BYTE, i, (byte) (low | high));
    }
    return moved;
  }

  private ColumnSlice slice(Body body, long from, int count, Valid parent) throws IOException {
    DataType type = column.type();
    if (column.layout() == IpcColumn.Layout.NONE) {
      return nulls(body, count);
    }
    Valid valid = valid(body, from, count, parent);
    int buffer = body.batch().buffer(column);
    return switch (column.layout()) {
      case BITS -> {
        MemorySegment bits = bits(body, column, buffer + 1, from, count, "values");
        // The bits may lie where the next call reads others.
        MemorySegment own = values.ensure((count + 63) / 64 * 8L);
        MemorySegment.copy(bits, 0, own, 0, (count + 7) >> 3);
        yield ColumnSlice.fixed(type, count, valid.nulls, valid.bits, own);
      }
      case FIXED ->
          ColumnSlice.fixed(
              type, count, valid.nulls, valid.bits, fixed(body, buffer + 1, from, count, valid));
      case VARIABLE -> {
        MemorySegment starts = starts(body, from, count);
        long first = count == 0 ? 0 : start(starts, 0);
        int length = move(body, starts, count, first, 1);
        MemorySegment bytes = body.bytes(column, buffer + 2, first, length, values, "values");
        yield ColumnSlice.variable(type, count, valid.nulls, valid.bits, bytes, moved(count));
      }
      case VIEWS -> views.read(body, from, count, valid::isNull, valid.nulls, valid.bits);
      case CODES -> codes(body, buffer + 1, from, count, valid);
      case LIST, FIXED_LIST -> list(body, from, count, valid);
      case STRUCT -> {
        List<ColumnSlice> fields = new ArrayList<>();
        for (ColumnReader child : children) {
          fields.add(child.slice(body, from, count, valid));
        }
        yield ColumnSlice.struct(type, count, valid.nulls, valid.bits, fields);
      }
      case NONE, OTHER -> throw new IllegalStateException("Cannot read " + type);
    };
  }

  private ColumnSlice nulls(Body body, int count) throws IOException {
    if (count > NULLS_MAX) {
      throw body.fail(
          column,
          "Unsupported Arrow list",
          ("lists of nothing but nulls have %s of them together but can have %s. Leave the"
                  + " column out.")
              .formatted(count, NULLS_MAX));
    }
    MemorySegment bits = joined.ensure((count + 63) / 64 * 8L).fill((byte) 0);
    MemorySegment zeros = values.ensure((long) column.width() * count).fill((byte) 0);
    return ColumnSlice.fixed(column.type(), count, count, count == 0 ? null : bits, zeros);
  }

  // --- Lists

  private ColumnSlice list(Body body, long from, int count, Valid valid) throws IOException {
    DataType type = column.type();
    MemorySegment starts = starts(body, from, count);
    boolean none = valid.nulls == count;
    long first = none ? 0 : start(starts, 0);
    int length = 0;
    boolean filled = false;
    if (none) {
      moved(count).asSlice(0, 4L * count + 4).fill((byte) 0);
    } else {
      length = move(body, starts, count, first, 0);
      filled = isFilled(starts, count, valid);
      if (filled && !canClose()) {
        throw body.fail(
            column,
            "Unsupported Arrow list",
            "a list within others is null but has elements. Write the file anew, or"
                + " leave the column out.");
      }
    }
    ColumnSlice element = children.getFirst().slice(body, first, length, Valid.ALL);
    if (filled) {
      element = gaps.close(element, moved(count), count, valid::isNull);
      length = element.rowCount();
    }
    if (type instanceof DataType.Map map) {
      ColumnSlice key = element.children().getFirst();
      if (element.nullCount() > 0 || key.nullCount() > 0) {
        throw body.fail(column, "Corrupt Arrow file", "a key is null.");
      }
      element = ColumnSlice.struct(map.entry(), length, 0, null, element.children());
    }
    return ColumnSlice.list(type, count, valid.nulls, valid.bits, moved(count), element);
  }

  private MemorySegment moved(int count) {
    return offsets.ensure(4L * count + 4);
  }

  /// Returns the stored offsets of some rows and of the row after them.
  private MemorySegment starts(Body body, long from, int count) throws IOException {
    if (column.layout() == IpcColumn.Layout.FIXED_LIST) {
      MemorySegment made = read.ensure(8L * count + 8);
      for (int i = 0; i <= count; i++) {
        made.set(LONG, 8L * i, (from + i) * column.width());
      }
      return made;
    }
    if (count == 0) {
      MemorySegment made = read.ensure(8);
      made.set(LONG, 0, 0);
      return made;
    }
    return starts.read(body, body.batch().buffer(column) + 1, from, count, "offsets");
  }

  private long start(MemorySegment starts, int row) {
    return column.layout() == IpcColumn.Layout.FIXED_LIST || column.width() == 8
        ? starts.get(LONG, 8L * row)
        : starts.get(INT, 4L * row);
  }

  /// Moves offsets to start at 0, after checking that they rise.
  ///
  /// @return the difference of the first and the last
  private int move(Body body, MemorySegment starts, int count, long first, int unit)
      throws IOException {
    MemorySegment to = moved(count);
    long before = first;
    for (int i = 0; i <= count; i++) {
      long start = count == 0 ? first : start(starts, i);
      if (start - first > Integer.MAX_VALUE - 64) {
        throw body.fail(
            column,
            "Unsupported Arrow file",
            "the "
                + (unit == 1 ? "values of a row or of a dictionary have " : "lists of a row have ")
                + (start - first)
                + (unit == 1 ? " bytes." : " elements."));
      }
      if (start < before) {
        throw body.fail(
            column,
            "Corrupt Arrow file",
            "%s ends at %s but starts at %s."
                .formatted(unit == 1 ? "a value" : "a list", start, before));
      }
      before = start;
      to.set(INT, 4L * i, (int) (start - first));
    }
    if (first < 0) {
      throw body.fail(column, "Corrupt Arrow file", "an offset is " + first + ".");
    }
    return (int) (before - first);
  }

  // --- Values

  private MemorySegment fixed(Body body, int buffer, long from, int count, Valid valid)
      throws IOException {
    long width = column.width();
    int wanted = column.type().byteWidth();
    boolean same =
        column.change() == Change.NONE
            || (column.change() == Change.DECIMAL && column.width() == wanted);
    MemorySegment bytes =
        body.bytes(column, buffer, from * width, count * width, same ? values : read, "values");
    if (same) {
      return bytes;
    }
    MemorySegment to = values.ensure((long) wanted * count);
    for (int i = 0; i < count; i++) {
      if (valid.isNull(i)) {
        to.asSlice((long) wanted * i, wanted).fill((byte) 0);
        continue;
      }
      switch (column.change()) {
        case SECONDS_TO_MILLIS -> {
          if (wanted == 4) {
            to.set(INT, 4L * i, bytes.get(INT, 4L * i) * 1000);
          } else {
            long seconds = bytes.get(LONG, 8L * i);
            if (Math.abs(seconds) > Long.MAX_VALUE / 1000) {
              throw tooFar(body, seconds + " s");
            }
            to.set(LONG, 8L * i, seconds * 1000);
          }
        }
        case MILLIS_TO_DAYS -> {
          long days = Math.floorDiv(bytes.get(LONG, 8L * i), MILLIS_PER_DAY);
          if (days != (int) days) {
            throw tooFar(body, days + " days");
          }
          to.set(INT, 4L * i, (int) days);
        }
        case DECIMAL -> decimal(body, bytes, i, to, wanted);
        case NONE -> throw new IllegalStateException();
      }
    }
    return to;
  }

  private IOException tooFar(Body body, String value) {
    return body.fail(
        column, "Unsupported Arrow value", value + " from 1970 do not fit " + column.type() + ".");
  }

  /// Makes a decimal narrower or wider; the bytes cut off must be only sign bits.
  private void decimal(Body body, MemorySegment from, int row, MemorySegment to, int wanted)
      throws IOException {
    int width = column.width();
    int sign = from.get(ValueLayout.JAVA_BYTE, (long) width * row + width - 1) < 0 ? -1 : 0;
    for (int b = 0; b < Math.max(width, wanted); b++) {
      int value = b < width ? from.get(ValueLayout.JAVA_BYTE, (long) width * row + b) : sign;
      if (b < wanted) {
        to.set(ValueLayout.JAVA_BYTE, (long) wanted * row + b, (byte) value);
      } else if (value != sign) {
        throw body.fail(
            column, "Corrupt Arrow file", "a value does not fit " + column.type() + ".");
      }
    }
  }

  // --- Dictionaries

  private ColumnSlice codes(Body body, int buffer, long from, int count, Valid indices)
      throws IOException {
    IpcColumn.Dictionary of = column.dictionary();
    if (of == null) {
      throw new IllegalStateException("Codes have a dictionary.");
    }
    Dictionaries.Values known = dictionaries.find(of.id());
    int size = known == null ? 0 : known.size();
    long width = column.width();
    MemorySegment stored =
        body.bytes(column, buffer, from * width, count * width, read, "dictionary indices");
    MemorySegment codes = values.ensure(4L * count);
    for (int i = 0; i < count; i++) {
      long code = indices.isNull(i) ? 0 : code(stored, i, of.signed());
      if (code < 0 || (code >= size && !indices.isNull(i))) {
        throw body.fail(
            column,
            "Corrupt Arrow file",
            "the index " + code + " points at a dictionary of " + size + " values.");
      }
      codes.set(INT, 4L * i, (int) code);
    }
    Valid valid =
        known == null || known.nulls().isEmpty()
            ? indices
            : present(indices, codes, count, known.nulls());
    TextDictionary texts = known == null ? null : known.texts();
    if (texts != null || known == null) {
      TextDictionary dictionary =
          texts == null ? new TextDictionary(0, MemorySegment.NULL, noOffsets()) : texts;
      return column.type().isVariableWidth()
          ? ColumnSlice.coded(column.type(), count, valid.nulls, valid.bits, codes, dictionary)
          : ColumnSlice.fixed(
              column.type(), count, valid.nulls, valid.bits, gathered(codes, count, null));
    }
    return ColumnSlice.fixed(
        column.type(), count, valid.nulls, valid.bits, gathered(codes, count, known));
  }

  /// Returns the rows whose code refers to a value that is not null; all other codes become 0.
  private Valid present(Valid indices, MemorySegment codes, int count, BitSet nullValues) {
    MemorySegment bits = joined.ensure((count + 63) / 64 * 8L);
    int nulls = 0;
    int some = 0;
    for (int i = 0; i < count; i++) {
      if (indices.isNull(i) || nullValues.get(codes.get(INT, 4L * i))) {
        codes.set(INT, 4L * i, 0);
        nulls++;
      } else {
        some |= 1 << (i & 7);
      }
      if ((i & 7) == 7 || i == count - 1) {
        bits.set(ValueLayout.JAVA_BYTE, i >> 3, (byte) some);
        some = 0;
      }
    }
    return nulls == 0 ? Valid.ALL : new Valid(bits, nulls);
  }

  private MemorySegment noOffsets() {
    MemorySegment zero = offsets.ensure(4);
    zero.set(INT, 0, 0);
    return zero;
  }

  private long code(MemorySegment stored, int row, boolean signed) {
    return switch (column.width()) {
      case 1 -> {
        byte code = stored.get(ValueLayout.JAVA_BYTE, row);
        yield signed ? code : code & 0xff;
      }
      case 2 -> {
        short code = stored.get(SHORT, 2L * row);
        yield signed ? code : code & 0xffff;
      }
      case 4 -> {
        int code = stored.get(INT, 4L * row);
        yield signed ? code : code & 0xffffffffL;
      }
      default -> stored.get(LONG, 8L * row);
    };
  }

  private MemorySegment gathered(MemorySegment codes, int count, Dictionaries.@Nullable Values of) {
    int width = column.type().byteWidth();
    MemorySegment to = read.ensure((long) width * count);
    for (int i = 0; i < count; i++) {
      if (of == null || of.size() == 0) {
        to.asSlice((long) width * i, width).fill((byte) 0);
      } else {
        long from = (long) width * codes.get(INT, 4L * i);
        MemorySegment.copy(of.fixed(), from, to, (long) width * i, width);
      }
    }
    return to;
  }
}
