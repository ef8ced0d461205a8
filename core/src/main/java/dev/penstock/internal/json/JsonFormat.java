package dev.penstock.internal.json;

import dev.penstock.internal.text.TextForm;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.Concurrency;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/// Files of one JSON array of objects, or of objects one after another.
public final class JsonFormat implements FileFormat {
  private final JsonFiles files;

  public JsonFormat() {
    this(Map.of());
  }

  private JsonFormat(Map<String, String> options) {
    this.files = new JsonFiles(false, JsonOptions.of("json", options));
  }

  @Override
  public String name() {
    return "json";
  }

  @Override
  public List<String> extensions() {
    return TextForm.extensions("json");
  }

  @Override
  public byte[] magic() {
    return new byte[0];
  }

  @Override
  public FileFormat withOptions(Map<String, String> options) {
    return new JsonFormat(options);
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    return files.readMetadata(file, Concurrency.NONE);
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
    return files.openReader(file, metadata, columns, firstRow, rowCount, memory);
  }

  @Override
  public List<ByteRange> ranges(
      FileMetadata metadata, Schema columns, long firstRow, long rowCount) {
    return metadata instanceof JsonMetadata known
        ? known.groups().ranges(firstRow, rowCount)
        : List.of();
  }
}
