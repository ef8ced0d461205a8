package dev.penstock.internal.filter;

import dev.penstock.internal.filter.Condition.Leaf;
import dev.penstock.internal.filter.Condition.Test;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A test of one column on the rows of a slice: first for null, then of the value, unless `values`
/// is null. `flip` is -1 to keep the rows whose value fails, else 0.
record LeafFilter(Leaf leaf, @Nullable ValueCheck values, long flip) implements RowFilter {
  static LeafFilter of(Leaf leaf) {
    ValueCheck values =
        leaf.test() instanceof Test.IsNull ? null : ValueCheck.of(leaf.type(), leaf.test());
    return new LeafFilter(leaf, values, leaf.negated() ? -1 : 0);
  }

  /// Returns a single test for this and another one, or null if there is none.
  @Nullable LeafFilter and(LeafFilter other) {
    if (!leaf.column().equals(other.leaf.column())
        || flip != 0
        || other.flip != 0
        || !(values instanceof KeyValues mine)
        || !(other.values instanceof KeyValues those)) {
      return null;
    }
    KeyValues both = mine.and(those);
    return both == null ? null : new LeafFilter(leaf, both, 0);
  }

  @Override
  public boolean keep(long[] rows, Slice tested) {
    int rowCount = tested.rowCount();
    ColumnSlice slice = tested.column(leaf.column(), values == null ? null : leaf.type());
    return values == null
        ? keepNulls(rows, rowCount, slice.validity())
        : keepValues(rows, rowCount, slice, values);
  }

  private boolean keepNulls(long[] rows, int rowCount, @Nullable MemorySegment validity) {
    int words = RowFilter.words(rowCount);
    long left = 0;
    for (int w = 0; w < words; w++) {
      long present = validity == null ? -1 : RowFilter.bits(validity, w, rowCount);
      rows[w] &= ~(present ^ flip);
      left |= rows[w];
    }
    return left != 0;
  }

  private boolean keepValues(long[] rows, int rowCount, ColumnSlice slice, ValueCheck values) {
    int words = RowFilter.words(rowCount);
    MemorySegment validity = slice.validity();
    if (slice.nullCount() == rowCount) {
      Arrays.fill(rows, 0, words, 0);
      return false;
    }
    values.begin(slice);
    long left = 0;
    for (int w = 0; w < words; w++) {
      long asked = rows[w];
      if (validity != null && asked != 0) {
        asked &= RowFilter.bits(validity, w, rowCount);
      }
      if (asked != 0) {
        asked &= values.test(slice, w, asked) ^ flip;
      }
      rows[w] = asked;
      left |= asked;
    }
    return left != 0;
  }
}
