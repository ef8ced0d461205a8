package dev.penstock.internal.slices;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.Dictionary;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Copies of chosen rows of a column, in the layout of [ColumnSlice].
public final class ColumnCopy {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  /// For lists, room is made for as many elements as the first lists have on average, times this.
  private static final double RESERVED_MORE = 1.2;

  private static final int NUMBERS_AT_ONCE = 4096;

  /// More is not reserved for lists: they may be shorter than the first ones.
  private static final long RESERVED_BYTES_MAX = 32L << 20;

  private final DataType type;
  private final Texts texts;
  private final ScratchMemory memory;
  private final Buffer validity;
  private final Buffer values;
  private final Buffer offsets;
  private final Buffer codes;
  private final JoinedDictionary joined;
  private boolean isCoded; // whether the rows so far are codes of `joined`
  private final List<ColumnCopy> children = new ArrayList<>();
  private @Nullable Dictionary dictionary;
  private int[] elements = {};
  private int[] numbers = {};
  private int rows;
  private int nulls;
  private long valueBytes;

  /// Makes a copy without rows that writes values out.
  ///
  /// @param type the type of the column
  /// @param memory where it takes its memory from
  public ColumnCopy(DataType type, ScratchMemory memory) {
    this(type, Texts.WRITTEN_OUT, memory);
  }

  /// Makes a copy without rows.
  ///
  /// @param type the type of the column
  /// @param texts how values that are places in a dictionary are copied
  /// @param memory where it takes its memory from
  public ColumnCopy(DataType type, Texts texts, ScratchMemory memory) {
    this.type = type;
    this.texts = texts;
    this.memory = memory;
    this.validity = new Buffer(memory);
    this.values = new Buffer(memory);
    this.offsets = new Buffer(memory);
    this.codes = new Buffer(memory);
    this.joined = new JoinedDictionary(memory);
    for (DataType child : children(type)) {
      children.add(new ColumnCopy(child, texts, memory));
    }
  }

  private static List<DataType> children(DataType type) {
    return switch (type) {
      case DataType.List(DataType element, boolean _) -> List.of(element);
      case DataType.Struct(List<Field> fields) -> fields.stream().map(Field::type).toList();
      case DataType.Map map -> List.of(map.entry());
      default -> List.of();
    };
  }

  public void clear() {
    rows = 0;
    nulls = 0;
    valueBytes = 0;
    dictionary = null;
    isCoded = false;
    joined.clear();
    children.forEach(ColumnCopy::clear);
  }

  /// Makes room for `count` rows of a fixed width at once, so that the memory does not grow in
  /// steps.
  void reserve(int count) {
    if (isFixed()) {
      values.grow((long) count * type.byteWidth(), (long) rows * type.byteWidth());
    }
  }

  /// Makes room for rows like some of them, where their lists are of a fixed width.
  ///
  /// @param some the first rows
  /// @param count how many rows are to come
  void reserve(ColumnSlice some, int count) {
    if (some.rowCount() > 0 && type instanceof DataType.List && children.getFirst().isFixed()) {
      MemorySegment starts = Objects.requireNonNull(some.offsets());
      int elements = starts.getAtIndex(INT, some.rowCount()) - starts.getAtIndex(INT, 0);
      double expected = RESERVED_MORE * elements / some.rowCount() * count;
      long width = Math.max(1, children.getFirst().type.byteWidth());
      long most = RESERVED_BYTES_MAX / width;
      children.getFirst().reserve((int) Math.min(expected, (double) most));
    } else {
      reserve(count);
    }
  }

  private boolean isFixed() {
    return switch (type) {
      case DataType.Bool _, DataType.List _, DataType.Map _, DataType.Struct _ -> false;
      case DataType.Utf8 _, DataType.Binary _, DataType.Variant _ -> false;
      default -> true;
    };
  }

  /// Returns an empty copy for the same column.
  ColumnCopy alike() {
    return new ColumnCopy(type, texts, memory);
  }

