package dev.penstock.internal.parquet;

import dev.penstock.internal.parquet.footer.FooterStatistics;
import dev.penstock.internal.parquet.footer.FooterStatistics.Extent;
import dev.penstock.internal.parquet.footer.FooterStatistics.Indexes;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import dev.penstock.internal.parquet.footer.PlainValue;
import dev.penstock.spi.format.ByteRange;
import java.util.ArrayList;
import java.util.List;

/// The bytes that are read to rule out rows of a row group by a column: its page index, its bloom
/// filter or dictionary.
final class IndexRanges {
  /// How much is requested if the file does not state a length: an amount that does not slow a
  /// request down.
  private static final int UNKNOWN_BYTES = 64 << 10;

  private IndexRanges() {}

  /// Returns the ranges that [PageIndexReader] reads.
  static List<ByteRange> ofPages(ParquetMetadata metadata, int rowGroup, String column) {
    FooterStatistics known = metadata.footerStatistics();
    int leaf = metadata.leaf(column);
    List<ByteRange> ranges = new ArrayList<>();
    if (leaf >= 0 && !known.leaf(leaf).repeated()) {
      Indexes indexes = known.indexes(rowGroup, leaf);
      if (indexes.columnIndex().isSet()) {
        add(indexes.columnIndex(), ranges);
        add(indexes.offsetIndex(), ranges);
      }
    }
    return ranges;
  }

  /// Adds a part of a page index. Its reader checks the footer's numbers; here, a range that is not
  /// inside the file is ignored.
  static void add(Extent place, List<ByteRange> ranges) {
    if (place.isSet()
        && place.length() > 0
        && place.length() <= FilePart.INDEX_BYTES_MAX
        && place.offset() <= Long.MAX_VALUE - place.length()) {
      ranges.add(new ByteRange(place.offset(), place.length()));
    }
  }

  /// Returns the ranges that [SplitBlockFilter] reads, or else [DictionaryFilter].
  static List<ByteRange> ofValues(ParquetMetadata metadata, int rowGroup, String column) {
    FooterStatistics known = metadata.footerStatistics();
    int leaf = metadata.leaf(column);
    if (leaf < 0 || !PlainValue.isUnique(known.leaf(leaf))) {
      return List.of();
    }
    Extent place = known.indexes(rowGroup, leaf).bloomFilter();
    Chunk chunk = metadata.chunks().get(rowGroup).get(leaf);
    if (place.isSet()) {
      boolean isWhole = place.length() > 0 && place.length() <= SplitBlockFilter.WHOLE_BYTES_MAX;
      long length = isWhole ? place.length() : UNKNOWN_BYTES;
      return place.offset() > Long.MAX_VALUE - length
          ? List.of()
          : List.of(new ByteRange(place.offset(), length));
    }
    return chunk.coded()
        ? List.of(new ByteRange(chunk.offset(), Math.min(chunk.bytes(), UNKNOWN_BYTES)))
        : List.of();
  }
}
