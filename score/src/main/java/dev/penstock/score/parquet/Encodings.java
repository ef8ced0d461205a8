package dev.penstock.score.parquet;

import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.column.values.factory.DefaultV1ValuesWriterFactory;
import org.apache.parquet.column.values.factory.DefaultV2ValuesWriterFactory;
import org.apache.parquet.column.values.factory.ValuesWriterFactory;

/// How values are encoded where a dictionary does not pay: integers by their differences, all
/// others plainly.
final class Encodings implements ValuesWriterFactory {
  private final ValuesWriterFactory plain = new DefaultV1ValuesWriterFactory();
  private final ValuesWriterFactory differences = new DefaultV2ValuesWriterFactory();

  @Override
  public void initialize(ParquetProperties properties) {
    plain.initialize(properties);
    differences.initialize(properties);
  }

  @Override
  public ValuesWriter newValuesWriter(ColumnDescriptor column) {
    return switch (column.getPrimitiveType().getPrimitiveTypeName()) {
      case INT32, INT64 -> differences.newValuesWriter(column);
      default -> plain.newValuesWriter(column);
    };
  }
}
