package dev.penstock.iceberg;

import dev.penstock.iceberg.internal.files.TableFiles;
import dev.penstock.iceberg.internal.files.WholeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.io.OutputFile;

/// A table whose metadata is read by a foreign [FileIO]: truncated files, and locations that a
/// table must not name, are errors, as with [PenstockFileIO].
final class WholeTable {
  private WholeTable() {}

  static Table of(Table table, TableFiles files) {
    // Other tables plan on their server.
    return table instanceof BaseTable base
            && base.getClass() == BaseTable.class
            && !(base.io() instanceof PenstockFileIO)
        ? new BaseTable(new Operations(base.operations(), files), base.name(), base.reporter())
        : table;
  }

  private record Operations(TableOperations theirs, TableFiles files) implements TableOperations {
    @Override
    public TableMetadata current() {
      return theirs.current();
    }

    @Override
    public TableMetadata refresh() {
      return theirs.refresh();
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
      throw new UnsupportedOperationException("Penstock reads tables and never changes them.");
    }

    @Override
    public FileIO io() {
      return new Files(theirs.io(), files);
    }

    @Override
    public String metadataFileLocation(String file) {
      return theirs.metadataFileLocation(file);
    }

    @Override
    public LocationProvider locationProvider() {
      return theirs.locationProvider();
    }
  }

  @SuppressWarnings("serial") // as in its superclass
  private record Files(FileIO theirs, TableFiles files) implements FileIO {
    private String checked(String path) {
      try {
        files.location(path);
        return path;
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
    }

    @Override
    public Map<String, String> properties() {
      return theirs.properties();
    }

    @Override
    public InputFile newInputFile(String path) {
      return WholeFile.of(theirs.newInputFile(checked(path)));
    }

    @Override
    public InputFile newInputFile(String path, long length) {
      return WholeFile.of(theirs.newInputFile(checked(path), length));
    }

    @Override
    public InputFile newInputFile(ManifestFile manifest) {
      checked(manifest.path());
      return WholeFile.of(theirs.newInputFile(manifest), manifest);
    }

    @Override
    public OutputFile newOutputFile(String path) {
      return theirs.newOutputFile(path);
    }

    @Override
    public void deleteFile(String path) {
      theirs.deleteFile(path);
    }
  }
}
