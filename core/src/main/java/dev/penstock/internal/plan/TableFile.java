package dev.penstock.internal.plan;

import dev.penstock.format.BloomFilter;
import dev.penstock.format.ColumnStatistics;
import dev.penstock.format.FileFormat;
import dev.penstock.format.FileMetadata;
import dev.penstock.format.MalformedFileException;
import dev.penstock.format.PageStatistics;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.DataFileInfo;
import dev.penstock.storage.FileEntry;
import dev.penstock.storage.Location;
import dev.penstock.storage.Storage;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// A data file with its footer, kept for all epochs.
///
/// @param info what strategies see of it
/// @param version what its contents were, see [StorageFile#version]
/// @param metadata what its format knows of it
/// @param format what it is written in
/// @param storage the store that has it
/// @param columns what the columns of the table are in it
public record TableFile(
    DataFileInfo info,
    String version,
    FileMetadata metadata,
    FileFormat format,
    Storage storage,
    FileColumns columns) {
  /// Makes a file that is a table by itself.
  ///
  /// @param info what strategies see of it
  /// @param version what its contents were, see [StorageFile#version]
  /// @param metadata what its format knows of it
  /// @param format what it is written in
  /// @param storage the store that has it
  public TableFile(
      DataFileInfo info,
      String version,
      FileMetadata metadata,
      FileFormat format,
      Storage storage) {
    this(
        info,
        version,
        metadata,
        format,
        storage,
        new FileColumns(
            metadata.schema(),
            metadata.schema(),
            SchemaRules.DEFAULT,
            Partitions.NONE,
            info.partition()));
  }

  /// Reads a file's footer.
  ///
  /// @param found the file
  /// @return the file with its footer
  /// @throws IOException if it cannot be read
  public static TableFile read(FoundFile found) throws IOException {
    Location location = found.entry().location();
    try (StorageFile file = found.storage().open(found.entry())) {
      FileMetadata metadata = found.format().readMetadata(file);
      return new TableFile(
          new DataFileInfo(location, file.size(), metadata.rowGroups(), found.partition()),
          file.version(),
          metadata,
          found.format(),
          found.storage());
    }
  }

  /// Returns where the file is.
  ///
  /// @return its location
  public Location location() {
    return info.location();
  }

  /// Opens the file for reading rows.
  ///
  /// @return the open file, to be closed by the caller
  /// @throws IOException if it is gone, or is no longer the file that was planned
  public StorageFile open() throws IOException {
    StorageFile file = storage.open(new FileEntry(info.location(), info.bytes(), false, version));
    String change =
        file.size() != info.bytes()
            ? "it has " + file.size() + " bytes but had " + info.bytes()
            : !file.version().equals(version)
                ? "its version is '" + file.version() + "' but was '" + version + "'"
                : "";
    if (!change.isEmpty()) {
      file.close();
      throw new MalformedFileException(
          info.location(),
          -1,
          "",
          "Cannot read the file: "
              + change
              + " when the dataset was planned. Make a new dataset to read the changed file.",
          null);
    }
    return file;
  }

  /// Returns the same file with other metadata.
  TableFile with(FileMetadata changed) {
    return new TableFile(info, version, changed, format, storage);
  }

  /// Returns the same file as a part of a table.
  TableFile in(Schema table, SchemaRules rules, Partitions partitions) {
    return new TableFile(
        info,
        version,
        metadata,
        format,
        storage,
        new FileColumns(table, metadata.schema(), rules, partitions, info.partition()));
  }

  /// Returns what is known of a column of the table in a row group of this file, in the table's
  /// type.
  ///
  /// Where the file lacks the column, all is known of its nulls or of its one value. Where the
  /// column is widened or cast, bounds are kept that the table's type has exactly.
  ///
  /// @param rowGroup the place of the row group in [FileMetadata#rowGroups()]
  /// @param name a column of the table, or the path of a part of a struct
  /// @return what is known
  /// @throws IndexOutOfBoundsException if there is no such row group
  public ColumnStatistics statistics(int rowGroup, String name) {
    return columns
        .find(name)
        .map(column -> statistics(rowGroup, column))
        .orElse(ColumnStatistics.UNKNOWN);
  }

  ColumnStatistics statistics(int rowGroup, Field column) {
    return switch (columns.source(column)) {
      case ColumnSource.Constant(Comparable<?> value) ->
          TableStatistics.ofConstant(
              column.type(), value, metadata.rowGroups().get(rowGroup).rowCount());
      case ColumnSource.Stored(String path, DataType type) ->
          TableStatistics.converted(type, column.type(), metadata.statistics(rowGroup, path));
    };
  }

  /// Reads what is known of a column of the table in the pages of a row group, in the table's type.
  ///
  /// @param file this file, open
  /// @param rowGroup the place of the row group in [FileMetadata#rowGroups()]
  /// @param name a column of the table, or the path of a part of a struct
  /// @return as [FileFormat#pageStatistics] does; empty where the file lacks the column, because
  ///   all is known of its row groups then
  /// @throws IOException if the file cannot be read, or what it states of its pages is malformed
  public List<PageStatistics> pageStatistics(StorageFile file, int rowGroup, String name)
      throws IOException {
    Optional<Field> column = columns.find(name);
    return column.isEmpty() ? List.of() : pageStatistics(file, rowGroup, column.get());
  }

  List<PageStatistics> pageStatistics(StorageFile file, int rowGroup, Field column)
      throws IOException {
    if (!(columns.source(column) instanceof ColumnSource.Stored(String path, DataType type))) {
      return List.of();
    }
    List<PageStatistics> pages = format.pageStatistics(file, metadata, rowGroup, path);
    return type.equals(column.type())
        ? pages
        : pages.stream()
            .map(page ->
                new PageStatistics(
                    page.firstRow(),
                    page.rowCount(),
                    TableStatistics.converted(type, column.type(), page.statistics())))
            .toList();
  }

  /// Reads the bloom filter of a column of the table in a row group.
  ///
  /// @param file this file, open while the filter is used
  /// @param rowGroup the place of the row group in [FileMetadata#rowGroups()]
  /// @param name a column of the table, or the path of a part of a struct
  /// @return the filter, which takes values of the table's type; empty where there is none, or the
  ///   values of the file are changed by more than widening
  /// @throws IOException if the file cannot be read, or the filter is malformed
  public Optional<BloomFilter> bloomFilter(StorageFile file, int rowGroup, String name)
      throws IOException {
    Optional<Field> column = columns.find(name);
    return column.isEmpty() ? Optional.empty() : bloomFilter(file, rowGroup, column.get());
  }

  Optional<BloomFilter> bloomFilter(StorageFile file, int rowGroup, Field column)
      throws IOException {
    if (!(columns.source(column) instanceof ColumnSource.Stored(String path, DataType type))) {
      return Optional.empty();
    }
    if (type.equals(column.type())) {
      return format.bloomFilter(file, metadata, rowGroup, path);
    }
    // Each value of a narrower integer is one of the wider; for others there may be two.
    boolean widened =
        type instanceof DataType.Int
            && column.type() instanceof DataType.Int
            && column.type().equals(Widening.wider(type, column.type()));
    return !widened
        ? Optional.empty()
        : format
            .bloomFilter(file, metadata, rowGroup, path)
            .map(filter ->
                value -> {
                  Comparable<?> stored = TableStatistics.converted(column.type(), type, value);
                  return stored != null && filter.mightContain(stored);
                });
  }

  /// Returns how many values a column of the table has in a row group, see
  /// [FileMetadata#valueCount].
  OptionalLong valueCount(int rowGroup, String column) {
    return columns
        .stored(column)
        .map(stored -> metadata.valueCount(rowGroup, stored.name()))
        .orElseGet(() -> OptionalLong.of(metadata.rowGroups().get(rowGroup).rowCount()));
  }
}
