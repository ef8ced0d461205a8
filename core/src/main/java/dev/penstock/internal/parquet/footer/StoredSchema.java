package dev.penstock.internal.parquet.footer;

import dev.penstock.internal.parquet.footer.ParquetMetadata.Column;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.parquet.format.SchemaElement;
import shaded.parquet.org.apache.thrift.TException;

/// The schema of a footer, and what follows from it.
///
/// @param bytes as the footer has it
/// @param columns how the top-level columns are stored
/// @param leaves in the order of their chunks
/// @param readable the parts of the columns that are leaves and can be read
/// @param paths those of the leaves, in UTF-8
@SuppressWarnings("ArrayRecordComponent") // compared by identity
record StoredSchema(
    byte[] bytes,
    Schema schema,
    List<Column> columns,
    List<LeafColumn> leaves,
    List<Column> readable,
    byte[][] paths) {
  private static final long COLUMN_BYTES = 400;

  static StoredSchema of(byte[] bytes, Int96Form int96) throws TException, PageException {
    List<SchemaElement> elements = Thrift.schema(bytes);
    int96.annotate(elements);
    List<Column> columns = SchemaConverter.convert(elements);
    List<LeafColumn> leaves = LeafColumn.of(elements);
    return new StoredSchema(
        bytes,
        Schema.of(columns.stream().map(Column::field).toList()),
        columns,
        leaves,
        columns.stream().flatMap(column -> column.leaves().stream()).toList(),
        leaves.stream()
            .map(leaf -> leaf.path().getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new));
  }

  boolean hasTimes() {
    return leaves.stream()
        .anyMatch(leaf ->
            leaf.type() instanceof DataType.Date || leaf.type() instanceof DataType.Timestamp);
  }

  long heapBytes() {
    return bytes.length + COLUMN_BYTES * leaves.size();
  }
}
