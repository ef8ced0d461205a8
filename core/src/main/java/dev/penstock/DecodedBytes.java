package dev.penstock;

import dev.penstock.internal.table.ColumnSource;
import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.OptionalLong;

/// Estimates how much memory decoded columns take, from what files say of themselves.
final class DecodedBytes {
  /// A value of variable length has at least its offset and a few bytes.
  private static final long VARIABLE_BYTES = 8;

  private DecodedBytes() {}

  /// Estimates it for all rows of a table.
  ///
  /// @param table the table
  /// @param schema columns of it
  /// @return bytes, at least 1 a row
  static long of(Table table, Schema schema) {
    long bytes = 0;
    for (TableFile file : table.files()) {
      long rows = file.info().rows();
      bytes += rows;
      for (Field field : schema.fields()) {
        bytes += of(file, field, rows);
      }
    }
    return bytes;
  }

  private static long of(TableFile file, Field field, long rows) {
    long fixed = fixed(field.type());
    if (fixed > 0) {
      return rows * fixed;
    }
    long least = rows * VARIABLE_BYTES;
    if (!(file.columns().source(field) instanceof ColumnSource.Stored(String path, DataType _))) {
      return least;
    }
    long stated = 0;
    for (int group = 0; group < file.metadata().rowGroups().size(); group++) {
      OptionalLong work = file.metadata().decodingWork(group, path);
      if (work.isEmpty()) { // As if all of the file were this column.
        return Math.max(least, file.info().bytes());
      }
      stated += work.getAsLong();
    }
    return Math.max(least, stated);
  }

  private static long fixed(DataType type) {
    return type instanceof DataType.Bool ? 1 : type.byteWidth();
  }
}
