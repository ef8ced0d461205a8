package dev.penstock.iceberg;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.iceberg.hadoop.HadoopTables;

/// Tables of Iceberg in local folders.
final class LocalTables {
  private LocalTables() {}

  /// Hadoop's local files without checksums, and without the process that it starts for each to set
  /// its mode.
  public static final class Files extends RawLocalFileSystem {
    @Override
    public void setPermission(Path path, FsPermission permission) {}
  }

  /// Returns what makes and loads tables by their folders.
  static HadoopTables open() {
    Configuration configuration = new Configuration(false);
    configuration.setClass("fs.file.impl", Files.class, FileSystem.class);
    return new HadoopTables(configuration);
  }
}