  /// Copies the rows of a slice in another order, into this copy, which is empty.
  void appendInOrder(ColumnSlice slice, RowOrder order) {
    MemorySegment source = slice.codes();
    if (source != null && texts == Texts.JOINED) {
      isCoded = true;
      joined.join(Objects.requireNonNull(slice.dictionary())); // the first one: codes do not change
      codes.ensure(4L * slice.rowCount());
      placeNulls(slice, order.places());
      Scatter.ints(source, order.places(), rows, codes.segment());
    } else if (isFixed() && type.byteWidth() == 4) {
      reserve(slice.rowCount());
      placeNulls(slice, order.places());
      Scatter.ints(slice.values(), order.places(), rows, values.segment());
    } else if (isFixed() && type.byteWidth() == 8) {
      reserve(slice.rowCount());
      placeNulls(slice, order.places());
      Scatter.longs(slice.values(), order.places(), rows, values.segment());
    } else {
      append(slice, order.rows(), 0, order.size(), 0);
    }
  }

  /// Returns whether [#place] can write the values.
  boolean isPlaceable() {
    return isFixed() && (type.byteWidth() == 4 || type.byteWidth() == 8);
  }

  /// Writes neighbouring rows of a slice to their places.
  ///
  /// @param first the first row
  /// @param places where the rows go
  /// @param count how many
  /// @param all how many rows this column has
  void place(ColumnSlice slice, int first, int[] places, int count, int all) {
    if (rows == 0) {
      reserve(all);
      rows = all;
    }
    MemorySegment bits = slice.validity();
    for (int done = 0; bits != null && done < count; done += 64) {
      long absent = Validity.nulls(bits, first + done, Math.min(64, count - done));
      for (; absent != 0; absent &= absent - 1) {
        if (nulls++ == 0) {
          validity.ensure((rows + 7L) / 8).fill((byte) -1);
        }
        int row = done + Long.numberOfTrailingZeros(absent);
        set(validity.segment(), places[row], false);
      }
    }
    long width = type.byteWidth();
    MemorySegment source = slice.values().asSlice(first * width, count * width);
    if (width == 4) {
      Scatter.ints(source, places, count, values.segment());
    } else {
      Scatter.longs(source, places, count, values.segment());
    }
  }

  private void placeNulls(ColumnSlice slice, int[] places) {
    rows = slice.rowCount();
    MemorySegment bits = slice.validity();
    if (bits == null) {
      return;
    }
    MemorySegment target = validity.ensure((rows + 7L) / 8).fill((byte) -1);
    for (int done = 0; done < rows; done += 64) {
      long absent = Validity.nulls(bits, done, Math.min(64, rows - done));
      for (; absent != 0; absent &= absent - 1) {
        set(target, places[done + Long.numberOfTrailingZeros(absent)], false);
        nulls++;
      }
    }
  }

  /// Appends neighbouring rows of a slice.
  ///
  /// @param slice where the rows are
  /// @param first the first of them
  /// @param count how many
  public void append(ColumnSlice slice, int first, int count) {
    MemorySegment bits = slice.nullCount() == 0 ? null : slice.validity();
    boolean isMarked = bits != null || nulls > 0;
    boolean isPlain = isPlain(slice) && !(isMarked && (rows % 8 != 0 || first % 8 != 0));
    if (!isPlain) {
      append(slice, Selection.all(first + count), first, first + count, 0);
      return;
    }
    if (bits != null) {
      nulls += appendWholeBytes(bits, first, count);
    } else if (isMarked) {
      appendPresent(count);
    }
    long width = type.byteWidth();
    MemorySegment target = values.grow((rows + (long) count) * width, rows * width);
    MemorySegment.copy(slice.values(), first * width, target, rows * width, count * width);
    rows += count;
  }

  /// Returns whether neighbouring values are neighbouring bytes.
  private boolean isPlain(ColumnSlice slice) {
    return slice.offsets() == null
        && slice.dictionary() == null
        && slice.children().isEmpty()
        && !(type instanceof DataType.Bool);
  }

  /// Copies validity bits between byte-aligned places; returns how many are not set.
  private int appendWholeBytes(MemorySegment bits, int first, int count) {
    if (nulls == 0) {
      validity.ensure((rows + (long) count + 7) / 8).asSlice(0, rows / 8).fill((byte) -1);
    }
    MemorySegment target = room(validity, rows + count);
    MemorySegment.copy(bits, first / 8, target, rows / 8, (count + 7L) / 8);
    int set = 0;
    for (int row = 0; row < count; row += 8) {
      int unused = Math.max(0, 8 - (count - row));
      set += Integer.bitCount((target.get(BYTE, (rows + row) / 8) & 0xFF) << unused & 0xFF);
    }
    return count - set;
  }

