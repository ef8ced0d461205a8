package dev.penstock.internal.checked;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.BloomFilter;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.Concurrency;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A format whose answers are checked: numbers of rows, types, lengths and nulls.
///
/// @param format the format
/// @param isFull whether all else is checked as well: each offset and code, and the statistics
public record CheckedFormat(FileFormat format, boolean isFull) implements FileFormat {
  /// Returns the format, checked if it is not Penstock's own.
  public static FileFormat of(FileFormat format) {
    return Contract.isOurs(format) ? format : new CheckedFormat(format, false);
  }

  /// Returns the format with all checks.
  public static FileFormat fully(FileFormat format) {
    return new CheckedFormat(
        format instanceof CheckedFormat(FileFormat own, _) ? own : format, true);
  }

  private Contract contract(Location file) {
    return new Contract("format '" + name() + "'", format.getClass().getName(), file);
  }

  private static FileMetadata stored(FileMetadata metadata) {
    return metadata instanceof CheckedMetadata checked ? checked.stored() : metadata;
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
    FileFormat changed = format.withOptions(options);
    if (changed == null) {
      throw new IllegalStateException(
          "Cannot use format '"
              + name()
              + "': "
              + format.getClass().getName()
              + " returned null from withOptions(). Correct the class.");
    }
    return new CheckedFormat(changed, isFull);
  }

  @Override
  public boolean mayBeEmpty() {
    return format.mayBeEmpty();
  }

  @Override
  public boolean isRowMajor() {
    return format.isRowMajor();
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    return readMetadata(file, Concurrency.NONE);
  }

  @Override
  public FileMetadata readMetadata(StorageFile file, Concurrency parts) throws IOException {
    Contract contract = contract(file.location());
    try {
      FileMetadata stored = contract.given(format.readMetadata(file, parts), "readMetadata()");
      return CheckedMetadata.of(stored, contract.of(stored));
    } catch (RuntimeException e) {
      throw contract.named(e, "readMetadata()");
    }
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
    @Nullable List<ColumnFacts> facts =
        isFull ? ColumnFacts.of(this, file, metadata, columns, firstRow, rowCount) : null;
    Contract contract = contract(file.location());
    SliceReader reader =
        contract.given(
            format.openReader(file, stored(metadata), columns, firstRow, rowCount, memory),
            "openReader()");
    return new CheckedReader(reader, contract.of(reader), columns, firstRow, rowCount, facts);
  }

  @Override
  public List<ByteRange> ranges(
      FileMetadata metadata, Schema columns, long firstRow, long rowCount) {
    return ranges(
        metadata, "ranges()", format.ranges(stored(metadata), columns, firstRow, rowCount));
  }

  private List<ByteRange> ranges(FileMetadata metadata, String method, List<ByteRange> ranges) {
    return metadata instanceof CheckedMetadata checked
        ? checked.contract().of(format).allGiven(ranges, method)
        : ranges;
  }

  @Override
  public List<PageStatistics> pageStatistics(
      StorageFile file, FileMetadata metadata, int rowGroup, String column) throws IOException {
    Contract contract = contract(file.location());
    List<PageStatistics> pages =
        contract.allGiven(
            format.pageStatistics(file, stored(metadata), rowGroup, column), "pageStatistics()");
    RowGroup rows = metadata.rowGroups().get(rowGroup);
    long next = 0;
    for (PageStatistics page : pages) {
      if (page.firstRow() != next) {
        throw contract.broken(
            CheckedMetadata.place(rowGroup, column),
            "returned a page from row " + page.firstRow() + " but expected row " + next);
      }
      next += page.rowCount();
    }
    if (!pages.isEmpty() && next != rows.rowCount()) {
      throw contract.broken(
          CheckedMetadata.place(rowGroup, column),
          "returned pages of " + next + " rows but the row group has " + rows.rowCount());
    }
    return pages;
  }

  @Override
  public List<ByteRange> pageStatisticsRanges(FileMetadata metadata, int rowGroup, String column) {
    return ranges(
        metadata,
        "pageStatisticsRanges()",
        format.pageStatisticsRanges(stored(metadata), rowGroup, column));
  }

  @Override
  public Optional<BloomFilter> bloomFilter(
      StorageFile file, FileMetadata metadata, int rowGroup, String column) throws IOException {
    return contract(file.location())
        .given(format.bloomFilter(file, stored(metadata), rowGroup, column), "bloomFilter()");
  }

  @Override
  public List<ByteRange> bloomFilterRanges(FileMetadata metadata, int rowGroup, String column) {
    return ranges(
        metadata,
        "bloomFilterRanges()",
        format.bloomFilterRanges(stored(metadata), rowGroup, column));
  }
}
