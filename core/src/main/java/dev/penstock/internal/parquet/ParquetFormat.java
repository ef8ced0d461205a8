package dev.penstock.internal.parquet;

import dev.penstock.format.BloomFilter;
import dev.penstock.format.ByteRange;
import dev.penstock.format.FileFormat;
import dev.penstock.format.FileMetadata;
import dev.penstock.format.PageStatistics;
import dev.penstock.format.ScratchMemory;
import dev.penstock.format.SliceReader;
import dev.penstock.schema.Schema;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// Apache Parquet.
public final class ParquetFormat implements FileFormat {
  /// Makes the format; it has no state.
  public ParquetFormat() {}

  @Override
  public String name() {
    return "parquet";
  }

  @Override
  public List<String> extensions() {
    return List.of("parquet", "parq", "pq");
  }

  @Override
  public byte[] magic() {
    return "PAR1".getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    return FooterReader.read(file);
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
    return ParquetReader.open(file, parquet(file, metadata), columns, firstRow, rowCount, memory);
  }

  @Override
  public List<ByteRange> ranges(
      FileMetadata metadata, Schema columns, long firstRow, long rowCount) {
    return metadata instanceof ParquetMetadata parquet
        ? ChunkRanges.of(parquet, columns, firstRow, rowCount)
        : List.of();
  }

  @Override
  public List<PageStatistics> pageStatistics(
      StorageFile file, FileMetadata metadata, int rowGroup, String column) throws IOException {
    return PageIndexReader.pages(file, parquet(file, metadata), rowGroup, column);
  }

  @Override
  public List<ByteRange> pageStatisticsRanges(FileMetadata metadata, int rowGroup, String column) {
    return metadata instanceof ParquetMetadata parquet
        ? IndexRanges.ofPages(parquet, rowGroup, column)
        : List.of();
  }

  @Override
  public List<ByteRange> bloomFilterRanges(FileMetadata metadata, int rowGroup, String column) {
    return metadata instanceof ParquetMetadata parquet
        ? IndexRanges.ofValues(parquet, rowGroup, column)
        : List.of();
  }

  @Override
  public Optional<BloomFilter> bloomFilter(
      StorageFile file, FileMetadata metadata, int rowGroup, String column) throws IOException {
    ParquetMetadata known = parquet(file, metadata);
    Optional<BloomFilter> filter = SplitBlockFilter.open(file, known, rowGroup, column);
    return filter.isPresent() ? filter : DictionaryFilter.open(file, known, rowGroup, column);
  }

  private static ParquetMetadata parquet(StorageFile file, FileMetadata metadata) {
    if (!(metadata instanceof ParquetMetadata parquet)) {
      throw new IllegalArgumentException(
          "Cannot read " + file.location() + ": its metadata is not of this format.");
    }
    return parquet;
  }
}
