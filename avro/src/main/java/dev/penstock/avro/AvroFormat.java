package dev.penstock.avro;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.ReadRequest;
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
  static final String RECORD_BYTES = "max-record-bytes";

  private static final String ROWS = "row-group-rows";

  private final long groupRows;
  private final int blockBytes;

  /// Makes the format without options.
  public AvroFormat() {
    this(Long.MAX_VALUE, 16 << 20);
  }

  private AvroFormat(long groupRows, int blockBytes) {
    this.groupRows = groupRows;
    this.blockBytes = blockBytes;
  }

  /// Accepts the options `row-group-rows`: the number of rows at which a row group is full, as
  /// blocks are never cut; and `max-record-bytes`: the most bytes of a block, decompressed, and of
  /// the header.
  @Override
  public FileFormat withOptions(Map<String, String> options) {
    long rows = groupRows;
    int bytes = blockBytes;
    for (Map.Entry<String, String> option : options.entrySet()) {
      switch (option.getKey()) {
        case ROWS -> rows = number(option, Long.MAX_VALUE);
        case RECORD_BYTES -> bytes = (int) number(option, 1 << 29);
        default ->
            throw Advice.argumentError(
                "Format 'avro' has no %s. Options are: [%s, %s].",
                Remedy.of(
                    "formatOptions",
                    option.getKey() + "=VALUE",
                    "option '" + option.getKey() + "'"),
                RECORD_BYTES,
                ROWS);
      }
    }
    return new AvroFormat(rows, bytes);
  }

  private static long number(Map.Entry<String, String> option, long most) {
    try {
      long number = Long.parseLong(option.getValue());
      if (number >= 1 && number <= most) {
        return number;
      }
    } catch (NumberFormatException _) {
      // Reported below, with the value.
    }
    throw Advice.argumentError(
        "%s must be a whole number from 1%s, got '%s'.",
        Remedy.of(
            "formatOptions", option.getKey() + "=VALUE", "Format option '" + option.getKey() + "'"),
        most == Long.MAX_VALUE ? "" : " to " + most,
        option.getValue());
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
  public boolean isRowMajor() {
    return true;
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    return HeaderReader.read(file, groupRows, blockBytes);
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
    AvroMetadata known = ReadRequest.metadata(AvroMetadata.class, file, metadata);
    return AvroReader.open(file, known, columns, firstRow, rowCount, blockBytes, memory);
  }

  @Override
  public List<ByteRange> ranges(
      FileMetadata metadata, Schema columns, long firstRow, long rowCount) {
    return metadata instanceof AvroMetadata known ? known.ranges(firstRow, rowCount) : List.of();
  }
}
