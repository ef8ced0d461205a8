package dev.penstock.iceberg.internal.files;

import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestFile;

/// The size that a table states for an Avro file. Needed because a truncated Avro file that ends
/// after a block looks complete.
///
/// Some writers state wrong sizes, others wrong counts. A truncated file has less of both.
///
/// @param bytes its length; 0 if not stated
/// @param rows its number of rows; -1 if not stated
public record StatedSize(long bytes, long rows) {
  static final StatedSize UNKNOWN = new StatedSize(0, -1);

  static StatedSize of(ManifestFile manifest) {
    Integer added = manifest.addedFilesCount();
    Integer existing = manifest.existingFilesCount();
    Integer deleted = manifest.deletedFilesCount();
    boolean counted = added != null && existing != null && deleted != null;
    return new StatedSize(manifest.length(), counted ? (long) added + existing + deleted : -1);
  }

  /// Files of other formats mark their own end.
  public static StatedSize of(ContentFile<?> file) {
    return file.format() == FileFormat.AVRO
        ? new StatedSize(file.fileSizeInBytes(), file.recordCount())
        : UNKNOWN;
  }

  /// Returns whether a file is only the beginning of the stated one.
  boolean isMoreThan(long foundBytes, long foundRows) {
    return foundBytes < bytes && (rows < 0 || foundRows < rows);
  }

  /// Returns a text with the stated and the found size.
  String sentence(long foundBytes, long foundRows) {
    return "it has %s%s rows in %s of %s bytes, as the table's metadata says"
        .formatted(foundRows, rows < 0 ? "" : " of " + rows, foundBytes, bytes);
  }

  /// Checks a delete file.
  public void requireWhole(StorageFile file, FileMetadata metadata) throws IOException {
    if (isMoreThan(file.size(), metadata.rowCount())) {
      throw new FilePlace(file.location(), "")
          .fail(
              "Truncated Avro file: %s. Restore the file, or read an older snapshot."
                  .formatted(sentence(file.size(), metadata.rowCount())));
    }
  }
}
