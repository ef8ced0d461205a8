package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.footer.PlainForm;
import dev.penstock.internal.parquet.page.Page;
import dev.penstock.internal.parquet.page.Page.Part;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A column whose values all have one width of whole bytes.
final class FixedColumnReader extends ColumnReader {
  /* A plain page without nulls that has all rows of the slice is not copied: the slice is a view of
   * it. Everything else is decoded into `values`, through `dense` if there are nulls. */
  private final PlainForm form;
  private final int width;
  private final Buffer values = new Buffer(memory);
  private final Buffer dense = new Buffer(memory);
  private final Buffer codes = new Buffer(memory);
  private final Buffer table = new Buffer(memory);
  private int[] ints = {}; // the table, if its values have 4 bytes
  private long[] longs = {0}; // the same for 8 bytes; its length is a power of two
  private int tableSize = -1;

  private @Nullable EncodedValues encoded; // for pages in other encodings
  private MemorySegment slice = MemorySegment.NULL;

  FixedColumnReader(Parts parts, PlainForm form) {
    super(parts);
    this.form = form;
    this.width = PlainValues.width(form);
  }

  @Override
  int startSlice(int want) {
    slice = MemorySegment.NULL;
    return Math.clamp(SLICE_BYTES / width, 1, want);
  }

  @Override
  void dropDictionary() {
    tableSize = -1;
  }

  @Override
  boolean hasDictionary() {
    return tableSize >= 0;
  }

  @Override
  void startDictionary(Page page) throws PageException {
    Part from = page.values();
    int size = page.header().valueCount();
    PlainValues.check(form, from.segment(), from.start(), from.end(), size);
    MemorySegment values = from.segment();
    long at = from.start();
    boolean isArray = width == 4 || width == 8;
    if (!isArray || !(form instanceof PlainForm.Copy)) {
      values = table.ensure((long) size * width);
      at = 0;
      PlainValues.convert(form, from.segment(), from.start(), from.end(), values, 0, size);
    }
    tableSize = size;
    if (width == 4) {
      ints = new int[size];
      MemorySegment.copy(values, Raw.INT, at, ints, 0, size);
    } else if (width == 8) {
      if (longs.length < size) {
        longs = new long[1 << (Integer.SIZE - Integer.numberOfLeadingZeros(size - 1))];
      }
      MemorySegment.copy(values, Raw.LONG, at, longs, 0, size);
    }
  }

  @Override
  void startPage(Page page) throws PageException {
    if (!coded && !plain) {
      if (encoded == null) {
        encoded = new EncodedValues(type, form, memory);
      }
      encoded.start(page);
    }
  }

  @Override
  void decodeValues(int at, int count, int present, int most) throws PageException {
    if (at == 0 && count == most && present == count && plain && form instanceof PlainForm.Copy) {
      PlainValues.check(form, data.segment(), position, data.end(), count);
      slice = data.segment().asSlice(position);
      position += (long) count * width;
      return;
    }
    slice = values.grow((long) most * width, (long) at * width);
    if (present == count) {
      decode(slice, (long) at * width, count);
    } else if (present > 0) {
      decodeSpread(slice, at, count, present);
    }
  }

  /// Decodes `count` values into `target` from byte `at`.
  private void decode(MemorySegment target, long at, int count) throws PageException {
    if (coded) {
      lookUp(Raw.address(target, at, (long) count * width), count);
    } else if (plain) {
      position = PlainValues.convert(form, data.segment(), position, data.end(), target, at, count);
    } else {
      Objects.requireNonNull(encoded).decode(target, at, count);
    }
  }

  private void decodeSpread(MemorySegment target, int at, int count, int present)
      throws PageException {
    long past = Spread.readsPast(width) ? width : 0;
    long source;
    if (plain && form instanceof PlainForm.Copy) {
      PlainValues.check(form, data.segment(), position, data.end(), present);
      source = Raw.address(data.segment(), position, (long) present * width + past);
      position += (long) present * width;
    } else {
      MemorySegment temporary = dense.ensure((long) count * width);
      decode(temporary, 0, present);
      source = Raw.address(temporary, 0, (long) present * width + past);
    }
    long to = Raw.address(target, (long) at * width, (long) count * width);
    Spread.spread(width, source, to, validity.segment(), at, count);
  }

  private void lookUp(long target, int count) throws PageException {
    IndexDecoder indices = indices();
    switch (width) {
      case 4 -> indices.gather4(ints, target, count);
      case 8 -> indices.gather8(longs, tableSize, target, count);
      default -> {
        long from = Raw.address(table.segment(), 0, (long) tableSize * width);
        MemorySegment found = codes.ensure(count * 4L);
        indices.codes(Raw.address(found, 0, count * 4L), count, tableSize);
        for (int i = 0; i < count; i++) {
          long code = found.get(Raw.INT, i * 4L);
          Raw.copy(from + code * width, target + (long) i * width, width);
        }
      }
    }
  }

  @Override
  ColumnSlice view(int from, int count, int nullCount, @Nullable MemorySegment validity) {
    MemorySegment part = from == 0 ? slice : slice.asSlice((long) from * width);
    return ColumnSlice.fixed(type, count, nullCount, validity, part);
  }
}