  /// Copies the kept rows of a slice, instead of what is here.
  public void copy(ColumnSlice slice, KeptRows kept) {
    clear();
    int count = kept.count();
    if (count == 0) {
      return;
    }
    MemorySegment bits = slice.validity();
    if (bits != null) {
      nulls = count - kept.copyBits(bits, room(validity, count));
    }
    switch (type) {
      case DataType.Bool _ -> kept.copyBits(slice.values(), room(values, count));
      case DataType.Struct _ -> {
        for (int i = 0; i < children.size(); i++) {
          children.get(i).copy(slice.children().get(i), kept);
        }
      }
      default -> appendValues(slice, kept.chosen(), 0, count, 0);
    }
    rows = count;
  }

  /// Appends chosen rows of a slice.
  ///
  /// @param slice where the rows are
  /// @param chosen which rows: `chosen[from]` to `chosen[to - 1]`, each less `base`
  /// @param from the first of the chosen
  /// @param to the one after the last
  /// @param base the number of the slice's first row among the chosen
  public void append(ColumnSlice slice, int[] chosen, int from, int to, int base) {
    int count = to - from;
    if (count == 0) {
      return;
    }
    appendValidity(slice.validity(), chosen, from, to, base);
    appendValues(slice, chosen, from, to, base);
    rows += count;
  }

  private void appendValues(ColumnSlice slice, int[] chosen, int from, int to, int base) {
    int count = to - from;
    switch (type) {
      case DataType.Bool _ -> appendBits(slice.values(), values, chosen, from, to, base);
      case DataType.List _, DataType.Map _ -> appendLists(slice, chosen, from, to, base);
      case DataType.Struct _ -> {
        for (int i = 0; i < children.size(); i++) {
          children.get(i).append(slice.children().get(i), chosen, from, to, base);
        }
      }
      default -> {
        Dictionary entries = slice.dictionary();
        boolean isJoined = entries != null && isJoined(entries, count);
        if (isCoded && !isJoined) {
          writeOut();
        }
        if (isJoined) {
          appendCodes(slice, chosen, from, to, base);
        } else if (entries != null && texts == Texts.LENT) {
          dictionary = entries;
          MemorySegment places = Objects.requireNonNull(slice.codes());
          Gather.ints(places, chosen, from, to, base, codes.ensure(4L * count), 0);
        } else if (entries != null) {
          MemorySegment places = Objects.requireNonNull(slice.codes());
          appendCoded(entries, places, chosen, from, to, base);
        } else if (slice.offsets() != null) {
          appendVariable(slice.values(), slice.offsets(), chosen, from, to, base);
        } else {
          appendFixed(slice.values(), type.byteWidth(), chosen, from, to, base);
        }
      }
    }
  }

  private boolean isJoined(Dictionary entries, int count) {
    return texts == Texts.JOINED
        && (isCoded || rows == 0)
        && (joined.isLast(entries) || (entries.size() <= count && joined.hasRoom(entries)));
  }

  private void appendCodes(ColumnSlice slice, int[] chosen, int from, int to, int base) {
    isCoded = true;
    int first = joined.join(Objects.requireNonNull(slice.dictionary()));
    MemorySegment target = codes.grow((rows + (long) (to - from)) * 4, rows * 4L);
    MemorySegment source = Objects.requireNonNull(slice.codes());
    Gather.ints(source, chosen, from, to, base, target, rows * 4L);
    if (first > 0) {
      for (int i = rows; i < rows + to - from; i++) {
        target.setAtIndex(INT, i, target.getAtIndex(INT, i) + first);
      }
    }
  }

  /// Writes out the values of the rows so far.
  private void writeOut() {
    int count = rows;
    rows = 0;
    isCoded = false;
    appendCoded(joined.dictionary(), codes.segment(), Selection.all(count), 0, count, 0);
    rows = count;
  }

