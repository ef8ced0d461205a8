package dev.penstock.internal.parquet.footer;

import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import java.util.BitSet;
import java.util.List;

/// The statistics of each column chunk in a footer, and where the chunk's page index and bloom
/// filter are.
///
/// Decoded from the footer's bytes on demand, but for those that are unreliable.
public final class FooterStatistics {
  /// Longer bounds of text or bytes are cut to this many bytes.
  static final int BOUND_BYTES_MAX = 64;

  /// A range of the file as stated in the footer, not checked, in bytes. Its offset is 0 if there
  /// is none, its length 0 if the footer does not state it.
  public record Extent(long offset, long length) {
    static final Extent NONE = new Extent(0, 0);

    public boolean isSet() {
      return offset > 0;
    }
  }

  public record Indexes(Extent columnIndex, Extent offsetIndex, Extent bloomFilter) {}

  private static final int TYPE_ORDER = 1 << 4 | CompactInput.STRUCT;
  private static final int TOTAL_ORDER = 2 << 4 | CompactInput.STRUCT;

  private final List<LeafColumn> leaves;
  private final boolean[] ordered;
  private final CreatedBy writer;
  private final StoredChunks chunks;
  private final boolean pageIndex;

  /// The chunks whose offset index was verified; guarded by itself.
  private final BitSet rightPlaces = new BitSet();

  /// Takes the chunks of a footer. Without `pageIndex`, they are the same as if the file had no
  /// page indexes.
  ///
  /// @param orders the fields of `ColumnOrder` that are set, by leaf
  FooterStatistics(
      CreatedBy writer,
      int[] orders,
      List<LeafColumn> leaves,
      StoredChunks chunks,
      boolean pageIndex) {
    this.leaves = leaves;
    this.writer = writer;
    this.ordered = ordered(orders);
    this.chunks = chunks;
    this.pageIndex = pageIndex;
  }

  public boolean arePlacesRight(int rowGroup, int leaf) {
    synchronized (rightPlaces) {
      return rightPlaces.get(chunks.number(rowGroup, leaf));
    }
  }

  public void placesAreRight(int rowGroup, int leaf) {
    synchronized (rightPlaces) {
      rightPlaces.set(chunks.number(rowGroup, leaf));
    }
  }

  /// Returns for each leaf whether its bounds use the order of its type.
  private boolean[] ordered(int[] orders) {
    boolean[] result = new boolean[leaves.size()];
    if (orders.length == result.length) {
      for (int i = 0; i < result.length; i++) {
        LeafColumn leaf = leaves.get(i);
        boolean known = orders[i] == TYPE_ORDER || (orders[i] == TOTAL_ORDER && leaf.isFloating());
        result[i] = known && leaf.ordered() && writer.ordersRight(leaf);
      }
    }
    return result;
  }

  StatedStatistics stated(int rowGroup, int index) {
    StoredChunk from = chunks.stored(rowGroup, index);
    if (from.isElsewhere()) {
      return StatedStatistics.counts(-1, -1, -1);
    }
    LeafColumn leaf = leaves.get(index);
    StatedStatistics counts =
        StatedStatistics.counts(
            from.values(), writer.countsRight(from.nulls()) ? from.nulls() : -1, from.nans());
    if (ordered[index] && from.hasBounds()) {
      boolean exact = !leaf.isBytes();
      return counts
          .withMin(from.min(), from.isMinExact(exact))
          .withMax(from.max(), from.isMaxExact(exact))
          .shortened(leaf, BOUND_BYTES_MAX);
    }
    // The old fields always use the order of signed numbers, whatever the column's order is.
    return from.hasOldBounds() && leaf.isSignedNumber() && writer.ordersRight(leaf)
        ? counts
            .withMin(from.oldMin(), true)
            .withMax(from.oldMax(), true)
            .shortened(leaf, BOUND_BYTES_MAX)
        : counts;
  }

  /// Returns the reliable statistics of a leaf in a row group; none for leaf -1.
  public ColumnStatistics statistics(int rowGroup, int leaf) {
    return leaf < 0 ? ColumnStatistics.UNKNOWN : stated(rowGroup, leaf).checked(leaves.get(leaf));
  }

  /// Returns the place of the leaf with a path in lists or maps, or -1.
  int findInLists(String path) {
    for (int i = 0; i < leaves.size(); i++) {
      if (leaves.get(i).repeated() && leaves.get(i).path().equals(path)) {
        return i;
      }
    }
    return -1;
  }

  public LeafColumn leaf(int leaf) {
    return leaves.get(leaf);
  }

  /// Returns whether the bounds of a leaf's pages use the order of its type.
  public boolean isOrdered(int leaf) {
    return ordered[leaf];
  }

  /// Returns the reliable part of a page's statistics from a page index. The leaf is not in a list.
  /// A number of nulls or NaNs below 0 is unknown; the bounds have no bytes if all are null.
  public ColumnStatistics ofPage(
      int leaf, long rows, boolean allNull, long nulls, long nans, ByteString min, ByteString max) {
    LeafColumn column = leaves.get(leaf);
    if (allNull && nulls >= 0 && nulls != rows) {
      return StatedStatistics.counts(rows, -1, -1).checked(column); // One of the two is wrong.
    }
    long counted = writer.countsRight(nulls) ? nulls : -1;
    StatedStatistics stated = StatedStatistics.counts(rows, allNull ? rows : counted, nans);
    if (ordered[leaf] && !(allNull && min.length() == 0 && max.length() == 0)) {
      boolean exact = !column.isBytes();
      stated = stated.withMin(min, exact).withMax(max, exact);
    }
    return stated.checked(column);
  }

  public Indexes indexes(int rowGroup, int leaf) {
    Indexes stated = chunks.stored(rowGroup, leaf).indexes();
    Extent bloomFilter = writer.filtersRight() ? stated.bloomFilter() : Extent.NONE;
    return pageIndex
        ? new Indexes(stated.columnIndex(), stated.offsetIndex(), bloomFilter)
        : new Indexes(Extent.NONE, Extent.NONE, bloomFilter);
  }
}
