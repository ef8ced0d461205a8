package dev.penstock.internal.slices;

import static dev.penstock.internal.memory.Raw.INT;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.plan.RowOrder;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Copies of texts and other values of variable length: written out, or as codes of a dictionary.
final class TextCopy extends ColumnCopy {
  private final Texts texts;
  private final Buffer values = buffer();
  private final Offsets offsets = new Offsets(buffer());
  private final Buffer codes = buffer();
  private final JoinedDictionary joined;
  private boolean isCoded; // whether the rows so far are codes of `joined`
  private @Nullable TextDictionary lent; // the one that the codes are of, with Texts.LENT
  private long valueBytes;

  TextCopy(DataType type, Texts texts, ScratchMemory memory) {
    super(type, List.of(), memory);
    this.texts = texts;
    this.joined = new JoinedDictionary(memory);
  }

  @Override
  public void clear() {
    super.clear();
    valueBytes = 0;
    lent = null;
    isCoded = false;
    joined.clear();
  }

  @Override
  void appendValues(ColumnSlice slice, Selection chosen) {
    TextDictionary entries = slice.dictionary();
    boolean isJoined = entries != null && isJoined(entries, chosen.count());
    if (isCoded && !isJoined) {
      writeOut();
    }
    if (entries == null) {
      appendTexts(slice.values(), Objects.requireNonNull(slice.offsets()), null, chosen, rows());
      return;
    }
    MemorySegment source = Objects.requireNonNull(slice.codes());
    if (isJoined) {
      appendCodes(source, entries, chosen);
    } else if (texts == Texts.LENT) {
      lent = entries;
      chosen.copyValues(source, 4, codes.ensure(4L * chosen.count()), 0);
    } else {
      appendEntries(entries, source, chosen, rows());
    }
  }

  private boolean isJoined(TextDictionary entries, int count) {
    return texts == Texts.JOINED
        && (isCoded || rows() == 0)
        && (joined.isLast(entries) || (entries.size() <= count && joined.hasRoom(entries)));
  }

  private void appendCodes(MemorySegment source, TextDictionary entries, Selection chosen) {
    isCoded = true;
    int first = joined.join(entries);
    int end = rows() + chosen.count();
    MemorySegment target = codes.grow(end * 4L, rows() * 4L);
    chosen.copyValues(source, 4, target, rows() * 4L);
    for (int i = rows(); first > 0 && i < end; i++) {
      target.setAtIndex(INT, i, target.getAtIndex(INT, i) + first);
    }
  }

  @Override
  void appendInOrder(ColumnSlice slice, RowOrder order) {
    MemorySegment source = slice.codes();
    if (source == null || texts != Texts.JOINED) {
      super.appendInOrder(slice, order);
      return;
    }
    isCoded = true;
    joined.join(Objects.requireNonNull(slice.dictionary())); // the first one: codes do not change
    int count = slice.rowCount();
    placeNulls(slice, 0, order.places(), count, count);
    Gather.scatterInts(source, order.places(), count, codes.ensure(4L * count));
  }

  private void writeOut() {
    isCoded = false;
    appendEntries(joined.dictionary(), codes.segment(), Selection.range(0, rows()), 0);
  }

  private void appendEntries(
      TextDictionary entries, MemorySegment codes, Selection chosen, int rows) {
    if (entries.size() == 0) {
      offsets.append(chosen.count(), (int) valueBytes, rows);
    } else {
      appendTexts(entries.values(), entries.offsets(), codes, chosen, rows);
    }
  }

  /// Appends texts behind the first `rows`: those with the numbers of the chosen rows, or with
  /// their codes.
  private void appendTexts(
      MemorySegment source,
      MemorySegment starts,
      @Nullable MemorySegment codes,
      Selection chosen,
      int rows) {
    int count = chosen.count();
    MemorySegment ends = offsets.room(count, rows);
    for (int i = 0; i < count; i++) {
      int row = chosen.row(i);
      int text = codes == null ? row : codes.getAtIndex(INT, row);
      int start = starts.getAtIndex(INT, text);
      appendBytes(source, start, starts.getAtIndex(INT, text + 1L) - start);
      ends.setAtIndex(INT, rows + i + 1L, (int) valueBytes);
    }
  }

