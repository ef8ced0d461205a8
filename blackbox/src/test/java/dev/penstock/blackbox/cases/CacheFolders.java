package dev.penstock.blackbox.cases;

import dev.penstock.StructuredDataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A test's folder of files, and the folder of their cache.
abstract class CacheFolders {
  @TempDir Path folder;
  Path files;
  Path cache;
  CacheDisk disk;

  @BeforeEach
  final void makeFolders() throws IOException {
    folder = folder.toRealPath();
    files = Files.createDirectory(folder.resolve("files"));
    cache = folder.resolve("cache");
    disk = new CacheDisk(cache);
  }

  /// Returns a dataset with a cache that has room for all of it.
  final StructuredDataset cached(StructuredDataset dataset) {
    return dataset.cache(cache.toString(), "64MiB");
  }

  /// Writes a CSV file.
  final StructuredDataset csv(String name, String text) throws IOException {
    return new StructuredDataset(Files.writeString(files.resolve(name), text).toString());
  }
}
