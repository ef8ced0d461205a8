package dev.penstock.internal.parquet.footer;

import static dev.penstock.internal.parquet.footer.Thrift.required;

import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Statistics;
import org.jspecify.annotations.Nullable;

/// The statistics of each column chunk in a footer, and where the chunk's page index and bloom
/// filter are.
///
/// As small as possible, because loaders keep it for thousands of files: one run of bytes for all
/// chunks ([PackedNumbers]), unpacked on demand. Unreliable statistics are not kept.
public final class FooterStatistics {
  /// Longer bounds of text or bytes are cut to this many bytes.
  static final int BOUND_BYTES_MAX = 64;

  private static final int MIN_EXACT = 1;
  private static final int MAX_EXACT = 2;

  /// A range of the file as stated in the footer, not checked, in bytes. Its offset is 0 if there
  /// is none, its length 0 if the footer does not state it.
  public record Extent(long offset, long length) {
    static final Extent NONE = new Extent(0, 0);

    public boolean isSet() {
      return offset > 0;
    }
  }

  public record Indexes(Extent columnIndex, Extent offsetIndex, Extent bloomFilter) {}

  private final List<LeafColumn> leaves;
  private final boolean[] ordered;
  private final CreatedBy writer;
  private final int rowGroups;
  private final int[] starts;
  private final byte[] packed;
  private final boolean pageIndex;

  /// The chunks whose offset index was verified; guarded by itself.
  private final BitSet rightPlaces = new BitSet();

  /// Extracts the statistics from a footer, each of whose row groups has as many chunks as there
  /// are leaves. Without `pageIndex`, they are the same as if the file had none.
  FooterStatistics(FileMetaData metadata, List<LeafColumn> leaves, boolean pageIndex)
      throws PageException {
    this.leaves = leaves;
    this.writer = CreatedBy.of(metadata.getCreated_by());
    this.ordered = ordered(metadata.getColumn_orders());
    List<RowGroup> groups = required(metadata.getRow_groups());
    this.rowGroups = groups.size();
    this.starts = new int[rowGroups * leaves.size()];
    PackedNumbers.Writer target = new PackedNumbers.Writer();
    for (int i = 0; i < starts.length; i++) {
      starts[i] = target.size();
      int leaf = i % leaves.size();
      pack(target, leaf, required(groups.get(i / leaves.size()).getColumns()).get(leaf));
    }
    this.packed = target.toByteArray();
    this.pageIndex = pageIndex;
  }

  public boolean arePlacesRight(int rowGroup, int leaf) {
    synchronized (rightPlaces) {
      return rightPlaces.get(rowGroup * leaves.size() + leaf);
    }
  }

  public void placesAreRight(int rowGroup, int leaf) {
    synchronized (rightPlaces) {
      rightPlaces.set(rowGroup * leaves.size() + leaf);
    }
  }

  /// Returns for each leaf whether its bounds use the order of its type.
  private boolean[] ordered(@Nullable List<ColumnOrder> orders) {
    boolean[] result = new boolean[leaves.size()];
    if (orders != null && orders.size() == result.length) {
      for (int i = 0; i < result.length; i++) {
        LeafColumn leaf = leaves.get(i);
        boolean known =
            orders.get(i).isSetTYPE_ORDER()
                || (LateFields.isTotalOrder(orders.get(i)) && leaf.isFloating());
        result[i] = known && leaf.ordered() && writer.ordersRight(leaf);
      }
    }
    return result;
  }

  private void pack(PackedNumbers.Writer target, int leaf, ColumnChunk chunk) {
    ColumnMetaData data = chunk.getMeta_data();
    boolean elsewhere = chunk.isSetFile_path() || chunk.isSetCrypto_metadata();
    if (data == null || elsewhere) {
      data = new ColumnMetaData().setNum_values(-1); // Then its statistics are unknown too.
    }
    StatedStatistics stated = stated(leaf, data);
    target.add(stated.values());
    target.add(stated.nulls());
    target.add(stated.nans());
    target.add((stated.minExact() ? MIN_EXACT : 0) | (stated.maxExact() ? MAX_EXACT : 0));
    target.add(stated.min());
    target.add(stated.max());
    target.add(elsewhere ? 0 : chunk.getColumn_index_offset());
    target.add(chunk.getColumn_index_length());
    target.add(elsewhere ? 0 : chunk.getOffset_index_offset());
    target.add(chunk.getOffset_index_length());
    target.add(writer.filtersRight() ? data.getBloom_filter_offset() : 0);
    target.add(data.getBloom_filter_length());
  }

  private StatedStatistics stated(int index, ColumnMetaData data) {
    LeafColumn leaf = leaves.get(index);
    Statistics from = data.getStatistics();
    if (from == null) {
      return StatedStatistics.counts(data.getNum_values(), -1, -1);
    }
    boolean counted = from.isSetNull_count() && writer.countsRight(from.getNull_count());
    StatedStatistics counts =
        StatedStatistics.counts(
            data.getNum_values(), counted ? from.getNull_count() : -1, LateFields.nanCount(from));
    if (ordered[index] && (from.isSetMin_value() || from.isSetMax_value())) {
      boolean exact = !leaf.isBytes();
      return counts
          .withMin(
              value(from.getMin_value()),
              from.isSetIs_min_value_exact() ? from.isIs_min_value_exact() : exact)
          .withMax(
              value(from.getMax_value()),
              from.isSetIs_max_value_exact() ? from.isIs_max_value_exact() : exact)
          .shortened(leaf, BOUND_BYTES_MAX);
    }
    // The old fields always use the order of signed numbers, whatever the column's order is.
    boolean old = from.isSetMin() && from.isSetMax();
    return old && leaf.isSignedNumber() && writer.ordersRight(leaf)
        ? counts
            .withMin(value(from.getMin()), true)
            .withMax(value(from.getMax()), true)
            .shortened(leaf, BOUND_BYTES_MAX)
        : counts;
  }

  private static @Nullable ByteString value(byte @Nullable [] bytes) {
    return bytes == null ? null : ByteString.of(bytes);
  }

  /// Returns the reliable statistics of a leaf in a row group; none for leaf -1.
  public ColumnStatistics statistics(int rowGroup, int leaf) {
    Objects.checkIndex(rowGroup, rowGroups);
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

  StatedStatistics stated(int rowGroup, int leaf) {
    return stated(packed(rowGroup, leaf));
  }

  public Indexes indexes(int rowGroup, int leaf) {
    PackedNumbers source = packed(rowGroup, leaf);
    stated(source); // skips the statistics, which come first
    Extent columnIndex = new Extent(source.number(), source.number());
    Extent offsetIndex = new Extent(source.number(), source.number());
    Extent bloomFilter = new Extent(source.number(), source.number());
    return pageIndex
        ? new Indexes(columnIndex, offsetIndex, bloomFilter)
        : new Indexes(Extent.NONE, Extent.NONE, bloomFilter);
  }

  private PackedNumbers packed(int rowGroup, int leaf) {
    int index = Objects.checkIndex(rowGroup, rowGroups) * leaves.size() + leaf;
    return new PackedNumbers(packed, starts[index]);
  }

  private static StatedStatistics stated(PackedNumbers source) {
    long values = source.number();
    long nulls = source.number();
    long nans = source.number();
    long exact = source.number();
    return new StatedStatistics(
        values,
        nulls,
        nans,
        source.bytes(),
        (exact & MIN_EXACT) != 0,
        source.bytes(),
        (exact & MAX_EXACT) != 0);
  }
}
