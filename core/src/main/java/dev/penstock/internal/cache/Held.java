package dev.penstock.internal.cache;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Some rows of a column that the cache has.
public final class Held {
  private final CacheFolder folder;
  private final Segment segment;
  private final int record;
  private final int column;

  Held(CacheFolder folder, Segment segment, int record, int column) {
    this.folder = folder;
    this.segment = segment;
    this.record = record;
    this.column = column;
  }

  /// Returns the first of the rows.
  ///
  /// @return its number in the file
  public long firstRow() {
    return segment.index().firstRow(record);
  }

  /// Returns the end of the rows.
  ///
  /// @return the number of the row after the last one
  public long endRow() {
    return firstRow() + segment.index().rows(record);
  }

  /// Begins to read the rows from the disk, without waiting.
  void readSoon() {
    try {
      segment.readSoon(record);
    } catch (IOException e) {
      folder.lose(segment, e);
    }
  }

  /// Returns the rows.
  ///
  /// @param type the type of the column
  /// @return the rows; null if they prove to be damaged, and are not in the cache any more. Valid
  ///   as long as the folder is held
  public @Nullable ColumnSlice slice(DataType type) {
    try {
      folder.use(segment);
      return segment.column(record, column, type);
    } catch (IOException e) {
      folder.lose(segment, e);
      return null;
    }
  }
}
