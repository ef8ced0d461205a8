package dev.penstock.benchmarks.readers.parquetjava;

import dev.penstock.benchmarks.readers.ColumnSums;
import dev.penstock.benchmarks.readers.Table;
import dev.penstock.benchmarks.readers.Table.Column;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/// Hands generated rows, by their numbers, to parquet-java, and sums them up.
final class RowWriter extends WriteSupport<Long> {
  private final MessageType schema;
  private final List<Column> columns;
  private final Values values;
  private final ColumnSums sums;
  private @Nullable RecordConsumer consumer;

  RowWriter(MessageType schema, List<Column> columns, Values values, ColumnSums sums) {
    this.schema = schema;
    this.columns = columns;
    this.values = values;
    this.sums = sums;
  }

  @Override
  public String getName() {
    return "penstock-benchmarks";
  }

  @Override
  @SuppressWarnings("deprecation") // abstract all the same
  public WriteContext init(Configuration configuration) {
    return new WriteContext(schema, Map.of());
  }

  @Override
  public WriteContext init(ParquetConfiguration configuration) {
    return new WriteContext(schema, Map.of());
  }

  @Override
  public void prepareForWrite(RecordConsumer recordConsumer) {
    consumer = recordConsumer;
  }

  @Override
  public void write(Long row) {
    RecordConsumer to = java.util.Objects.requireNonNull(consumer);
    to.startMessage();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      switch (column.kind()) {
        case DOUBLE -> writeDouble(to, i, column.name(), row);
        case FLOAT -> {
          float value = values.nextFloat();
          sums.add(i, row, value);
          to.startField(column.name(), i);
          to.addFloat(value);
          to.endField(column.name(), i);
        }
        case INT -> {
          int value = (int) values.nextLong(i);
          sums.add(i, row, (long) value);
          to.startField(column.name(), i);
          to.addInteger(value);
          to.endField(column.name(), i);
        }
        case LONG -> {
          long value = values.nextLong(i);
          sums.add(i, row, value);
          to.startField(column.name(), i);
          to.addLong(value);
          to.endField(column.name(), i);
        }
        case TEXT -> {
          String value = values.nextText(i);
          sums.add(i, row, value);
          to.startField(column.name(), i);
          to.addBinary(Binary.fromString(value));
          to.endField(column.name(), i);
        }
        case VECTOR -> writeVector(to, i, column.name(), row);
      }
    }
    to.endMessage();
  }

  private void writeDouble(RecordConsumer to, int index, String name, long row) {
    double value = values.nextDouble(index);
    sums.add(index, row, value);
    if (!Double.isNaN(value)) {
      to.startField(name, index);
      to.addDouble(value);
      to.endField(name, index);
    }
  }

  private void writeVector(RecordConsumer to, int index, String name, long row) {
    to.startField(name, index);
    to.startGroup();
    to.startField("list", 0);
    for (int i = 0; i < Table.VECTOR; i++) {
      float value = values.nextFloat();
      sums.add(index, row * Table.VECTOR + i, value);
      to.startGroup();
      to.startField("element", 0);
      to.addFloat(value);
      to.endField("element", 0);
      to.endGroup();
    }
    to.endField("list", 0);
    to.endGroup();
    to.endField(name, index);
  }

  /// Makes writers of rows.
  static final class Builder extends ParquetWriter.Builder<Long, Builder> {
    private final RowWriter support;

    Builder(OutputFile file, RowWriter support) {
      super(file);
      withConf(new PlainParquetConfiguration());
      this.support = support;
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract all the same
    protected WriteSupport<Long> getWriteSupport(Configuration configuration) {
      return support;
    }

    @Override
    protected WriteSupport<Long> getWriteSupport(ParquetConfiguration configuration) {
      return support;
    }
  }
}
