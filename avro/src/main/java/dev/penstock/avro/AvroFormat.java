package dev.penstock.avro;

import dev.penstock.format.FileFormat;
import dev.penstock.format.FileMetadata;
import dev.penstock.format.ScratchMemory;
import dev.penstock.format.SliceReader;
import dev.penstock.schema.Schema;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.util.List;

/// Apache Avro's object container files. Row groups are neighbouring blocks of a few MiB together.
///
/// Found by `ServiceLoader`; a loader's users need no type of this package.
public final class AvroFormat implements FileFormat {
  /// Makes the format; it has no state.
  public AvroFormat() {}

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
    return HeaderReader.read(file);
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
}
