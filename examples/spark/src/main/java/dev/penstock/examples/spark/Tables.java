package dev.penstock.examples.spark;

import dev.penstock.StructuredDataset;
import dev.penstock.delta.DeltaDataset;
import dev.penstock.iceberg.IcebergDataset;
import java.nio.file.Files;
import java.nio.file.Path;

/// Finds out what kind of table a folder is: Delta, Iceberg, or files.
final class Tables {
  private Tables() {}

  static StructuredDataset open(String folder) {
    if (Files.isDirectory(Path.of(folder, "_delta_log"))) {
      return DeltaDataset.table(folder).dataset();
    }
    return Files.isDirectory(Path.of(folder, "metadata"))
        ? IcebergDataset.metadata(folder).dataset()
        : new StructuredDataset(folder);
  }
}