  private void appendBytes(MemorySegment source, long start, int bytes) {
    // Offsets have 32 bits.
    long end = Math.toIntExact(valueBytes + bytes);
    MemorySegment target = values.grow(end, valueBytes);
    MemorySegment.copy(source, start, target, valueBytes, bytes);
    valueBytes = end;
  }

  @Override
  void appendZeroValues(int count) {
    if (isCoded) {
      writeOut();
    }
    offsets.append(count, (int) valueBytes, rows());
  }

  @Override
  ColumnSlice slice(int rows, int nulls, @Nullable MemorySegment validity) {
    TextDictionary entries = isCoded ? joined.dictionary() : lent;
    return entries == null
        ? ColumnSlice.variable(type, rows, nulls, validity, values.segment(), offsets.segment())
        : ColumnSlice.coded(type, rows, nulls, validity, codes.segment(), entries);
  }

  @Override
  long bytes() {
    return super.bytes() + joined.capacity();
  }

  @Override
  public void release() {
    super.release();
    joined.release();
  }

  /// Copies of dictionaries, joined one after another.
  ///
  /// **Ownership.** Owns its memory until [#release()].
  ///
  /// **Threads.** One at a time.
  static final class JoinedDictionary {
    private final Buffer values;
    private final Buffer offsets;
    private int size;
    private long bytes;
    private boolean isUnused; // nothing was joined since the last clear()
    private @Nullable TextDictionary last; // the last one joined; only compared
    private int lastFirst; // where its entries start
    private @Nullable TextDictionary joined;

    JoinedDictionary(ScratchMemory memory) {
      this.values = new Buffer(memory);
      this.offsets = new Buffer(memory);
    }

    /// Forgets all entries as soon as a different dictionary is joined.
    void clear() {
      isUnused = true;
    }

    @SuppressWarnings("ReferenceEquality") // slices that share a dictionary share the instance
    boolean isLast(TextDictionary dictionary) {
      return dictionary == last;
    }

    /// Returns whether there is room: offsets have 32 bits.
    boolean hasRoom(TextDictionary dictionary) {
      long taken = isUnused ? 0 : bytes;
      return taken + bytes(dictionary) <= Integer.MAX_VALUE;
    }

    private static long bytes(TextDictionary dictionary) {
      MemorySegment ends = dictionary.offsets();
      return dictionary.size() == 0
          ? 0
          : ends.getAtIndex(INT, dictionary.size()) - (long) ends.getAtIndex(INT, 0);
    }

    /// Adds the entries of a dictionary, unless it was the last one joined.
    ///
    /// @return where they start: the number to add to the codes of its rows. Nulls have the code 0,
    ///   so it is 0 for a dictionary without entries
    int join(TextDictionary dictionary) {
      if (!isLast(dictionary)) {
        last = null; // also if append() runs out of memory
        joined = null;
        if (isUnused) {
          size = 0;
          bytes = 0;
        }
        lastFirst = dictionary.size() == 0 ? 0 : size;
        append(dictionary);
        last = dictionary;
      }
      isUnused = false;
      return lastFirst;
    }

    private void append(TextDictionary dictionary) {
      int count = dictionary.size();
      MemorySegment ends = offsets.grow((size + (long) count + 1) * 4, (size + 1L) * 4);
      ends.setAtIndex(INT, size, (int) bytes);
      if (count == 0) {
        return;
      }
      int first = dictionary.offsets().getAtIndex(INT, 0);
      long added = bytes(dictionary);
      MemorySegment target = values.grow(bytes + added, bytes);
      MemorySegment.copy(dictionary.values(), first, target, bytes, added);
      for (int i = 1; i <= count; i++) {
        int end = dictionary.offsets().getAtIndex(INT, i) - first;
        ends.setAtIndex(INT, (long) size + i, (int) (bytes + end));
      }
      size += count;
      bytes += added;
    }

    /// Returns all entries: the same instance, and valid, until others are added.
    TextDictionary dictionary() {
      TextDictionary all = joined;
      if (all == null) {
        all =
            new TextDictionary(
                size,
                values.segment().asSlice(0, bytes),
                offsets.segment().asSlice(0, (size + 1L) * 4));
        joined = all;
      }
      return all;
    }

    long capacity() {
      return values.capacity() + offsets.capacity();
    }

    void release() {
      values.release();
      offsets.release();
      last = null;
      joined = null;
      size = 0;
      bytes = 0;
    }
  }
}
