package dev.penstock.orc;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.format.ReadRequest;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Apache ORC. Row groups are stripes; page statistics are those of row index strides.
///
/// Found by `ServiceLoader`; users of a loader need no type of this package.
public final class OrcFormat implements FileFormat {
  /// The option that sets the calendar of dates, whatever the file says.
  private static final String CALENDAR = "calendar";

  private final boolean isProleptic;

  /// Makes the format; files themselves state the calendar of their dates.
  public OrcFormat() {
    this(false);
  }

  private OrcFormat(boolean isProleptic) {
    this.isProleptic = isProleptic;
  }

  /// Returns the format with options.
  ///
  /// @param options `calendar`: `stated`, as the file says, or `proleptic`, Gregorian throughout as
  ///   Iceberg writes dates without saying so
  @Override
  public FileFormat withOptions(Map<String, String> options) {
    boolean proleptic = isProleptic;
    for (Map.Entry<String, String> option : options.entrySet()) {
      if (!option.getKey().equals(CALENDAR)) {
        throw wrong(option.getKey(), "orc has no such option. Options are: [calendar]");
      }
      proleptic =
          switch (option.getValue()) {
            case "stated" -> false;
            case "proleptic" -> true;
            default ->
                throw wrong(
                    CALENDAR, "it is '" + option.getValue() + "' but expected stated or proleptic");
          };
    }
    return new OrcFormat(proleptic);
  }

  private static IllegalArgumentException wrong(String option, String found) {
    return Advice.argumentError("Cannot use %s: %s.", Remedy.formatOption(option), found);
  }

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
  public boolean mayBeEmpty() {
    return true;
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    Protobuf.require();
    return TailReader.read(file, isProleptic);
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
    return ReadRequest.metadata(OrcMetadata.class, file, metadata);
  }
}
