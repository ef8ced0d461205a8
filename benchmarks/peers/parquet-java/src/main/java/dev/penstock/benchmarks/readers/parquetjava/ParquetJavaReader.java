package dev.penstock.benchmarks.readers.parquetjava;

import dev.penstock.benchmarks.readers.Buffers;
import dev.penstock.benchmarks.readers.Reader;
import dev.penstock.benchmarks.readers.Table;
import dev.penstock.benchmarks.readers.Table.Column;
import dev.penstock.benchmarks.readers.Table.Kind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/// parquet-java's column reader, value by value into one off-heap buffer for each column.
///
/// Nulls become NaN. Texts are kept as strings, one for each entry of the dictionary.
public final class ParquetJavaReader implements Reader {
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private final List<MemorySegment> targets = new ArrayList<>();

  /// Makes the reader.
  public ParquetJavaReader() {}

  @Override
  public String name() {
    return "parquet-java";
  }

  @Override
  public void read(Scan scan, Sink sink) throws IOException {
    List<Column> columns = scan.table().columns();
    while (targets.size() < columns.size()) {
      long bytes = (long) BATCH_ROWS * columns.get(targets.size()).kind().bytes();
      targets.add(Arena.global().allocate(bytes, 64));
    }
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
    try (ParquetFileReader file =
        ParquetFileReader.open(new LocalInputFile(scan.file()), options)) {
      MessageType all = file.getFileMetaData().getSchema();
      List<Type> types = columns.stream().map(column -> all.getType(column.name())).toList();
      MessageType wanted = new MessageType(all.getName(), types);
      file.setRequestedSchema(wanted);
      String createdBy = file.getFileMetaData().getCreatedBy();
      while (true) {
        try (PageReadStore pages = file.readNextRowGroup()) {
          if (pages == null) {
            return;
          }
          read(columns, wanted, pages, createdBy, sink);
        }
      }
    }
  }

  private void read(
      List<Column> columns, MessageType schema, PageReadStore pages, String createdBy, Sink sink) {
    Converters converters = new Converters(schema);
    ColumnReadStoreImpl store = new ColumnReadStoreImpl(pages, converters, schema, createdBy);
    List<ColumnReader> readers = schema.getColumns().stream().map(store::getColumnReader).toList();
    Buffers buffers = new Buffers(readers.size());
    for (long left = pages.getRowCount(); left > 0; left -= BATCH_ROWS) {
      int rows = (int) Math.min(BATCH_ROWS, left);
      buffers.rows(rows);
      for (int i = 0; i < readers.size(); i++) {
        Column column = columns.get(i);
        if (column.kind() == Kind.TEXT) {
          @Nullable String[] texts = texts(readers.get(i), converters.texts(i), rows);
          buffers.setTexts(i, MemorySegment.NULL, row -> texts[row]);
        } else {
          MemorySegment target = targets.get(i).asSlice(0, (long) rows * column.kind().bytes());
          fill(target, column.kind(), readers.get(i), rows);
          buffers.set(i, target);
        }
      }
      sink.accept(buffers);
    }
  }

  private static void fill(MemorySegment target, Kind kind, ColumnReader reader, int rows) {
    switch (kind) {
      case DOUBLE -> doubles(reader, target, rows, reader.getDescriptor().getMaxDefinitionLevel());
      case FLOAT -> floats(reader, target, rows);
      case INT -> ints(reader, target, rows);
      case LONG -> longs(reader, target, rows);
      case VECTOR -> floats(reader, target, rows * Table.VECTOR);
      case TEXT -> throw new IllegalArgumentException("Not numbers");
    }
  }

  private static void doubles(ColumnReader reader, MemorySegment target, int rows, int present) {
    for (int i = 0; i < rows; i++) {
      boolean here = reader.getCurrentDefinitionLevel() == present;
      target.setAtIndex(DOUBLE, i, here ? reader.getDouble() : Double.NaN);
      reader.consume();
    }
  }

  private static void floats(ColumnReader reader, MemorySegment target, int count) {
    for (int i = 0; i < count; i++) {
      target.setAtIndex(FLOAT, i, reader.getFloat());
      reader.consume();
    }
  }

  private static void ints(ColumnReader reader, MemorySegment target, int rows) {
    for (int i = 0; i < rows; i++) {
      target.setAtIndex(INT, i, reader.getInteger());
      reader.consume();
    }
  }

  private static void longs(ColumnReader reader, MemorySegment target, int rows) {
    for (int i = 0; i < rows; i++) {
      target.setAtIndex(LONG, i, reader.getLong());
      reader.consume();
    }
  }

  /// Texts of a column that is dictionary encoded throughout.
  private static @Nullable String[] texts(
      ColumnReader reader, Converters.Texts converter, int rows) {
    @Nullable String[] texts = new String[rows];
    for (int i = 0; i < rows; i++) {
      texts[i] = converter.text(reader.getCurrentValueDictionaryID());
      reader.consume();
    }
    return texts;
  }
}
