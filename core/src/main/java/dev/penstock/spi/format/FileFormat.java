package dev.penstock.spi.format;

import dev.penstock.schema.Schema;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A file format: how to learn what is in a file and how to decode runs of its rows.
///
/// One stateless implementation per format, found by `ServiceLoader`. One that cannot be made, or
/// whose name is null or taken, is left out with a warning.
///
/// **Threads.** May be called by any number of threads at once.
public interface FileFormat {
  /// Returns the format's name.
  ///
  /// @return lower case, as `--format` takes it, for example `parquet`
  String name();

  /// Returns the file name extensions that mark the format.
  ///
  /// @return lower case, without the first dot: `parquet`, `csv.gz`
  List<String> extensions();

  /// Returns the bytes that every file of the format starts with.
  ///
  /// @return the magic bytes, empty if the format has none
  byte[] magic();

  /// Returns the format with options that the user chose.
  ///
  /// @param options option to value, at least one
  /// @return the changed format, with the same name
  /// @throws IllegalArgumentException if an option is unknown to the format, or a value is not
  ///   valid for it
  default FileFormat withOptions(Map<String, String> options) {
    throw new IllegalArgumentException(
        "Cannot use format option '"
            + options.keySet().iterator().next()
            + "': format '"
            + name()
            + "' has no options.");
  }

  /// Returns whether an empty file is valid and has no rows, as some writers leave for tasks
  /// without rows. Such a file takes its columns from other files; alone it fails with the error of
  /// [#readMetadata].
  ///
  /// @return false by default
  default boolean mayBeEmpty() {
    return false;
  }

  /// Reads the metadata of a file: columns, rows and row groups.
  ///
  /// @param file an open file of this format
  /// @return the metadata, independent of the open file
  /// @throws dev.penstock.format.MalformedFileException if the file is truncated, corrupt or not of
  ///   this format
  /// @throws IOException if it cannot be read
  FileMetadata readMetadata(StorageFile file) throws IOException;

  /// Reads the metadata of a file, with the same result as [#readMetadata(StorageFile)]. If that
  /// takes a pass over the file, parts of it can be read at the same time.
  ///
  /// @param file an open file of this format
  /// @param parts runs the parts; [Concurrency#NONE] if there is no other thread
  /// @return the metadata, independent of the open file
  /// @throws dev.penstock.format.MalformedFileException if the file is truncated, corrupt or not of
  ///   this format
  /// @throws IOException if it cannot be read
  default FileMetadata readMetadata(StorageFile file, Concurrency parts) throws IOException {
    return readMetadata(file);
  }

  /// Opens a run of rows for decoding.
  ///
  /// @param file the open file; it stays open until the reader is closed, and is not closed by it
  /// @param metadata the file's metadata from [#readMetadata] of this format
  /// @param columns the columns to decode: names as [Schema#find] takes them, so a column may be a
  ///   part of a struct, and types as in the file's schema; whether nested values are nullable may
  ///   differ
  /// @param firstRow the first row, counted from 0 in the file
  /// @param rowCount how many rows; `firstRow + rowCount` is at most the file's rows
  /// @param memory the source of the reader's working memory
  /// @return a reader positioned before `firstRow`
  /// @throws dev.penstock.format.MalformedFileException if the file's metadata contradicts itself
  /// @throws IOException if the file cannot be read
  SliceReader openReader(
      StorageFile file,
      FileMetadata metadata,
      Schema columns,
      long firstRow,
      long rowCount,
      ScratchMemory memory)
      throws IOException;

  /// Returns the bytes that a reader of some rows and columns will read, so that they can be
  /// fetched from a network store in advance. A hint: a reader may read less, or other bytes.
  ///
  /// @param metadata the file's metadata from [#readMetadata] of this format
  /// @param columns as [#openReader] takes them
  /// @param firstRow as [#openReader] takes it
  /// @param rowCount as [#openReader] takes it
  /// @return ranges, in any order; a reader reads each from start to end, or in parts in that
  ///   order; empty if nothing is known
  default List<ByteRange> ranges(
      FileMetadata metadata, Schema columns, long firstRow, long rowCount) {
    return List.of();
  }

  /// Reads the page statistics of a column in a row group, so that rows can be ruled out within it.
  ///
  /// @param file the open file
  /// @param metadata the file's metadata from [#readMetadata] of this format
  /// @param rowGroup the place of the row group in [FileMetadata#rowGroups()]
  /// @param column the column, as [FileMetadata#statistics] takes it
  /// @return in order, pages that together have each row of the row group once; empty if nothing is
  ///   known about pages. Unmodifiable
  /// @throws dev.penstock.format.MalformedFileException if the file's page statistics are truncated
  ///   or contradict themselves, so that they could rule out the wrong rows
  /// @throws IOException if the file cannot be read
  /// @throws IndexOutOfBoundsException if there is no such row group
  default List<PageStatistics> pageStatistics(
      StorageFile file, FileMetadata metadata, int rowGroup, String column) throws IOException {
    return List.of();
  }

  /// Returns the bytes that [#pageStatistics] will read, as [#ranges] does.
  ///
  /// @param metadata the file's metadata from [#readMetadata] of this format
  /// @param rowGroup as [#pageStatistics] takes it
  /// @param column as [#pageStatistics] takes it
  /// @return ranges, in any order; empty if nothing is known
  default List<ByteRange> pageStatisticsRanges(FileMetadata metadata, int rowGroup, String column) {
    return List.of();
  }

  /// Reads the bloom filter of a column in a row group, or a dictionary of all values that serves
  /// as one.
  ///
  /// @param file the open file
  /// @param metadata the file's metadata from [#readMetadata] of this format
  /// @param rowGroup the place of the row group in [FileMetadata#rowGroups()]
  /// @param column the column, as [FileMetadata#statistics] takes it
  /// @return the filter; empty if there is none, or it cannot be used
  /// @throws dev.penstock.format.MalformedFileException if the filter is truncated or corrupt
  /// @throws IOException if the file cannot be read
  /// @throws IndexOutOfBoundsException if there is no such row group
  default Optional<BloomFilter> bloomFilter(
      StorageFile file, FileMetadata metadata, int rowGroup, String column) throws IOException {
    return Optional.empty();
  }

  /// Returns the bytes that [#bloomFilter] will read, as [#ranges] does.
  ///
  /// @param metadata the file's metadata from [#readMetadata] of this format
  /// @param rowGroup as [#bloomFilter] takes it
  /// @param column as [#bloomFilter] takes it
  /// @return ranges, in any order; empty if nothing is known
  default List<ByteRange> bloomFilterRanges(FileMetadata metadata, int rowGroup, String column) {
    return List.of();
  }
}
