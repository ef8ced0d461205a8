package dev.penstock.orc;

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

/// Apache ORC. Row groups are stripes; statistics of pages are those of row index strides.
///
/// Found by `ServiceLoader`; a loader's users need no type of this package.
public final class OrcFormat implements FileFormat {
  /// Makes the format; it has no state.
  public OrcFormat() {}

  @Override
  public String name() {
    return "orc";
  }

  @Override
  public List<String> extensions() {
    return List.of("orc");
  }

  @Override
  public byte[] magic() {
    return "ORC".getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    return TailReader.read(file);
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
    return OrcReader.open(file, orc(file, metadata), columns, firstRow, rowCount, memory);
  }

  @Override
  public List<ByteRange> ranges(
      FileMetadata metadata, Schema columns, long firstRow, long rowCount) {
    return metadata instanceof OrcMetadata known
        ? StreamRanges.of(known, columns, firstRow, rowCount)
        : List.of();
  }

  @Override
  public List<PageStatistics> pageStatistics(
      StorageFile file, FileMetadata metadata, int rowGroup, String column) throws IOException {
    return StrideStatistics.read(file, orc(file, metadata), rowGroup, column);
  }

  @Override
  public List<ByteRange> pageStatisticsRanges(FileMetadata metadata, int rowGroup, String column) {
    return metadata instanceof OrcMetadata known
        ? StreamRanges.ofIndexes(known, rowGroup)
        : List.of();
  }

  private static OrcMetadata orc(StorageFile file, FileMetadata metadata) {
    if (!(metadata instanceof OrcMetadata orc)) {
      throw new IllegalArgumentException(
          "Cannot read " + file.location() + ": its metadata is not of this format.");
    }
    return orc;
  }
}
