package dev.penstock.iceberg.internal.fields;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import org.apache.iceberg.MetadataColumns;

/// The metadata columns that are computed from a row's position, all 64-bit integers.
public enum Lineage {
  /// The number of the row in its file, deleted rows counted.
  POSITION(MetadataColumns.ROW_POSITION.fieldId(), MetadataColumns.ROW_POSITION.name(), false),

  /// The number of the row in the table, which it keeps when it is rewritten.
  ROW_ID(MetadataColumns.ROW_ID.fieldId(), MetadataColumns.ROW_ID.name(), true),

  /// The sequence number of the commit that last changed the row.
  LAST_UPDATED(
      MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER.fieldId(),
      MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER.name(),
      true);

  private final int id;
  private final String label;
  private final boolean nullable;

  Lineage(int id, String label, boolean nullable) {
    this.id = id;
    this.label = label;
    this.nullable = nullable;
  }

  /// Returns the field id under which a file may store it.
  int id() {
    return id;
  }

  public Field field() {
    return new Field(label, new DataType.Int(64, true), nullable);
  }
}
