package dev.penstock.internal.scan;

import dev.penstock.internal.cache.CachedFile.Recorder;
import dev.penstock.internal.slices.ColumnCopy;
import dev.penstock.internal.slices.SlicePart;
import dev.penstock.internal.slices.Texts;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.util.ArrayList;
import java.util.List;

/// Cuts rows out of columns so that they can be written: without anything else in their memory.
///
/// **Ownership.** Owns its memory until [#release()].
///
/// **Threads.** One at a time.
public final class CompactSlices {
  private final List<ColumnCopy> copies = new ArrayList<>();

  public CompactSlices(Schema schema, ScratchMemory memory) {
    for (Field field : schema.fields()) {
      copies.add(ColumnCopy.of(field.type(), Texts.LENT, memory));
    }
  }

  /// Cuts rows out; they are valid until the next call.
  public List<ColumnSlice> cut(List<ColumnSlice> columns, int first, int rows) {
    List<ColumnSlice> cut = new ArrayList<>();
    for (int i = 0; i < copies.size(); i++) {
      ColumnSlice column = columns.get(i);
      ColumnSlice part = SlicePart.of(column, first, rows);
      if (part == null || !Recorder.isCompact(part)) {
        part = copies.get(i).copy(column, first, rows);
      }
      cut.add(part);
    }
    return cut;
  }

  public void release() {
    copies.forEach(ColumnCopy::release);
  }
}
