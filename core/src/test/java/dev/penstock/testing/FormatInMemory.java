package dev.penstock.testing;

import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import java.util.List;

/// A format of one file, which is its own metadata.
public interface FormatInMemory extends FileFormat, FileMetadata {
  @Override
  default String name() {
    return "in-memory";
  }

  @Override
  default List<String> extensions() {
    return List.of();
  }

  @Override
  default byte[] magic() {
    return new byte[0];
  }

  @Override
  default FileMetadata readMetadata(StorageFile file) {
    return this;
  }
}
