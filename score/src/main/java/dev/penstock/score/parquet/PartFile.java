package dev.penstock.score.parquet;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.schema.MessageType;

/// A Parquet file in memory, to which rows are appended. The same columns, entries and rows give
/// the same bytes, however many rows are appended at a time.
///
/// Values are encoded and compressed as they come; nothing of what is appended is kept. A row group
/// has at most 1,048,576 rows and about 64 MiB. Strings and numbers that repeat become
/// dictionaries.
///
/// **Threads.** One at a time.
///
/// **Errors.** After an exception of [#append] the file cannot be continued.
public final class PartFile {
  private final List<OutputColumn> columns;
  private final Codec codec;
  private final MessageType schema;
  private final ParquetProperties properties;
  private final List<ColumnEncoder> encoders;
  private final FileBytes bytes = new FileBytes();
  private final ParquetFileWriter file;

  private RowGroup group;
  private long rows;
  private boolean isOpen = true;

  /// Begins a file without rows.
  ///
  /// @param columns its columns, at least one, their names all different
  /// @param codec how it is compressed
  /// @throws IllegalArgumentException if there is no column, or two have one name
  /// @throws IOException if the codec's library cannot be loaded
  public PartFile(List<OutputColumn> columns, Codec codec) throws IOException {
    this.columns = List.copyOf(columns);
    this.codec = codec;
    requireNames();
    codec.load();
    schema = PartSchema.of(this.columns);
    properties = RowGroup.properties(schema);
    encoders = this.columns.stream().map(ColumnEncoder::of).toList();
    file =
        new ParquetFileWriter(
            bytes,
            schema,
            ParquetFileWriter.Mode.CREATE,
            Integer.MAX_VALUE,
            0, // no padding
            ParquetProperties.DEFAULT_COLUMN_INDEX_TRUNCATE_LENGTH,
            ParquetProperties.DEFAULT_STATISTICS_TRUNCATE_LENGTH,
            ParquetProperties.DEFAULT_PAGE_WRITE_CHECKSUM_ENABLED);
    file.start();
    group = new RowGroup(schema, properties, codec);
  }

  private void requireNames() {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("Cannot write a file without columns.");
    }
    Set<String> names = new HashSet<>();
    for (OutputColumn column : columns) {
      if (!names.add(column.name())) {
        throw new IllegalArgumentException(
            "Cannot write two columns named '" + column.name() + "'.");
      }
    }
  }

  /// Appends rows.
  ///
  /// @param count how many
  /// @param values the values of each column, in the columns' order
  /// @throws UnfitRowException if a value does not fit its column: null in one that is not
  ///   nullable, another class of object, a decimal with too many digits, text that is not Unicode
  /// @throws IllegalArgumentException if values have another form than their column, or another
  ///   number of rows
  /// @throws IllegalStateException if the file is finished, an exception ended it, or it has more
  ///   than 2 GiB
  /// @throws IOException does not happen: nothing leaves memory
  public void append(int count, List<Values> values) throws IOException {
    requireOpen();
    if (values.size() != columns.size()) {
      throw new IllegalArgumentException(
          "Cannot append rows: found values of "
              + values.size()
              + " columns but expected "
              + columns.size()
              + ".");
    }
    isOpen = false; // until all is written
    for (int i = 0; i < encoders.size(); i++) {
      encoders.get(i).take(count, values.get(i));
    }
    for (int row = 0; row < count; ) {
      row = group.write(encoders, row, count);
      if (group.isFull()) {
        endGroup();
      }
    }
    encoders.forEach(ColumnEncoder::release);
    rows += count;
    isOpen = true;
  }

  private void endGroup() throws IOException {
    group.writeTo(file);
    group = new RowGroup(schema, properties, codec);
  }

  /// {@return how many rows were appended}
  public long rows() {
    return rows;
  }

  /// {@return about how many bytes of memory the file takes}
  public long bytesHeld() {
    return bytes.bytesHeld() + group.bytesHeld();
  }

  /// Ends the file.
  ///
  /// @param entries texts in its footer, by key
  /// @return its bytes
  /// @throws IllegalStateException as [#append] does
  /// @throws IOException does not happen: nothing leaves memory
  public byte[] finish(Map<String, String> entries) throws IOException {
    requireOpen();
    isOpen = false;
    if (group.rows() > 0) {
      endGroup();
    }
    file.end(new TreeMap<>(entries));
    return bytes.toBytes();
  }

  private void requireOpen() {
    if (!isOpen) {
      throw new IllegalStateException(
          "Cannot write to a part that is finished, or that an exception ended.");
    }
  }
}
