package dev.penstock.internal.parquet;

import dev.penstock.internal.parquet.footer.FooterStatistics.Extent;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Column;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import java.util.ArrayList;
import java.util.List;

/// The bytes that a reader of some rows and columns reads: the chunks of the columns in the row
/// groups of the rows. If it starts within a row group, the reader first reads where the pages are,
/// then only the pages it needs.
final class ChunkRanges {
  /// The assumed bytes of a dictionary: rows that end within a row group take about their share of
  /// a chunk, plus a dictionary.
  private static final long DICTIONARY_BYTES = 64 << 10;

  private ChunkRanges() {}

  static List<ByteRange> of(
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
                  column.leaves().forEach(leaf -> add(metadata, rowGroup, leaf, from, to, ranges)));
        }
      }
      start += rows;
    }
    return ranges;
  }

  /// Adds what is read of a leaf for rows `[from, to)`, counted in the row group.
  private static void add(
      ParquetMetadata metadata, int group, Column leaf, long from, long to, List<ByteRange> into) {
    Chunk chunk = metadata.chunks().get(group).get(leaf.leaf());
    Extent places = metadata.footerStatistics().indexes(group, leaf.leaf()).offsetIndex();
    if (from > 0 && chunk.bytes() > ParquetReader.JUMP_BYTES_MIN && places.isSet()) {
      IndexRanges.add(places, into);
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
}
