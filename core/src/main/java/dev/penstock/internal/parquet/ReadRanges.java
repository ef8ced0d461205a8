package dev.penstock.internal.parquet;

import dev.penstock.internal.parquet.footer.FooterStatistics;
import dev.penstock.internal.parquet.footer.FooterStatistics.Extent;
import dev.penstock.internal.parquet.footer.FooterStatistics.Indexes;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Column;
import dev.penstock.internal.parquet.footer.PlainValue;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import java.util.ArrayList;
import java.util.List;

/// The bytes that are read of a file: by readers of rows, and to rule out rows of a row group by a
/// column.
final class ReadRanges {
  /// The assumed bytes of a dictionary: rows that end within a row group take about their share of
  /// a chunk, plus a dictionary.
  private static final long DICTIONARY_BYTES = 64 << 10;

  /// How much is requested if the file does not state a length: an amount that does not slow a
  /// request down.
  private static final int UNKNOWN_BYTES = 64 << 10;

  private ReadRanges() {}

  /// Returns the chunks of the columns in the row groups of the rows. If a reader starts within a
  /// row group, it first reads where the pages are, then only the pages it needs.
  static List<ByteRange> ofRows(
      ParquetMetadata metadata, Schema columns, long firstRow, long rowCount) {
    List<ByteRange> ranges = new ArrayList<>();
    long start = 0;
    for (int group = 0; group < metadata.rowGroups().size(); group++) {
      long rows = metadata.rowGroups().get(group).rowCount();
      long from = Math.max(0, firstRow - start);
      long to = Math.min(rows, firstRow + rowCount - start);
      if (from < to) {
        for (Field field : columns.fields()) {
          int rowGroup = group;
          metadata
              .find(field.name())
              .ifPresent(column ->
                  column
                      .leaves()
                      .forEach(leaf -> addLeaf(metadata, rowGroup, leaf, from, to, ranges)));
        }
      }
      start += rows;
    }
    return ranges;
  }

  /// Adds what is read of a leaf for rows `[from, to)`, counted in the row group.
  private static void addLeaf(
      ParquetMetadata metadata, int group, Column leaf, long from, long to, List<ByteRange> into) {
    Chunk chunk = metadata.chunk(group, leaf.leaf());
    Extent places = metadata.footerStatistics().indexes(group, leaf.leaf()).offsetIndex();
    if (from > 0 && chunk.bytes() > ParquetReader.JUMP_BYTES_MIN && places.isSet()) {
      add(places, into);
      return;
    }
    long rows = metadata.rowGroups().get(group).rowCount();
    long about = (long) (1.25 * to / rows * chunk.bytes()) + DICTIONARY_BYTES;
    long bytes = Math.min(chunk.bytes(), about);
    if (bytes > 0) {
      into.add(new ByteRange(chunk.offset(), bytes));
    }
  }

  /// Adds the pages of a chunk that have rows of `[from, to)`, counted in the row group, and its
  /// dictionary.
  static void addPages(
      Chunk chunk, OffsetIndex places, long from, long to, List<ByteRange> ranges) {
    long end = chunk.offset() + chunk.bytes();
    int first = places.page(from);
    if (first == 0 || !places.isGapless(end)) {
      ranges.add(new ByteRange(chunk.offset(), chunk.bytes())); // the chunk is read from its start
      return;
    }
    if (places.offset(0) > chunk.offset()) {
      ranges.add(new ByteRange(chunk.offset(), places.offset(0) - chunk.offset()));
    }
    long last = places.end(places.page(to - 1));
    ranges.add(new ByteRange(places.offset(first), last - places.offset(first)));
  }

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
    Chunk chunk = metadata.chunk(rowGroup, leaf);
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
