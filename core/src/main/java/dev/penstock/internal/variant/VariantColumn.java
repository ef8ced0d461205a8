package dev.penstock.internal.variant;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.BytesView;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.LittleEndian;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes a column of variants of the struct that a file stores: `metadata`, and `value` or
/// `typed_value` or both.
///
/// **Ownership.** A slice is valid until the next is made.
///
/// **Threads.** One at a time.
public final class VariantColumn {
  private static final DataType TYPE = new DataType.Variant();

  private final int metadataPlace;
  private final Shredded shredded;
  private final ScratchBuffer offsets;
  private final ScratchBuffer values;
  private final VariantWriter row = new VariantWriter();
  private @Nullable VariantNames names;

  /// Makes a column of variants from a struct of type `stored`, which [#isStored] accepts. Values
  /// are written to `memory`.
  public VariantColumn(DataType stored, ScratchMemory memory) {
    this.metadataPlace = metadataPlace(stored);
    this.shredded = Objects.requireNonNull(Shredded.of(stored));
    this.offsets = new ScratchBuffer(memory);
    this.values = new ScratchBuffer(memory);
  }

  /// Returns whether a struct can be read as variants: it has the fields of a stored variant, in
  /// types that these can have.
  public static boolean isStored(DataType stored) {
    return metadataPlace(stored) >= 0 && Shredded.of(stored) != null;
  }

  private static int metadataPlace(DataType stored) {
    List<Field> fields = stored instanceof DataType.Struct(List<Field> each) ? each : List.of();
    int place = Shredded.place(fields, "metadata");
    return place >= 0 && fields.get(place).type() instanceof DataType.Binary ? place : -1;
  }

  /// Makes variants of rows `[from, end)` of a struct; other rows are undefined. Each is its
  /// metadata and then its value, checked.
  public ColumnSlice of(ColumnSlice stored, int from, int end) throws VariantException {
    BytesView metadata = new BytesView(stored.children().get(metadataPlace));
    BytesView present = new BytesView(stored);
    shredded.bind(stored);
    int rows = stored.rowCount();
    MemorySegment ends = offsets.ensure(4L * (rows + 1L));
    ends.asSlice(0, 4L * (from + 1L)).fill((byte) 0);
    long size = 0;
    for (int i = from; i < end; i++) {
      if (present.isPresent(i)) {
        row(metadata, i);
        size += row.size();
        if (size > Integer.MAX_VALUE) {
          throw new VariantException((i - from) + " of them take more than 2 GiB together.");
        }
        MemorySegment target = values.grow(size);
        MemorySegment.copy(
            row.bytes(), 0, target, ValueLayout.JAVA_BYTE, size - row.size(), row.size());
      }
      ends.setAtIndex(LittleEndian.INT, i + 1L, (int) size);
    }
    for (int i = end; i < rows; i++) {
      ends.setAtIndex(LittleEndian.INT, i + 1L, (int) size);
    }
    return ColumnSlice.variable(
        TYPE, rows, stored.nullCount(), stored.validity(), values.grow(0), ends);
  }

  private void row(BytesView metadata, int index) throws VariantException {
    if (!metadata.isPresent(index)) {
      throw new VariantException("its metadata is null.");
    }
    metadata.find(index);
    row.clear();
    row.copy(metadata.segment(), metadata.start(), metadata.length());
    VariantNames found = VariantNames.of(row.bytes(), 0, row.size(), names);
    names = found;
    row.clear();
    row.copy(found.bytes(), 0, found.length());
    shredded.write(index, found, row);
  }
}
