package dev.penstock.internal.slices;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.Dictionary;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Copies of texts and other values of variable length: written out, or as codes of a dictionary.
final class TextCopy extends ColumnCopy {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private final Texts texts;
  private final Buffer values = buffer();
  private final Offsets offsets = new Offsets(buffer());
  private final Buffer codes = buffer();
  private final JoinedDictionary joined;
  private boolean isCoded; // whether the rows so far are codes of `joined`
  private @Nullable Dictionary lent; // the one that the codes are of, with Texts.LENT
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
    Dictionary entries = slice.dictionary();
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

  private boolean isJoined(Dictionary entries, int count) {
    return texts == Texts.JOINED
        && (isCoded || rows() == 0)
        && (joined.isLast(entries) || (entries.size() <= count && joined.hasRoom(entries)));
  }

  private void appendCodes(MemorySegment source, Dictionary entries, Selection chosen) {
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

  private void appendEntries(Dictionary entries, MemorySegment codes, Selection chosen, int rows) {
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
    Dictionary entries = isCoded ? joined.dictionary() : lent;
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
}
