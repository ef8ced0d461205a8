package dev.penstock.internal.slices;

import static dev.penstock.internal.memory.Raw.INT;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.plan.RowOrder;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Copies of chosen rows of a column. Each layout of [ColumnSlice] has its own.
///
/// **Ownership.** Owns its memory until [#release()]; [#clear()] keeps it for other rows.
///
/// **Threads.** One at a time.
public abstract sealed class ColumnCopy
    permits ColumnCopy.BooleanCopy, ColumnCopy.StructCopy, FixedCopy, ListCopy, TextCopy {
  final DataType type;
  final List<ColumnCopy> children;
  private final ScratchMemory memory;
  private final List<Buffer> buffers = new ArrayList<>();
  private final Nulls nulls;
  private int rows;

  ColumnCopy(DataType type, List<ColumnCopy> children, ScratchMemory memory) {
    this.type = type;
    this.children = children;
    this.memory = memory;
    this.nulls = new Nulls(buffer());
  }

  public static ColumnCopy of(DataType type, Texts texts, ScratchMemory memory) {
    return switch (type) {
      case DataType.Bool _ -> new BooleanCopy(type, memory);
      case DataType.Utf8 _, DataType.Binary _, DataType.Variant _ ->
          new TextCopy(type, texts, memory);
      case DataType.List(DataType element, boolean _) ->
          new ListCopy(type, of(element, texts, memory), memory);
      case DataType.Map map -> new ListCopy(type, of(map.entry(), texts, memory), memory);
      case DataType.Struct(List<Field> fields) ->
          new StructCopy(
              type, fields.stream().map(each -> of(each.type(), texts, memory)).toList(), memory);
      default -> new FixedCopy(type, memory);
    };
  }

  /// Makes a buffer that is released with this.
  final Buffer buffer() {
    Buffer buffer = new Buffer(memory);
    buffers.add(buffer);
    return buffer;
  }

  public void clear() {
    rows = 0;
    nulls.clear();
    children.forEach(ColumnCopy::clear);
  }

  final int rows() {
    return rows;
  }

  final boolean hasNulls() {
    return nulls.count() > 0;
  }

  /// Makes room for `count` rows like `some`, so that the memory does not grow in steps.
  void reserve(ColumnSlice some, int count) {}

  public final void append(ColumnSlice slice, Selection chosen) {
    if (chosen.count() > 0) {
      nulls.append(slice.validity(), chosen, rows);
      appendValues(slice, chosen);
      rows += chosen.count();
    } else if (chosen.isRange()) {
      takeMemory();
    }
  }

  /// Replaces all rows by neighbouring ones of a slice, and returns them.
  public final ColumnSlice copy(ColumnSlice slice, int first, int count) {
    clear();
    append(slice, Selection.range(first, count));
    return slice();
  }

  /// Called for a range without rows. Values of a fixed width take their memory already then: how
  /// much a loader needs at least must not depend on whether the first rows are filtered out, see
  /// [dev.penstock.format.MemoryLimitException].
  void takeMemory() {}

  /// Appends the values of chosen rows behind [#rows()].
  abstract void appendValues(ColumnSlice slice, Selection chosen);

  /// Appends zeros, empty texts, empty lists, and what is made of them.
  final void appendZeros(int count) {
    if (count > 0) {
      appendZeroValues(count);
      endPresent(count);
    }
  }

  abstract void appendZeroValues(int count);

  /// Ends rows without nulls whose values were written behind [#rows()].
  final void endPresent(int count) {
    nulls.appendPresent(count, rows);
    rows += count;
  }

  /// Copies the rows of a slice in another order, into this copy, which is empty.
  void appendInOrder(ColumnSlice slice, RowOrder order) {
    append(slice, Selection.of(order.rows(), 0, order.size(), 0));
  }

  /// Marks the nulls among neighbouring rows of a slice at their places among `all` rows.
  final void placeNulls(ColumnSlice slice, int first, int[] places, int count, int all) {
    rows = all;
    nulls.place(slice.validity(), first, places, count, all);
  }

  /// Returns the rows, valid until the next one comes.
  public final ColumnSlice slice() {
    return slice(rows, nulls.count(), nulls.validity());
  }

  abstract ColumnSlice slice(int rows, int nulls, @Nullable MemorySegment validity);

  long bytes() {
    return buffers.stream().mapToLong(Buffer::capacity).sum()
        + children.stream().mapToLong(ColumnCopy::bytes).sum();
  }

  public void release() {
    buffers.forEach(Buffer::release);
    children.forEach(ColumnCopy::release);
  }

  /// Copies of booleans: one bit each.
  private static final class BooleanCopy extends ColumnCopy {
    private final Buffer values = buffer();

    BooleanCopy(DataType type, ScratchMemory memory) {
      super(type, List.of(), memory);
    }

    @Override
    void appendValues(ColumnSlice slice, Selection chosen) {
      chosen.copyBits(slice.values(), Validity.room(values, rows() + chosen.count()), rows());
    }

    @Override
    void appendZeroValues(int count) {
      Validity.set(Validity.room(values, rows() + count), rows(), count, false);
    }

    @Override
    ColumnSlice slice(int rows, int nulls, @Nullable MemorySegment validity) {
      return ColumnSlice.fixed(type, rows, nulls, validity, values.segment());
    }
  }

  /// Copies of structs: of each of their fields.
  private static final class StructCopy extends ColumnCopy {
    StructCopy(DataType type, List<ColumnCopy> fields, ScratchMemory memory) {
      super(type, fields, memory);
    }

    @Override
    void appendValues(ColumnSlice slice, Selection chosen) {
      for (int i = 0; i < children.size(); i++) {
        children.get(i).append(slice.children().get(i), chosen);
      }
    }

    @Override
    void appendZeroValues(int count) {
      children.forEach(child -> child.appendZeros(count));
    }

    @Override
    ColumnSlice slice(int rows, int nulls, @Nullable MemorySegment validity) {
      return ColumnSlice.struct(
          type, rows, nulls, validity, children.stream().map(ColumnCopy::slice).toList());
    }
  }

  /// Which rows of a copy are null. Bits are written from the first null on.
  private static final class Nulls {
    private final Buffer bits;
    private int count;

    Nulls(Buffer bits) {
      this.bits = bits;
    }

    void clear() {
      count = 0;
    }

    int count() {
      return count;
    }

    /// Returns the bits, as [ColumnSlice#validity] has them.
    @Nullable MemorySegment validity() {
      return count == 0 ? null : bits.segment();
    }

    /// Appends chosen rows behind the first `rows`.
    void append(@Nullable MemorySegment validity, Selection chosen, int rows) {
      int added = chosen.count();
      if (validity == null) {
        appendPresent(added, rows);
        return;
      }
      if (count == 0) {
        begin(rows, rows + added);
      }
      count += added - chosen.copyBits(validity, Validity.room(bits, rows + added), rows);
    }

    /// Appends rows with values behind the first `rows`.
    void appendPresent(int added, int rows) {
      if (count > 0) {
        Validity.set(Validity.room(bits, rows + added), rows, added, true);
      }
    }

    /// Marks the nulls among neighbouring rows of a slice at their places among `all` rows.
    void place(@Nullable MemorySegment validity, int first, int[] places, int placed, int all) {
      for (int done = 0; validity != null && done < placed; done += 64) {
        long absent = Validity.nulls(validity, first + done, Math.min(64, placed - done));
        for (; absent != 0; absent &= absent - 1) {
          if (count++ == 0) {
            begin(all, all);
          }
          Validity.set(bits.segment(), places[done + Long.numberOfTrailingZeros(absent)], false);
        }
      }
    }

    /// Makes room for bits, and sets the first ones.
    private void begin(int present, int room) {
      bits.ensure((room + 7L) / 8).asSlice(0, (present + 7L) / 8).fill((byte) -1);
    }
  }

  /// Where the texts or lists of a copy end: 32-bit offsets, the first one 0.
  record Offsets(Buffer ends) {
    MemorySegment segment() {
      return ends.segment();
    }

    /// Makes room behind the first `rows`. Row `i` ends at the integer `i + 1` of the memory.
    MemorySegment room(int added, int rows) {
      MemorySegment room = ends.grow((rows + (long) added + 1) * 4, (rows + 1L) * 4);
      if (rows == 0) {
        room.setAtIndex(INT, 0, 0);
      }
      return room;
    }

    /// Appends rows with the same end behind the first `rows`.
    void append(int added, int end, int rows) {
      MemorySegment room = room(added, rows);
      for (int i = 1; i <= added; i++) {
        room.setAtIndex(INT, rows + (long) i, end);
      }
    }
  }
}
