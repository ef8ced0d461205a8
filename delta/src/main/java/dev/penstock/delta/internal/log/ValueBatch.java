package dev.penstock.delta.internal.log;

import io.delta.kernel.data.ColumnVector;
import io.delta.kernel.data.ColumnarBatch;
import io.delta.kernel.types.StructField;
import io.delta.kernel.types.StructType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows of a log file, as columns.
record ValueBatch(StructType getSchema, List<ColumnVector> columns, int getSize)
    implements ColumnarBatch {
  /// Makes a batch of rows.
  ///
  /// @param rows each an `Object[]` in the order of the schema
  static ValueBatch of(StructType schema, List<@Nullable Object[]> rows) {
    ValueVector whole = new ValueVector(schema, rows);
    List<ColumnVector> columns = new ArrayList<>();
    for (int i = 0; i < schema.length(); i++) {
      columns.add(whole.getChild(i));
    }
    return new ValueBatch(schema, List.copyOf(columns), rows.size());
  }

  @Override
  public ColumnVector getColumnVector(int ordinal) {
    return columns.get(ordinal);
  }

  @Override
  public ColumnarBatch withNewColumn(int ordinal, StructField field, ColumnVector column) {
    List<StructField> fields = new ArrayList<>(getSchema.fields());
    List<ColumnVector> more = new ArrayList<>(columns);
    fields.add(ordinal, field);
    more.add(ordinal, column);
    return new ValueBatch(new StructType(fields), List.copyOf(more), getSize);
  }

  @Override
  public ColumnarBatch withDeletedColumnAt(int ordinal) {
    List<StructField> fields = new ArrayList<>(getSchema.fields());
    List<ColumnVector> fewer = new ArrayList<>(columns);
    fields.remove(ordinal);
    fewer.remove(ordinal);
    return new ValueBatch(new StructType(fields), List.copyOf(fewer), getSize);
  }

  @Override
  public ColumnarBatch withNewSchema(StructType schema) {
    return new ValueBatch(schema, columns, getSize);
  }
}