  private void appendValidity(
      @Nullable MemorySegment bits, int[] chosen, int from, int to, int base) {
    if (bits == null && nulls == 0) {
      return; // Written when the first null comes.
    }
    if (nulls == 0) {
      MemorySegment target = validity.ensure((rows + (long) (to - from) + 7) / 8);
      target.asSlice(0, (rows + 7L) / 8).fill((byte) -1);
    }
    if (bits == null) {
      for (int i = from; i < to; i++) {
        set(room(validity, rows + to - from), rows + i - from, true);
      }
      return;
    }
    nulls += to - from - appendBits(bits, validity, chosen, from, to, base);
  }

  /// Marks the next rows as present.
  private void appendPresent(int count) {
    for (int i = 0; nulls > 0 && i < count; i++) {
      set(room(validity, rows + count), rows + i, true);
    }
  }

  private static MemorySegment room(Buffer bits, int count) {
    return bits.grow((count + 7L) / 8, bits.capacity());
  }

  /// Copies bits and returns how many of them are set.
  private int appendBits(
      MemorySegment bits, Buffer buffer, int[] chosen, int from, int to, int base) {
    MemorySegment target = room(buffer, rows + to - from);
    int set = 0;
    int i = from;
    while (i < to) {
      int place = rows + i - from;
      if ((place & 7) == 0 && to - i >= 8) {
        int first = chosen[i] - base;
        int eight = 0;
        if (texts == Texts.LENT && chosen[i + 7] - base - first == 7) { // neighbours
          int low = bits.get(BYTE, first >>> 3) & 0xFF;
          int high = (first & 7) == 0 ? 0 : bits.get(BYTE, (first >>> 3) + 1) & 0xFF;
          eight = (low | high << 8) >>> (first & 7) & 0xFF;
        } else {
          for (int k = 0; k < 8; k++) {
            eight |= bit(bits, chosen[i + k] - base) << k;
          }
        }
        target.set(BYTE, place >>> 3, (byte) eight);
        set += Integer.bitCount(eight);
        i += 8;
      } else {
        int bit = bit(bits, chosen[i] - base);
        set(target, place, bit != 0);
        set += bit;
        i++;
      }
    }
    return set;
  }

  private static int bit(MemorySegment bits, int row) {
    return bits.get(BYTE, row >>> 3) >>> (row & 7) & 1;
  }

  private static void set(MemorySegment bits, int index, boolean bit) {
    int old = bits.get(BYTE, index >>> 3) & ~(1 << (index & 7));
    bits.set(BYTE, index >>> 3, (byte) (old | (bit ? 1 << (index & 7) : 0)));
  }

  private void appendFixed(
      MemorySegment source, int width, int[] chosen, int from, int to, int base) {
    int count = to - from;
    MemorySegment target = values.grow((rows + (long) count) * width, (long) rows * width);
    long at = (long) rows * width;
    int first = chosen[from] - base;
    if (areConsecutive(chosen, from, to)) {
      MemorySegment.copy(source, (long) first * width, target, at, (long) count * width);
      return;
    }
    // One loop for each width, which the compiler can specialize.
    switch (width) {
      case 1 -> {
        for (int i = 0; i < count; i++) {
          target.set(BYTE, at + i, source.get(BYTE, (long) chosen[from + i] - base));
        }
      }
      case 2 -> {
        for (int i = 0; i < count; i++) {
          target.set(SHORT, at + i * 2L, source.get(SHORT, ((long) chosen[from + i] - base) * 2));
        }
      }
      case 4 -> Gather.ints(source, chosen, from, to, base, target, at);
      case 8 -> Gather.longs(source, chosen, from, to, base, target, at);
      default -> {
        for (int i = 0; i < count; i++) {
          long row = (long) chosen[from + i] - base;
          MemorySegment.copy(source, row * width, target, at + (long) i * width, width);
        }
      }
    }
  }

  private static boolean areConsecutive(int[] chosen, int from, int to) {
    int wrong = chosen[to - 1] - chosen[from] - (to - 1 - from);
    for (int i = from + 1; i < to && wrong == 0; i++) {
      wrong = chosen[i] - chosen[i - 1] - 1;
    }
    return wrong == 0;
  }

