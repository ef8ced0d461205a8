package dev.penstock.iceberg;

import dev.penstock.storage.FileEntry;
import dev.penstock.storage.Storage;
import dev.penstock.storage.StorageFile;
import java.io.IOException;

/// Opens files by the paths that Iceberg names.
interface ReadFiles {
  StorageFile open(String path) throws IOException;

  FileEntry stat(String path) throws IOException;

  Storage store(String path);
}
