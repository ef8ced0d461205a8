package dev.penstock.split;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.format.RowGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// Packs neighbouring row groups of a file up to a target size and deals the pieces evenly. The
/// default.
///
/// A piece is at least one row group and never spans files. Pieces are dealt, largest first, to the
/// reader with the fewest rows so far (longest processing time first, Graham 1969); no reader gets
/// more than 4/3 of the best possible maximum.
public final class TargetSizeSplitStrategy implements SplitStrategy {
  /// The default target: 128 MiB.
  public static final ByteSize DEFAULT_SPLIT_BYTES = new ByteSize(128 << 20);

  private final long bytesMax;
  private final long rowsMax;

  private TargetSizeSplitStrategy(long bytesMax, long rowsMax) {
    this.bytesMax = bytesMax;
    this.rowsMax = rowsMax;
  }

  /// {@return the strategy with the default target, pieces of 128 MiB}
  public static TargetSizeSplitStrategy ofDefault() {
    return ofBytes(DEFAULT_SPLIT_BYTES);
  }

  /// {@return a strategy that packs up to a number of bytes}
  ///
  /// @param splitBytes the most decompressed bytes of a piece, all columns counted, unless a single
  ///   row group has more; at least 1
  public static TargetSizeSplitStrategy ofBytes(ByteSize splitBytes) {
    if (splitBytes.bytes() < 1) {
      throw Advice.argumentError(
          "%s must be at least 1, got %s.", Remedy.name("splitBytes"), splitBytes);
    }
    return new TargetSizeSplitStrategy(splitBytes.bytes(), Long.MAX_VALUE);
  }

  /// {@return a strategy that packs up to a number of rows}
  ///
  /// @param splitRows the most rows of a piece, unless a single row group has more; at least 1
  public static TargetSizeSplitStrategy ofRows(long splitRows) {
    if (splitRows < 1) {
      throw Advice.argumentError(
          "%s must be at least 1, got %s.", Remedy.name("splitRows"), splitRows);
    }
    return new TargetSizeSplitStrategy(Long.MAX_VALUE, splitRows);
  }

  @Override
  public List<Split> generate(List<DataFileInfo> files, int count, long epoch) {
    List<FileSplit> pieces = new ArrayList<>();
    for (DataFileInfo file : files) {
      pack(file, pieces);
    }
    return dealEvenly(pieces, count);
  }

  private void pack(DataFileInfo file, List<FileSplit> pieces) {
    long start = 0;
    long rows = 0;
    long bytes = 0;
    for (RowGroup group : file.rowGroups()) {
      boolean full = rows + group.rowCount() > rowsMax || bytes > bytesMax - group.bytes();
      if (full && rows > 0) {
        pieces.add(FileSplit.of(file, start, rows));
        start += rows;
        rows = 0;
        bytes = 0;
      }
      rows += group.rowCount();
      bytes += group.bytes();
    }
    if (rows > 0) {
      pieces.add(FileSplit.of(file, start, rows));
    }
  }

  /// {@return one Split per reader: pieces are dealt, largest first, to the reader with the fewest
  /// rows; ties go to the lower reader}
  ///
  /// @param pieces what to deal; each reader keeps its pieces in this order
  /// @param count how many readers, at least 1
  public static List<Split> dealEvenly(List<FileSplit> pieces, int count) {
    if (count == 1) {
      return List.of(new Split(pieces));
    }
    record Load(int reader, long rows) {}
    PriorityQueue<Load> loads =
        new PriorityQueue<>(Comparator.comparingLong(Load::rows).thenComparingInt(Load::reader));
    for (int reader = 0; reader < count; reader++) {
      loads.add(new Load(reader, 0));
    }
    int[] readerOf = new int[pieces.size()];
    List<Integer> bySize = new ArrayList<>();
    for (int i = 0; i < pieces.size(); i++) {
      bySize.add(i);
    }
    bySize.sort(Comparator.comparingLong((Integer i) -> -pieces.get(i).rows()));
    for (int i : bySize) {
      Load least = loads.remove();
      readerOf[i] = least.reader();
      loads.add(new Load(least.reader(), least.rows() + pieces.get(i).rows()));
    }
    List<List<FileSplit>> dealt = new ArrayList<>();
    for (int reader = 0; reader < count; reader++) {
      dealt.add(new ArrayList<>());
    }
    for (int i = 0; i < readerOf.length; i++) {
      dealt.get(readerOf[i]).add(pieces.get(i));
    }
    return dealt.stream().map(Split::new).toList();
  }

  @Override
  public boolean keepsFileOrder() {
    return true;
  }

  @Override
  public String toString() {
    return rowsMax != Long.MAX_VALUE
        ? "target size, " + rowsMax + " rows"
        : "target size, " + new ByteSize(bytesMax);
  }
}
