package dev.penstock.internal.cache;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Some rows of a column that the cache has.
public record CachedChunk(RoomKeeper keeper, Segment segment, int record, int column) {
  /// Returns the number that the first of the rows has in the file.
  public long firstRow() {
    return segment.index().firstRow(record);
  }

  public long endRow() {
    return firstRow() + segment.index().rows(record);
  }

  /// Returns the bytes of all columns that are kept together with these rows.
  public long bytes() {
    return segment.index().bytes(record);
  }

  /// Begins to read the rows from the disk, without waiting.
  void readSoon() {
    try {
      segment.readSoon(record);
    } catch (IOException e) {
      keeper.lose(segment, e);
    }
  }

  /// Returns the rows, valid as long as the folder is held; null if they prove to be damaged, and
  /// are not in the cache any more.
  public @Nullable ColumnSlice slice(DataType type) {
    try {
      keeper.use(segment);
      return segment.column(record, column, type);
    } catch (IOException e) {
      keeper.lose(segment, e);
      return null;
    }
  }
}
