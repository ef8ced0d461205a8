package dev.penstock.internal.parquet;

import dev.penstock.format.ByteRange;
import dev.penstock.internal.parquet.ParquetMetadata.Chunk;
import dev.penstock.internal.parquet.ParquetMetadata.Column;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.ArrayList;
import java.util.List;

/// Which bytes a reader of some rows and columns reads: the chunks of the columns in the row groups
/// that have the rows, and where it starts within one the places of the pages.
final class ChunkRanges {
  private ChunkRanges() {}

  static List<ByteRange> of(
      ParquetMetadata metadata, Schema columns, long firstRow, long rowCount) {
    List<ByteRange> ranges = new ArrayList<>();
    long start = 0;
    for (int group = 0; group < metadata.rowGroups().size(); group++) {
      long end = start + metadata.rowGroups().get(group).rowCount();
      if (start < firstRow + rowCount && end > firstRow) {
        for (Field field : columns.fields()) {
          int rowGroup = group;
          boolean starts = firstRow > start;
          metadata
              .find(field.name())
              .ifPresent(column ->
                  column.leaves().forEach(leaf -> add(metadata, rowGroup, leaf, starts, ranges)));
        }
      }
      start = end;
    }
    return ranges;
  }

  /// @param inside whether reading starts behind the first row of the row group
  private static void add(
      ParquetMetadata metadata, int group, Column leaf, boolean inside, List<ByteRange> ranges) {
    Chunk chunk = metadata.chunks().get(group).get(leaf.leaf());
    if (chunk.bytes() > 0) {
      ranges.add(new ByteRange(chunk.offset(), chunk.bytes()));
    }
    if (inside && chunk.bytes() > ParquetReader.JUMP_BYTES_MIN) {
      IndexRanges.add(metadata.footerStatistics().entry(group, leaf.leaf()).offsetIndex(), ranges);
    }
  }
}
