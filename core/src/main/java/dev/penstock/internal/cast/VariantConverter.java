package dev.penstock.internal.cast;

import dev.penstock.internal.table.Constants;
import dev.penstock.internal.variant.VariantJson;
import dev.penstock.internal.variant.VariantNames;
import dev.penstock.internal.variant.VariantValue;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.BytesView;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Makes a column of one type of variants, or of a field of them. What has no such field becomes
/// null, and so does null.
///
/// As text, a whole value is JSON; a field that is a text is that text, and any other field JSON.
final class VariantConverter extends Converter {
  private final String path;
  private final DataType to;
  private final boolean lossy;
  private final ScratchBuffer validity;
  private final ScratchBuffer values;
  private final ScratchBuffer offsets;
  private byte[] bytes = new byte[256];
  private @Nullable VariantNames names;

  /// @param path the names of the field with dots between them; empty for whole values
  /// @param lossy whether numbers become the nearest ones, and what is of another type null
  VariantConverter(String path, DataType to, boolean lossy, ScratchMemory memory) {
    this.path = path;
    this.to = to;
    this.lossy = lossy;
    this.validity = new ScratchBuffer(memory);
    this.values = new ScratchBuffer(memory);
    this.offsets = new ScratchBuffer(memory);
  }

  @Override
  public ColumnSlice convert(ColumnSlice slice, int from, int end) throws LostValueException {
    int rows = slice.rowCount();
    BytesView view = new BytesView(slice);
    MemorySegment valid = validity.ensure(rows / 8 + 8L).fill((byte) 0);
    boolean isText = to instanceof DataType.Utf8;
    MemorySegment ends = offsets.ensure(isText ? 4L * (rows + 1L) : 0).fill((byte) 0);
    if (!isText) {
      values.ensure(rows * Math.max(1L, to.byteWidth()) + 8).fill((byte) 0);
    }
    long size = 0;
    int nulls = rows - (end - from);
    for (int i = from; i < end; i++) {
      byte[] made = view.isPresent(i) ? bytes(view, i) : null;
      if (made == null) {
        nulls++;
      } else {
        valid.set(BYTE, i >>> 3, (byte) (valid.get(BYTE, i >>> 3) | 1 << (i & 7)));
        size += made.length;
        write(made, i, size);
      }
      if (isText) {
        ends.setAtIndex(INT, i + 1L, (int) size);
      }
    }
    for (int i = end; isText && i < rows; i++) {
      ends.setAtIndex(INT, i + 1L, (int) size);
    }
    MemorySegment present = nulls == 0 ? null : valid;
    return isText
        ? ColumnSlice.variable(to, rows, nulls, present, values.grow(0), ends)
        : ColumnSlice.fixed(to, rows, nulls, present, values.grow(0));
  }

  private void write(byte[] made, int row, long size) throws LostValueException {
    switch (to) {
      case DataType.Utf8 _ -> {
        if (size > Integer.MAX_VALUE) {
          throw new LostValueException(row, "texts before it take more than 2 GiB together");
        }
        MemorySegment.copy(made, 0, values.grow(size), BYTE, size - made.length, made.length);
      }
      case DataType.Bool _ -> {
        MemorySegment bits = values.grow(0);
        int bit = made[0] & 1 << (row & 7);
        bits.set(BYTE, row >>> 3, (byte) (bits.get(BYTE, row >>> 3) | bit));
      }
      default ->
          MemorySegment.copy(made, 0, values.grow(0), BYTE, (long) row * made.length, made.length);
    }
  }

  private byte @Nullable [] bytes(BytesView view, int row) throws LostValueException {
    view.find(row);
    int length = view.length();
    if (bytes.length < length) {
      bytes = new byte[Math.max(length, 2 * bytes.length)];
    }
    MemorySegment.copy(view.segment(), ValueLayout.JAVA_BYTE, view.start(), bytes, 0, length);
    VariantValue whole = VariantValue.of(bytes, length, names);
    names = whole.names();
    VariantValue found = path.isEmpty() ? whole : whole.find(path);
    Object object = found == null ? null : found.object();
    if (object == null) {
      return null;
    }
    if (to instanceof DataType.Utf8) {
      return object instanceof String text && !path.isEmpty()
          ? text.getBytes(StandardCharsets.UTF_8)
          : VariantJson.of(object);
    }
    return typed(object, row);
  }

  private byte @Nullable [] typed(Object object, int row) throws LostValueException {
    try {
      Comparable<?> value = Constants.of(to, object);
      if (!lossy) {
        requireKept(object, value);
      }
      return ConstantColumn.bytes(to, value);
    } catch (IllegalArgumentException _) {
      if (!lossy) {
        String text = new String(VariantJson.of(object), StandardCharsets.UTF_8);
        throw new LostValueException(
            row,
            "the value "
                + (text.length() > 100 ? text.substring(0, 100) + "..." : text)
                + " has no exact counterpart in it");
      }
      return object instanceof Number number && to instanceof DataType.Int
          ? ConstantColumn.littleEndian(nearest(number), to.byteWidth())
          : null;
    }
  }

  /// Floating-point numbers are the nearest ones, except that integers have to be exact, and what
  /// is finite has to stay finite.
  private static void requireKept(Object object, Comparable<?> value) {
    if ((value instanceof Float || value instanceof Double) && object instanceof Number number) {
      double made = ((Number) value).doubleValue();
      boolean wasFinite = number instanceof BigDecimal || Double.isFinite(number.doubleValue());
      boolean isKept =
          Double.isFinite(made)
              ? !(number instanceof Long whole)
                  || new BigDecimal(made).compareTo(BigDecimal.valueOf(whole)) == 0
              : !wasFinite;
      if (!isKept) {
        throw new IllegalArgumentException();
      }
    }
  }

  /// Returns the whole number of the type that is nearest towards zero; 0 for NaN, as other casts.
  private BigInteger nearest(Number number) {
    BigInteger least = NumberConverter.bound(to, true);
    BigInteger most = NumberConverter.bound(to, false);
    if (!(number instanceof BigDecimal) && !Double.isFinite(number.doubleValue())) {
      double value = number.doubleValue();
      return Double.isNaN(value) ? BigInteger.ZERO : value < 0 ? least : most;
    }
    BigInteger whole =
        (number instanceof BigDecimal decimal ? decimal : new BigDecimal(number.toString()))
            .toBigInteger();
    return whole.max(least).min(most);
  }
}
