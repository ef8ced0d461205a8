package dev.penstock.spi.format;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.schema.Schema;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A file format: how to learn what is in a file and how to decode runs of its rows.
///
/// One stateless implementation per format, found by `ServiceLoader`, also with the context class
/// loader of the thread that makes a dataset; or given to
/// [dev.penstock.StructuredDataset#format(FileFormat)]. One that cannot be made, or whose name is
/// null, is left out with a warning. Two classes of one name are an error where the name is used.
///
/// **Threads.** May be called by any number of threads at once.
public interface FileFormat {
  /// {@return the format's name in lower case, as `--format` takes it, for example `parquet`}
  String name();

  /// {@return the file name extensions that mark the format, in lower case without the first dot:
  /// `parquet`, `csv.gz`}
  List<String> extensions();

  /// {@return the bytes that every file of the format starts with; empty if there are none}
  byte[] magic();

  /// {@return the format, of the same name, with options that the user chose}
  ///
  /// @param options option to value, at least one
  /// @throws IllegalArgumentException if an option is unknown to the format, or a value is not
  ///   valid for it
  default FileFormat withOptions(Map<String, String> options) {
    throw Advice.argumentError(
        "Cannot use %s: format '%s' has no options.",
        Remedy.formatOption(options.keySet().iterator().next()), name());
  }

  /// {@return whether an empty file is valid and has no rows, as some writers leave for tasks
  /// without rows; false by default} Such a file takes its columns from other files; alone it fails
  /// with the error of [#readMetadata].
  default boolean mayBeEmpty() {
    return false;
  }

  /// {@return whether the values of a row are stored together, so that a reader of some columns
  /// reads all; false by default} Then workers share a file by rows and never by columns, for each
  /// of which it would be read again. They share row groups: state several, of some 10,000 rows or
  /// more, if a reader can begin at each without reading those before.
  default boolean isRowMajor() {
    return false;
  }

  /// {@return the metadata of a file, independent of the open file: columns, rows and row groups}
  ///
  /// @param file an open file of this format
  /// @throws dev.penstock.format.MalformedFileException if the file is truncated, corrupt or not of
  ///   this format
  /// @throws IOException if it cannot be read
  FileMetadata readMetadata(StorageFile file) throws IOException;

  /// {@return the same metadata as [#readMetadata(StorageFile)]} If that takes a pass over the
  /// file, parts of it can be read at the same time.
  ///
  /// @param file an open file of this format
  /// @param parts runs the parts; [Concurrency#NONE] if there is no other thread
  /// @throws dev.penstock.format.MalformedFileException if the file is truncated, corrupt or not of
  ///   this format
  /// @throws IOException if it cannot be read
  default FileMetadata readMetadata(StorageFile file, Concurrency parts) throws IOException {
    return readMetadata(file);
  }

  /// {@return a reader of a run of rows, positioned before `firstRow`}
  ///
  /// @param file the open file; it stays open until the reader is closed, and is not closed by it
  /// @param metadata the file's metadata from [#readMetadata] of this format
  /// @param columns the columns to decode: names as [Schema#find] takes them, so a column may be a
  ///   part of a struct, and types as in the file's schema; whether nested values are nullable may
  ///   differ
  /// @param firstRow the first row, counted from 0 in the file
  /// @param rowCount how many rows; `firstRow + rowCount` is at most the file's rows
  /// @param memory the source of the reader's working memory
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

  /// {@return the ranges of bytes that a reader of some rows and columns will read, in any order,
  /// so that they can be fetched from a network store in advance; empty if nothing is known} A
  /// reader reads each range from start to end, or in parts in that order. A hint: it may read
  /// less, or other bytes.
  ///
  /// @param metadata the file's metadata from [#readMetadata] of this format
  /// @param columns as [#openReader] takes them
  /// @param firstRow as [#openReader] takes it
  /// @param rowCount as [#openReader] takes it
  default List<ByteRange> ranges(
      FileMetadata metadata, Schema columns, long firstRow, long rowCount) {
    return List.of();
  }

  /// {@return the statistics of the pages of a column in a row group, by which rows can be ruled
  /// out within it; empty if nothing is known about pages} An unmodifiable list in order, whose
  /// pages together have each row of the row group once.
  ///
  /// @param file the open file
  /// @param metadata the file's metadata from [#readMetadata] of this format
  /// @param rowGroup the place of the row group in [FileMetadata#rowGroups()]
  /// @param column the column, as [FileMetadata#statistics] takes it
  /// @throws dev.penstock.format.MalformedFileException if the file's page statistics are truncated
  ///   or contradict themselves, so that they could rule out the wrong rows
  /// @throws IOException if the file cannot be read
  default List<PageStatistics> pageStatistics(
      StorageFile file, FileMetadata metadata, int rowGroup, String column) throws IOException {
    return List.of();
  }

  /// {@return the ranges of bytes that [#pageStatistics] will read, in any order, as [#ranges]}
  ///
  /// @param metadata the file's metadata from [#readMetadata] of this format
  /// @param rowGroup as [#pageStatistics] takes it
  /// @param column as [#pageStatistics] takes it
  default List<ByteRange> pageStatisticsRanges(FileMetadata metadata, int rowGroup, String column) {
    return List.of();
  }

  /// {@return the bloom filter of a column in a row group, or a dictionary of all values that
  /// serves as one; empty if there is none, or it cannot be used}
  ///
  /// @param file the open file
  /// @param metadata the file's metadata from [#readMetadata] of this format
  /// @param rowGroup the place of the row group in [FileMetadata#rowGroups()]
  /// @param column the column, as [FileMetadata#statistics] takes it
  /// @throws dev.penstock.format.MalformedFileException if the filter is truncated or corrupt
  /// @throws IOException if the file cannot be read
  default Optional<BloomFilter> bloomFilter(
      StorageFile file, FileMetadata metadata, int rowGroup, String column) throws IOException {
    return Optional.empty();
  }

  /// {@return the ranges of bytes that [#bloomFilter] will read, in any order, as [#ranges]}
  ///
  /// @param metadata the file's metadata from [#readMetadata] of this format
  /// @param rowGroup as [#bloomFilter] takes it
  /// @param column as [#bloomFilter] takes it
  default List<ByteRange> bloomFilterRanges(FileMetadata metadata, int rowGroup, String column) {
    return List.of();
  }
}
