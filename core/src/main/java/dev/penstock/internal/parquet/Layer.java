package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;

/// One struct, list or map above a leaf in a slice, derived from the leaf's levels: which of its
/// slots are present, and for lists and maps where their elements are.
///
/// A slot is a row of the column, or an element of the innermost enclosing list.
final class Layer {
  /* Kernels: 64 entries at a time. A slot begins at an entry whose repetition level is not above
   * the layer's depth and whose definition level means that the enclosing list has an element
   * there. The same rule one depth below finds the elements; the number of elements before a slot
   * is its offset. */
  private final boolean list;
  private final int depth;
  private final int within;
  private final int present;
  final SliceValidity validity; // of the slots
  private final Buffer offsets;
  private final Buffer rebased;

  private int slots;
  private int elements;
  private boolean emptyBefore; // whether the last entry has no element

  /// Makes the layer of a struct, list or map, which is in `depth` lists and maps. `within` is the
  /// lowest definition level at which the innermost of these has an element, `present` that at
  /// which it is not null itself.
  Layer(boolean list, int depth, int within, int present, ScratchMemory memory) {
    this.list = list;
    this.depth = depth;
    this.within = within;
    this.present = present;
    this.validity = new SliceValidity(memory);
    this.offsets = new Buffer(memory);
    this.rebased = new Buffer(memory);
  }

  void clear() {
    slots = 0;
    elements = 0;
    emptyBefore = false;
    validity.clear();
    if (list) {
      offsets.ensure(4).set(Raw.INT, 0, 0);
    }
  }

  /// Appends the next `count` entries of the slice.
  void append(Levels levels, int count) throws PageException {
    int more = count(levels, count);
    if (present > within) {
      appendValidity(levels, count, more);
    }
    if (list) {
      MemorySegment target = offsets.grow(4L * slots + 4L * more + 4, 4L * slots);
      long to = Raw.address(target, 4L * slots, 4L * more + 4);
      Repetition rows = levels.rowsOnly();
      if (rows != null) {
        appendRowStarts(rows, count, more, to);
      } else {
        appendOffsets(levels, count, to);
      }
    }
    slots += more;
  }

  private int count(Levels levels, int count) {
    Repetition rows = levels.rowsOnly();
    if (rows != null) {
      return depth == 0 ? rows.begun : count;
    }
    int found = 0;
    for (int from = 0; from < count; from += 64) {
      found += Long.bitCount(slots(levels, from, Math.min(64, count - from)));
    }
    return found;
  }

  private long slots(Levels levels, int from, int count) {
    return levels.begins(depth, from, count) & levels.atLeast(within, from, count);
  }

  private void appendValidity(Levels levels, int count, int more) {
    if (levels.allMax) {
      validity.appendPresent(more);
      return;
    }
    validity.expect(more);
    for (int from = 0; from < count; from += 64) {
      int part = Math.min(64, count - from);
      long begun = slots(levels, from, part);
      if (begun != 0) {
        long bits = Long.compress(levels.atLeast(present, from, part), begun);
        validity.append(bits, Long.bitCount(begun));
      }
    }
  }

  private void appendRowStarts(Repetition rows, int count, int more, long to) throws PageException {
    for (int row = 0; row < more; row++) {
      Raw.ALL.set(Raw.INT, to + 4L * row, elements + rows.rowStart(row));
    }
    if (emptyBefore && (more == 0 || rows.rowStart(0) > 0)) {
      throw wrong();
    }
    emptyBefore = false;
    elements += count;
    Raw.ALL.set(Raw.INT, to + 4L * more, elements);
  }

  private void appendOffsets(Levels levels, int count, long to) throws PageException {
    int element = present + 1;
    long wrong = 0;
    for (int from = 0; from < count; from += 64) {
      int part = Math.min(64, count - from);
      long begins = levels.begins(depth, from, part);
      long full = levels.atLeast(element, from, part);
      long filled = levels.begins(depth + 1, from, part) & full;
      for (long rest = begins & levels.atLeast(within, from, part); rest != 0; rest &= rest - 1) {
        long lower = (rest & -rest) - 1;
        Raw.ALL.set(Raw.INT, to, elements + Long.bitCount(filled & lower));
        to += 4;
      }
      elements += Long.bitCount(filled);
      // Only an element can continue a list that has one. DuckDB writes a null array of fixed size
      // as that many nulls, so an entry without an element may follow another one.
      long empty = ~full & (-1L >>> (64 - part));
      long before = empty << 1 | (emptyBefore ? 1 : 0);
      wrong |= (empty ^ before) & ~begins & (-1L >>> (64 - part));
      emptyBefore = empty >>> (part - 1) != 0;
    }
    Raw.ALL.set(Raw.INT, to, elements);
    if (wrong != 0) {
      throw wrong();
    }
  }

  private static PageException wrong() {
    return new PageException(
        "Corrupt Parquet page: its levels go on with a list that they say has no elements.");
  }

  /// Returns where the elements of the slots from `from` on start.
  int start(int from) {
    return offsets.segment().get(Raw.INT, 4L * from);
  }

  /// Returns `count + 1` offsets of the slots from `from` on, the first of them 0.
  MemorySegment offsets(int from, int count) {
    int start = start(from);
    MemorySegment all = offsets.segment();
    if (start == 0) {
      return all.asSlice(4L * from);
    }
    MemorySegment target = rebased.ensure(4L * count + 4);
    long source = Raw.address(all, 4L * from, 4L * count + 4);
    long to = Raw.address(target, 0, 4L * count + 4);
    for (long i = 0; i <= count; i++) {
      Raw.ALL.set(Raw.INT, to + 4 * i, Raw.ALL.get(Raw.INT, source + 4 * i) - start);
    }
    return target;
  }

  /// Returns whether `count` slots from `from` are the same here and in another leaf's layer.
  boolean same(int from, Layer other, int otherFrom, int count) {
    if (!validity.same(from, other.validity, otherFrom, count)) {
      return false;
    }
    if (!list) {
      return true;
    }
    int between = other.start(otherFrom) - start(from);
    long mine = Raw.address(offsets.segment(), 4L * from, 4L * count + 4);
    long theirs = Raw.address(other.offsets.segment(), 4L * otherFrom, 4L * count + 4);
    int different = 0;
    for (long i = 0; i <= count; i++) {
      int offset = Raw.ALL.get(Raw.INT, mine + 4 * i) + between;
      different |= Raw.ALL.get(Raw.INT, theirs + 4 * i) ^ offset;
    }
    return different == 0;
  }
}