  private void appendVariable(
      MemorySegment source, MemorySegment starts, int[] chosen, int from, int to, int base) {
    MemorySegment ends = roomForOffsets(to - from);
    for (int i = from; i < to; i++) {
      int row = chosen[i] - base;
      int start = starts.getAtIndex(INT, row);
      appendBytes(source, start, starts.getAtIndex(INT, row + 1) - start);
      ends.setAtIndex(INT, rows + i - from + 1L, (int) valueBytes);
    }
  }

  private void appendCoded(
      Dictionary dictionary, MemorySegment codes, int[] chosen, int from, int to, int base) {
    MemorySegment ends = roomForOffsets(to - from);
    for (int i = from; i < to; i++) {
      int code = codes.getAtIndex(INT, chosen[i] - base);
      if (dictionary.size() > 0) {
        int start = dictionary.offsets().getAtIndex(INT, code);
        int end = dictionary.offsets().getAtIndex(INT, code + 1L);
        appendBytes(dictionary.values(), start, end - start);
      }
      ends.setAtIndex(INT, rows + i - from + 1L, (int) valueBytes);
    }
  }

  private MemorySegment roomForOffsets(int count) {
    MemorySegment ends = offsets.grow((rows + (long) count + 1) * 4, (rows + 1L) * 4);
    if (rows == 0) {
      ends.setAtIndex(INT, 0, 0);
    }
    return ends;
  }

  private void appendBytes(MemorySegment source, long start, int bytes) {
    // Offsets have 32 bits.
    long end = Math.toIntExact(valueBytes + bytes);
    MemorySegment target = values.grow(end, valueBytes);
    MemorySegment.copy(source, start, target, valueBytes, bytes);
    valueBytes = end;
  }

  private void appendLists(ColumnSlice slice, int[] chosen, int from, int to, int base) {
    MemorySegment starts = Objects.requireNonNull(slice.offsets());
    ColumnCopy child = children.getFirst();
    MemorySegment ends = roomForOffsets(to - from);
    ColumnSlice values = slice.children().getFirst();
    if (child.isPlain(values) && child.nulls == 0 && values.nullCount() == 0) {
      appendPlainLists(starts, values, chosen, from, to, base);
      return;
    }
    int count = 0;
    for (int i = from; i < to; i++) {
      int row = chosen[i] - base;
      int start = starts.getAtIndex(INT, row);
      int length = starts.getAtIndex(INT, row + 1L) - start;
      if (elements.length < count + length) {
        elements = Arrays.copyOf(elements, Math.max(2 * elements.length, count + length));
      }
      for (int k = 0; k < length; k++) {
        elements[count++] = start + k;
      }
      ends.setAtIndex(INT, rows + i - from + 1L, Math.addExact(child.rows, count));
    }
    child.append(values, elements, 0, count, 0);
  }

  /// Appends lists of numbers, those of neighbouring rows at once.
  private void appendPlainLists(
      MemorySegment starts, ColumnSlice values, int[] chosen, int from, int to, int base) {
    ColumnCopy child = children.getFirst();
    MemorySegment ends = offsets.segment();
    int i = from;
    while (i < to) {
      int row = chosen[i] - base;
      int start = starts.getAtIndex(INT, row);
      int shift = Math.subtractExact(child.rows, start);
      int end = start;
      int next = row;
      do {
        end = starts.getAtIndex(INT, ++next);
        ends.setAtIndex(INT, rows + i - from + 1L, Math.addExact(end, shift));
        i++;
      } while (i < to && chosen[i] - base == next);
      if (start < end) {
        child.append(values, start, end - start);
      }
    }
  }

  /// Returns the elements of the lists.
  ColumnCopy elements() {
    return children.getFirst();
  }

  /// Ends a list: its elements are those that came since the one before.
  void endList() {
    appendPresent(1);
    roomForOffsets(1).setAtIndex(INT, rows + 1L, children.getFirst().rows);
    rows++;
  }

