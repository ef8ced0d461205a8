package dev.penstock.internal.plan;

import dev.penstock.format.FileFormat;
import dev.penstock.format.FileMetadata;
import dev.penstock.format.MalformedFileException;
import dev.penstock.split.DataFileInfo;
import dev.penstock.storage.Location;
import dev.penstock.storage.Storage;
import dev.penstock.storage.StorageFile;
import java.io.IOException;

/// A data file with its footer, kept for all epochs.
///
/// @param info what strategies see of it
/// @param version what its contents were, see [StorageFile#version]
/// @param metadata what its format knows of it
/// @param format what it is written in
/// @param storage the store that has it
public record TableFile(
    DataFileInfo info, String version, FileMetadata metadata, FileFormat format, Storage storage) {
  /// Reads a file's footer.
  ///
  /// @param found the file
  /// @return the file with its footer
  /// @throws IOException if it cannot be read
  public static TableFile read(FoundFile found) throws IOException {
    Location location = found.entry().location();
    try (StorageFile file = found.storage().open(location)) {
      FileMetadata metadata = found.format().readMetadata(file);
      return new TableFile(
          new DataFileInfo(location, file.size(), metadata.rowGroups()),
          file.version(),
          metadata,
          found.format(),
          found.storage());
    }
  }

  /// Opens the file for reading rows.
  ///
  /// @return the open file, to be closed by the caller
  /// @throws IOException if it is gone, or is no longer the file that was planned
  public StorageFile open() throws IOException {
    StorageFile file = storage.open(info.location());
    String change =
        file.size() != info.bytes()
            ? "it has " + file.size() + " bytes but had " + info.bytes()
            : !file.version().equals(version)
                ? "its version is '" + file.version() + "' but was '" + version + "'"
                : "";
    if (!change.isEmpty()) {
      file.close();
      throw new MalformedFileException(
          info.location(),
          -1,
          "",
          "Cannot read the file: "
              + change
              + " when the dataset was planned. Make a new dataset to read the changed file.",
          null);
    }
    return file;
  }
}
