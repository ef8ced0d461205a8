package dev.penstock.arrow.ipc;

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
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Apache Arrow IPC: files and streams. Row groups are record batches.
///
/// Found by `ServiceLoader`; users of a loader need no type of this package.
public final class IpcFormat implements FileFormat {
  static final String STREAM_END = "stream-end";

  private final boolean endRequired;

  /// Makes the format without options.
  public IpcFormat() {
    this(true);
  }

  private IpcFormat(boolean endRequired) {
    this.endRequired = endRequired;
  }

  /// Accepts the option `stream-end`: `required`, the default, or `optional` for streams whose
  /// writer omits the end mark.
  @Override
  public FileFormat withOptions(Map<String, String> options) {
    boolean required = endRequired;
    for (Map.Entry<String, String> option : options.entrySet()) {
      if (!option.getKey().equals(STREAM_END)) {
        throw Advice.argumentError(
            "Format 'arrow' has no %s. Options are: [%s].",
            Remedy.of(
                "formatOptions", option.getKey() + "=VALUE", "option '" + option.getKey() + "'"),
            STREAM_END);
      }
      required =
          switch (option.getValue()) {
            case "required" -> true;
            case "optional" -> false;
            default ->
                throw Advice.argumentError(
                    "%s must be 'required' or 'optional', got '%s'.",
                    Remedy.of(
                        "formatOptions",
                        STREAM_END + "=VALUE",
                        "Format option '" + STREAM_END + "'"),
                    option.getValue());
          };
    }
    return new IpcFormat(required);
  }

  @Override
  public String name() {
    return "arrow";
  }

  @Override
  public List<String> extensions() {
    return List.of("arrow", "arrows", "feather", "ipc");
  }

  @Override
  public byte[] magic() {
    return "ARROW1".getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    return MetadataReader.read(file, endRequired);
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
    IpcMetadata known = ReadRequest.metadata(IpcMetadata.class, file, metadata);
    return IpcReader.open(file, known, columns, firstRow, rowCount, memory);
  }

  @Override
  public List<ByteRange> ranges(
      FileMetadata metadata, Schema columns, long firstRow, long rowCount) {
    return metadata instanceof IpcMetadata known
        ? BufferRanges.of(known, columns, firstRow, rowCount)
        : List.of();
  }
}