  /// Appends 32-bit integers, each one more than the one before.
  void appendCounting(int first, int count) {
    appendPresent(count);
    MemorySegment target = values.grow((rows + (long) count) * 4, rows * 4L);
    for (int done = 0; done < count; done += NUMBERS_AT_ONCE) {
      int next = Math.min(NUMBERS_AT_ONCE, count - done);
      int start = first + done;
      if (start <= NUMBERS_AT_ONCE) { // they are in an array that is at hand
        int[] all = Selection.all(start + next);
        MemorySegment.copy(all, start, target, INT, (rows + (long) done) * 4, next);
      } else {
        int[] working = numbers();
        for (int i = 0; i < next; i++) {
          working[i] = start + i;
        }
        MemorySegment.copy(working, 0, target, INT, (rows + (long) done) * 4, next);
      }
    }
    rows += count;
  }

  /// Appends the same 32-bit integer several times.
  void appendSame(int number, int count) {
    appendPresent(count);
    MemorySegment target = values.grow((rows + (long) count) * 4, rows * 4L);
    int[] working = numbers();
    Arrays.fill(working, 0, Math.min(count, NUMBERS_AT_ONCE), number);
    for (int done = 0; done < count; done += NUMBERS_AT_ONCE) {
      int next = Math.min(NUMBERS_AT_ONCE, count - done);
      MemorySegment.copy(working, 0, target, INT, (rows + (long) done) * 4, next);
    }
    rows += count;
  }

  private int[] numbers() {
    if (numbers.length == 0) {
      numbers = new int[NUMBERS_AT_ONCE];
    }
    return numbers;
  }

  /// Appends zeros, empty texts, empty lists, and what is made of them.
  void appendZeros(int count) {
    if (count == 0) {
      return;
    }
    if (isCoded) {
      writeOut();
    }
    appendPresent(count);
    switch (type) {
      case DataType.List _, DataType.Map _ -> {
        MemorySegment ends = roomForOffsets(count);
        for (int i = 1; i <= count; i++) {
          ends.setAtIndex(INT, rows + (long) i, children.getFirst().rows);
        }
      }
      case DataType.Struct _ -> children.forEach(child -> child.appendZeros(count));
      case DataType.Utf8 _, DataType.Binary _, DataType.Variant _ -> {
        MemorySegment ends = roomForOffsets(count);
        for (int i = 1; i <= count; i++) {
          ends.setAtIndex(INT, rows + (long) i, (int) valueBytes);
        }
      }
      case DataType.Bool _ -> {
        MemorySegment target = room(values, rows + count);
        for (int i = 0; i < count; i++) {
          set(target, rows + i, false);
        }
      }
      default -> {
        long width = type.byteWidth();
        MemorySegment target = values.grow((rows + (long) count) * width, rows * width);
        target.asSlice(rows * width, count * width).fill((byte) 0);
      }
    }
    rows += count;
  }

  /// Returns the rows as a slice.
  ///
  /// @return the slice, valid until the next row comes
  public ColumnSlice slice() {
    MemorySegment present = nulls == 0 ? null : validity.segment();
    return switch (type) {
      case DataType.List _, DataType.Map _ ->
          ColumnSlice.list(
              type, rows, nulls, present, offsets.segment(), children.getFirst().slice());
      case DataType.Struct _ ->
          ColumnSlice.struct(
              type, rows, nulls, present, children.stream().map(ColumnCopy::slice).toList());
      case DataType.Utf8 _, DataType.Binary _, DataType.Variant _ when isCoded ->
          ColumnSlice.coded(type, rows, nulls, present, codes.segment(), joined.dictionary());
      case DataType.Utf8 _, DataType.Binary _, DataType.Variant _ when dictionary != null ->
          ColumnSlice.coded(type, rows, nulls, present, codes.segment(), dictionary);
      case DataType.Utf8 _, DataType.Binary _, DataType.Variant _ ->
          ColumnSlice.variable(type, rows, nulls, present, values.segment(), offsets.segment());
      default -> ColumnSlice.fixed(type, rows, nulls, present, values.segment());
    };
  }

  long bytes() {
    long bytes = validity.capacity() + values.capacity() + offsets.capacity();
    bytes += codes.capacity() + joined.capacity();
    for (ColumnCopy child : children) {
      bytes += child.bytes();
    }
    return bytes;
  }

  public void release() {
    validity.release();
    values.release();
    offsets.release();
    codes.release();
    joined.release();
    children.forEach(ColumnCopy::release);
  }
}
