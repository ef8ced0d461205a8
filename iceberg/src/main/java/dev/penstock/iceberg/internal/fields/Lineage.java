package dev.penstock.iceberg.internal.fields;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.fields.CountedColumn;
import java.util.OptionalLong;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// The metadata columns that are computed from a row's position, all 64-bit integers.
public enum Lineage {
  /// The number of the row in its file, deleted rows counted.
  POSITION(MetadataColumns.ROW_POSITION),

  /// The number of the row in the table, which it keeps when it is rewritten.
  ROW_ID(MetadataColumns.ROW_ID),

  /// The sequence number of the commit that last changed the row.
  LAST_UPDATED(MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER);

  private final int id;
  private final String label;

  Lineage(Types.NestedField column) {
    this.id = column.fieldId();
    this.label = column.name();
  }

  /// Returns name and type in a table.
  public Field field() {
    return new Field(label, DataType.int64(), this != POSITION);
  }

  /// Returns the column in a file.
  public CountedColumn of(ContentFile<?> file) {
    Long firstRowId = file.firstRowId();
    return switch (this) {
      case POSITION -> counted(0L, 1);
      case ROW_ID -> counted(firstRowId, 1);
      case LAST_UPDATED -> counted(firstRowId == null ? null : file.dataSequenceNumber(), 0);
    };
  }

  private CountedColumn counted(@Nullable Long start, int step) {
    return new CountedColumn(
        label, id, start == null ? OptionalLong.empty() : OptionalLong.of(start), step);
  }
}
