package dev.penstock.internal.table;

import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.Storage;
import dev.penstock.split.DataFileInfo;
import java.util.Map;
import java.util.Optional;

/// Makes files that are a table by themselves, without a cache.
public final class TableFiles {
  private TableFiles() {}

  public static TableFile alone(
      DataFileInfo info,
      String version,
      FileMetadata metadata,
      FileFormat format,
      Storage storage) {
    return new TableFile(
        info,
        version,
        Footer.of(metadata),
        format,
        storage,
        FileColumns.alone(metadata.schema(), info.partition(), Map.of()),
        Deletes.NONE,
        Optional.empty());
  }
}
