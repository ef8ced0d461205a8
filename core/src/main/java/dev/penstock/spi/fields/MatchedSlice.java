package dev.penstock.spi.fields;

import static dev.penstock.spi.format.LittleEndian.INT;
import static dev.penstock.spi.format.LittleEndian.LONG;
import static dev.penstock.spi.format.LittleEndian.SHORT;

import dev.penstock.internal.cast.ConstantColumn;
import dev.penstock.internal.variant.VariantColumn;
import dev.penstock.internal.variant.VariantException;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.BytesView;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes slices of a table's column from slices of the file's column.
///
/// **Ownership.** The result is valid as long as its input, and until the next call.
///
/// **Threads.** One at a time.
final class MatchedSlice {
  private final Match match;
  private final DataType type;
  private final boolean same;
  private final List<MatchedSlice> parts = new ArrayList<>();
  private final @Nullable ConstantColumn constant;
  private final @Nullable VariantColumn variants;
  private final ScratchBuffer values;

  MatchedSlice(Match match, ScratchMemory memory) {
    this.match = match;
    this.type = match.field().type();
    this.same = match.isSame();
    this.values = new ScratchBuffer(memory);
    byte[] value = match.value().map(ByteString::toByteArray).orElse(null);
    this.constant = match.stored() == null ? new ConstantColumn(type, value, memory) : null;
    this.variants = variants(match, memory);
    match.parts().forEach(part -> parts.add(new MatchedSlice(part, memory)));
  }

  private static @Nullable VariantColumn variants(Match match, ScratchMemory memory) {
    LeafForm form = match.form();
    StoredField stored = match.stored();
    return form != null && stored != null && form.change() == LeafForm.Change.JOINED
        ? new VariantColumn(stored.field().type(), memory)
        : null;
  }

  /// Makes a slice with the same rows.
  ///
  /// @param stored the file's slice
  /// @param from the first row to convert
  /// @param end the row after the last to convert; other rows may be undefined, also in `stored`
  /// @throws VariantException if a variant is malformed
  ColumnSlice of(ColumnSlice stored, int from, int end) throws VariantException {
    if (same) {
      return stored;
    }
    LeafForm form = match.form();
    if (form != null) {
      return leaf(form, stored, from, end);
    }
    return switch (type) {
      case DataType.List _, DataType.Map _ -> list(stored, from, end);
      default -> struct(type, stored, from, end);
    };
  }

  private ColumnSlice list(ColumnSlice stored, int from, int end) throws VariantException {
    MemorySegment offsets = Objects.requireNonNull(stored.offsets());
    ColumnSlice child = stored.children().getFirst();
    int first = offsets.getAtIndex(INT, from);
    int last = offsets.getAtIndex(INT, end);
    ColumnSlice made =
        type instanceof DataType.Map map
            ? struct(map.entry(), child, first, last)
            : parts.getFirst().of(child, first, last);
    return ColumnSlice.list(
        type, stored.rowCount(), stored.nullCount(), stored.validity(), offsets, made);
  }

  private ColumnSlice struct(DataType made, ColumnSlice stored, int from, int end)
      throws VariantException {
    return ColumnSlice.struct(
        made,
        stored.rowCount(),
        stored.nullCount(),
        stored.validity(),
        children(stored, from, end));
  }

  private List<ColumnSlice> children(ColumnSlice stored, int from, int end)
      throws VariantException {
    List<ColumnSlice> children = new ArrayList<>(parts.size());
    for (MatchedSlice part : parts) {
      int place = part.match.place();
      children.add(
          part.constant == null
              ? part.of(stored.children().get(place), from, end)
              : part.constant.slice(stored.rowCount(), stored.nullCount(), stored.validity()));
    }
    return children;
  }

  private ColumnSlice leaf(LeafForm form, ColumnSlice stored, int from, int end)
      throws VariantException {
    return switch (form.change()) {
      case NONE -> stored;
      case RETYPED ->
          new ColumnSlice(
              type,
              stored.rowCount(),
              stored.nullCount(),
              stored.validity(),
              stored.values(),
              stored.offsets(),
              stored.codes(),
              stored.dictionary(),
              stored.children());
      case DIVIDED -> fixed(stored, divided(stored, form.ratio(), from, end));
      case MULTIPLIED -> fixed(stored, multiplied(stored, form.ratio(), from, end));
      case JOINED -> Objects.requireNonNull(variants).of(stored, from, end);
      case FLOATED -> fixed(stored, floated(stored, from, end));
      case SCALED -> fixed(stored, scaled(stored, (int) form.ratio(), from, end));
      case FIXED -> fixed(stored, fixedWidth(stored, (int) form.ratio(), from, end));
    };
  }

  private ColumnSlice fixed(ColumnSlice stored, MemorySegment made) {
    return ColumnSlice.fixed(type, stored.rowCount(), stored.nullCount(), stored.validity(), made);
  }

  private MemorySegment divided(ColumnSlice stored, long ratio, int from, int end) {
    MemorySegment source = stored.values();
    MemorySegment target = values.ensure(8L * stored.rowCount());
    for (int i = from; i < end; i++) {
      target.setAtIndex(LONG, i, Math.floorDiv(source.getAtIndex(LONG, i), ratio));
    }
    return target;
  }

  private MemorySegment multiplied(ColumnSlice stored, long ratio, int from, int end) {
    MemorySegment source = stored.values();
    MemorySegment target = values.ensure(8L * stored.rowCount());
    for (int i = from; i < end; i++) {
      target.setAtIndex(LONG, i, source.getAtIndex(INT, i) * ratio);
    }
    return target;
  }

  private MemorySegment floated(ColumnSlice stored, int from, int end) {
    MemorySegment target = values.ensure(8L * stored.rowCount());
    for (int i = from; i < end; i++) {
      target.setAtIndex(LONG, i, Double.doubleToRawLongBits((double) integer(stored, i)));
    }
    return target;
  }

  private MemorySegment scaled(ColumnSlice stored, int scale, int from, int end) {
    int width = type.byteWidth();
    BigInteger factor = BigInteger.TEN.pow(scale);
    MemorySegment target = values.ensure((long) width * stored.rowCount());
    for (int i = from; i < end; i++) {
      BigInteger number = BigInteger.valueOf(integer(stored, i)).multiply(factor);
      for (int at = 0; at < width; at += 8) {
        target.set(LONG, (long) width * i + at, number.shiftRight(8 * at).longValue());
      }
    }
    return target;
  }

  private static long integer(ColumnSlice stored, int row) {
    MemorySegment source = stored.values();
    long value =
        switch (stored.type().byteWidth()) {
          case 1 -> source.get(ValueLayout.JAVA_BYTE, row);
          case 2 -> source.getAtIndex(SHORT, row);
          case 4 -> source.getAtIndex(INT, row);
          default -> source.getAtIndex(LONG, row);
        };
    return stored.type() instanceof DataType.Int(int bits, boolean signed) && !signed
        ? value & (1L << bits) - 1
        : value;
  }

  /// Writes values of any length with one length, padding short ones with zeros.
  private MemorySegment fixedWidth(ColumnSlice stored, int width, int from, int end) {
    MemorySegment target = values.ensure((long) width * stored.rowCount());
    target.asSlice((long) width * from, (long) width * (end - from)).fill((byte) 0);
    BytesView bytes = new BytesView(stored);
    for (int i = from; i < end; i++) {
      if (bytes.isPresent(i)) {
        bytes.find(i);
        long length = Math.min(width, bytes.length());
        MemorySegment.copy(bytes.segment(), bytes.start(), target, (long) width * i, length);
      }
    }
    return target;
  }
}
