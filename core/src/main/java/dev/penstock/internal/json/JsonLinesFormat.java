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

/// Files with a JSON object on each line.
public final class JsonLinesFormat implements FileFormat {
  private final JsonFiles files;

  public JsonLinesFormat() {
    this(Map.of());
  }

  private JsonLinesFormat(Map<String, String> options) {
    this.files = new JsonFiles(true, JsonOptions.of("jsonl", options));
  }

  @Override
  public String name() {
    return "jsonl";
  }

  @Override
  public List<String> extensions() {
    return TextForm.extensions("jsonl", "ndjson");
  }

  @Override
  public byte[] magic() {
    return new byte[0];
  }

  @Override
  public FileFormat withOptions(Map<String, String> options) {
    return new JsonLinesFormat(options);
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    return readMetadata(file, Concurrency.NONE);
  }

  @Override
  public FileMetadata readMetadata(StorageFile file, Concurrency parts) throws IOException {
    return files.readMetadata(file, parts);
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
