package dev.penstock.spi.fields;

import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.BloomFilter;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The format of one data file of a table: returns its columns under the table's names, matched by
/// field id.
public final class MatchedFormat implements FileFormat {
  private final FileFormat format;
  private final List<TableField> table;
  private final FieldIds ids;
  private final List<CountedColumn> counted;
  private final FileCheck check;
  private final Optional<CountedColumn> rowIds;

  /// Makes the format.
  ///
  /// @param format the file's own format
  /// @param table the columns of the table
  /// @param ids says which of the file's columns are which of the table's
  /// @param counted further columns, that come after those of the table
  /// @param check compares the file with what the table says of it
  public MatchedFormat(
      FileFormat format,
      List<TableField> table,
      FieldIds ids,
      List<CountedColumn> counted,
      FileCheck check) {
    this(format, table, ids, counted, check, Optional.empty());
  }

  private MatchedFormat(
      FileFormat format,
      List<TableField> table,
      FieldIds ids,
      List<CountedColumn> counted,
      FileCheck check,
      Optional<CountedColumn> rowIds) {
    this.format = format;
    this.table = List.copyOf(table);
    this.ids = ids;
    this.counted = List.copyOf(counted);
    this.check = check;
    this.rowIds = rowIds;
  }

  /// Says how the table numbers the rows of the file, so that a row that is named can be given this
  /// number, too. The numbers are not among the columns.
  ///
  /// @param column the numbers
  /// @return the format with them
  public MatchedFormat rowIds(CountedColumn column) {
    return new MatchedFormat(format, table, ids, counted, check, Optional.of(column));
  }

  /// {@return how rows are numbered in the table; empty if they are not}
  public Optional<CountedColumn> rowIds() {
    return rowIds;
  }

  /// {@return the format with some computed columns and no others}
  ///
  /// @param columns the columns
  public MatchedFormat only(List<CountedColumn> columns) {
    return new MatchedFormat(format, List.of(), ids, columns, check);
  }

  @Override
  public String name() {
    return format.name();
  }

  @Override
  public List<String> extensions() {
    return format.extensions();
  }

  @Override
  public byte[] magic() {
    return format.magic();
  }

  @Override
  public FileFormat withOptions(Map<String, String> options) {
    return new MatchedFormat(format.withOptions(options), table, ids, counted, check, rowIds);
  }

  @Override
  public boolean isRowMajor() {
    return format.isRowMajor();
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    FileMetadata stored = format.readMetadata(file);
    check.check(file, stored);
    List<StoredField> fields = StoredField.of(stored, ids);
    return new MatchedMetadata(stored, fields, Match.of(table, fields), counted);
  }

  @Override
  public SliceReader openReader(
      StorageFile file,
      FileMetadata metadata,
      Schema columns,
      long firstRow,
      long rowCount,
      ScratchMemory memory)
      throws IOException {
    return MatchedReader.open(
        format, file, (MatchedMetadata) metadata, columns, firstRow, rowCount, memory);
  }

  @Override
  public List<ByteRange> ranges(
      FileMetadata metadata, Schema columns, long firstRow, long rowCount) {
    MatchedMetadata matched = (MatchedMetadata) metadata;
    Set<Field> read = new LinkedHashSet<>();
    for (Field column : columns.fields()) {
      Optional<StoredField> stored = matched.find(column.name()).map(MatchedMetadata::readable);
      stored.ifPresent(
          field -> read.add(new Field(String.valueOf(field.path()), field.field().type(), true)));
    }
    return format.ranges(matched.stored(), Schema.of(List.copyOf(read)), firstRow, rowCount);
  }

  @Override
  public List<PageStatistics> pageStatistics(
      StorageFile file, FileMetadata metadata, int rowGroup, String column) throws IOException {
    MatchedMetadata matched = (MatchedMetadata) metadata;
    MatchedMetadata.Leaf leaf = matched.leaf(column).orElse(null);
    if (leaf == null) {
      return List.of();
    }
    return format.pageStatistics(file, matched.stored(), rowGroup, leaf.path()).stream()
        .map(page ->
            new PageStatistics(
                page.firstRow(), page.rowCount(), leaf.form().statistics(page.statistics())))
        .toList();
  }

  @Override
  public List<ByteRange> pageStatisticsRanges(FileMetadata metadata, int rowGroup, String column) {
    MatchedMetadata matched = (MatchedMetadata) metadata;
    return matched
        .leaf(column)
        .map(leaf -> format.pageStatisticsRanges(matched.stored(), rowGroup, leaf.path()))
        .orElse(List.of());
  }

  @Override
  public Optional<BloomFilter> bloomFilter(
      StorageFile file, FileMetadata metadata, int rowGroup, String column) throws IOException {
    MatchedMetadata matched = (MatchedMetadata) metadata;
    Optional<String> stored = matched.unchanged(column);
    return stored.isEmpty()
        ? Optional.empty()
        : format.bloomFilter(file, matched.stored(), rowGroup, stored.get());
  }

  @Override
  public List<ByteRange> bloomFilterRanges(FileMetadata metadata, int rowGroup, String column) {
    MatchedMetadata matched = (MatchedMetadata) metadata;
    return matched
        .unchanged(column)
        .map(stored -> format.bloomFilterRanges(matched.stored(), rowGroup, stored))
        .orElse(List.of());
  }
}
