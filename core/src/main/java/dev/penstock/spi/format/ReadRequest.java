package dev.penstock.spi.format;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.storage.StorageFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Checks that formats make before they open a reader, see [FileFormat#openReader], and that
/// readers make, see [SliceReader].
public final class ReadRequest {
  private ReadRequest() {}

  /// {@return the metadata of a file, which must be of the format that is to read it}
  ///
  /// @param <M> the format's own metadata
  /// @param type its class
  /// @param file the file
  /// @param metadata its metadata
  /// @throws IllegalArgumentException if it is another format's
  public static <M extends FileMetadata> M metadata(
      Class<M> type, StorageFile file, FileMetadata metadata) {
    if (!type.isInstance(metadata)) {
      throw new IllegalArgumentException(
          "Cannot read " + file.location() + ": its metadata is not of this format.");
    }
    return type.cast(metadata);
  }

  /// Checks how many rows are wanted at most.
  ///
  /// @param maxRows how many
  /// @throws IllegalArgumentException if it is less than 1
  public static void requireMost(int maxRows) {
    if (maxRows < 1) {
      throw new IllegalArgumentException("Rows must be at least 1, got " + maxRows);
    }
  }

  /// Checks that rows to skip are there.
  ///
  /// @param rows how many
  /// @param left how many are left of those that were asked for
  /// @throws IllegalArgumentException if fewer are left, or `rows` is negative
  public static void requireLeft(long rows, long left) {
    if (rows < 0 || rows > left) {
      throw new IllegalArgumentException("Cannot skip " + rows + " rows: " + left + " are left.");
    }
  }

  /// {@return a column of the last slice}
  ///
  /// @param slice the column; null if [SliceReader#next] was not called yet
  /// @throws IllegalStateException if it is null
  public static ColumnSlice given(@Nullable ColumnSlice slice) {
    if (slice == null) {
      throw new IllegalStateException("Cannot give a column: next() has not been called.");
    }
    return slice;
  }

  /// Checks that rows are among those of a file.
  ///
  /// @param metadata the file's metadata
  /// @param firstRow the first row
  /// @param rowCount how many
  /// @throws IllegalArgumentException if they are not
  public static void requireRows(FileMetadata metadata, long firstRow, long rowCount) {
    long rows = metadata.rowCount();
    if (firstRow < 0 || rowCount < 0 || firstRow > rows - rowCount) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Rows must be in [0, %s), got [%s, %s).", rows, firstRow, firstRow + rowCount));
    }
  }

  /// Checks that a file has a column that can be read in the wanted type.
  ///
  /// @param place the column in the file
  /// @param format what the format is called in an error, for example `Parquet`
  /// @param stored the file's columns
  /// @param wanted the column, its name as [Schema#find] takes it
  /// @throws MalformedFileException if the file has no such column, or one of another type
  public static void requireReadable(FilePlace place, String format, Schema stored, Field wanted)
      throws MalformedFileException {
    String name = wanted.name();
    Field found = stored.find(name).orElse(null);
    if (found == null) {
      throw place.fail(
          Sentence.of(
              "Cannot read column '%s': the file has no such column. Columns are: %s.",
              name, stored.names()));
    }
    DataType type = found.type();
    if (!isReadable(type)) {
      throw place.fail(
          Sentence.of(
              "Unsupported %s type: column '%s' is %s but columns of that type cannot be read."
                  + " Leave the column out.",
              format, name, type));
    }
    if (type.joined(wanted.type()).isEmpty()) {
      throw place.fail(
          Sentence.of(
              "Cannot read column '%s': it is %s in this file but expected %s.",
              name, type, wanted.type()));
    }
  }

  /// {@return whether values of a type can be read: no part of it is [DataType.Unsupported]}
  ///
  /// @param type the type of a column
  public static boolean isReadable(DataType type) {
    return switch (type) {
      case DataType.Unsupported _ -> false;
      case DataType.List(DataType element, boolean _) -> isReadable(element);
      case DataType.Struct(List<Field> fields) ->
          fields.stream().allMatch(field -> isReadable(field.type()));
      case DataType.Map(DataType key, DataType value, boolean _) ->
          isReadable(key) && isReadable(value);
      default -> true;
    };
  }
}
