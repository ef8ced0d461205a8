package dev.penstock.avro;

import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/// Apache Avro's object container files. A row group consists of neighbouring blocks, a few MiB in
/// total.
///
/// Found by `ServiceLoader`; users of a loader need no type of this package.
public final class AvroFormat implements FileFormat {
  private static final String ROWS = "row-group-rows";

  private final long groupRows;

  /// Makes the format without options.
  public AvroFormat() {
    this(Long.MAX_VALUE);
  }

  private AvroFormat(long groupRows) {
    this.groupRows = groupRows;
  }

  /// Accepts the option `row-group-rows`: the number of rows at which a row group is full. Blocks
  /// are never cut.
  @Override
  public FileFormat withOptions(Map<String, String> options) {
    long rows = groupRows;
    for (Map.Entry<String, String> option : options.entrySet()) {
      if (!option.getKey().equals(ROWS)) {
        throw new IllegalArgumentException(
            "Format 'avro' has no option '" + option.getKey() + "'. Options are: [" + ROWS + "].");
      }
      rows = rows(option.getValue());
    }
    return new AvroFormat(rows);
  }

  private static long rows(String value) {
    try {
      long rows = Long.parseLong(value);
      if (rows >= 1) {
        return rows;
      }
    } catch (NumberFormatException _) {
      // Reported below, with the value.
    }
    throw new IllegalArgumentException(
        "Format option '" + ROWS + "' must be a whole number from 1, got '" + value + "'.");
  }

  @Override
  public String name() {
    return "avro";
  }

  @Override
  public List<String> extensions() {
    return List.of("avro");
  }

  @Override
  public byte[] magic() {
    return HeaderReader.MAGIC.clone();
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    return HeaderReader.read(file, groupRows);
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
    if (!(metadata instanceof AvroMetadata known)) {
      throw new IllegalArgumentException(
          "Cannot read " + file.location() + ": its metadata is not of this format.");
    }
    return AvroReader.open(file, known, columns, firstRow, rowCount, memory);
  }

  @Override
  public List<ByteRange> ranges(
      FileMetadata metadata, Schema columns, long firstRow, long rowCount) {
    return metadata instanceof AvroMetadata known ? known.ranges(firstRow, rowCount) : List.of();
  }
}
