package dev.penstock.avro;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.FieldId;
import dev.penstock.spi.format.FileMetadata;
import java.util.List;

/// The metadata of an Avro file, and where its blocks are.
///
/// @param avro the schema that the file was written with, a record
/// @param rowGroups groups of neighbouring blocks
/// @param offsets by block, where its bytes start
/// @param sizes by block, its size in bytes
/// @param firstRows by block, its first row; the last element is the number of rows of the file
@SuppressWarnings("ArrayRecordComponent") // never compared
record AvroMetadata(
    Schema schema,
    org.apache.avro.Schema avro,
    Codec codec,
    List<RowGroup> rowGroups,
    long[] offsets,
    int[] sizes,
    long[] firstRows)
    implements FileMetadata {
  @Override
  public List<FieldId> fieldIds() {
    return AvroIds.of(avro);
  }

  /// Returns the bytes of the blocks that have some rows, including everything between them.
  List<ByteRange> ranges(long firstRow, long rowCount) {
    long from = Long.MAX_VALUE;
    long to = 0;
    for (int block = 0; block < offsets.length; block++) {
      boolean wanted =
          sizes[block] > 0
              && firstRows[block] < firstRow + rowCount
              && firstRows[block + 1] > firstRow;
      if (wanted) {
        from = Math.min(from, offsets[block]);
        to = offsets[block] + sizes[block];
      }
    }
    return from < to ? List.of(new ByteRange(from, to - from)) : List.of();
  }
}
