package dev.penstock.delta;

import dev.penstock.delta.internal.log.LogEngine;
import dev.penstock.spi.catalog.TableLocations;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.LiveRows;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.storage.StorageFile;
import io.delta.kernel.internal.actions.DeletionVectorDescriptor;
import io.delta.kernel.internal.deletionvectors.DeletionVectorUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.stream.LongStream;

/// Finds the rows of a data file that its deletion vector does not delete.
record DeletedRows(
    LogEngine engine, TableLocations locations, String table, DeletionVectorDescriptor vector)
    implements LiveRows {
  /// How many characters the encoded name of a file has.
  private static final int NAME_CHARS = 20;

  @Override
  public Optional<RowSet> find(StorageFile file, FileMetadata metadata) throws IOException {
    long[] rows = rows(file);
    if (rows.length != vector.getCardinality()) {
      throw fail(file, rows.length + " rows but the log says " + vector.getCardinality());
    }
    if (rows.length > 0 && rows[rows.length - 1] >= metadata.rowCount()) {
      throw fail(file, "row " + rows[rows.length - 1] + " but the file has " + metadata.rowCount());
    }
    return rows.length == 0
        ? Optional.empty()
        : Optional.of(RowSet.allBut(metadata.rowCount(), LongStream.of(rows)));
  }

  private long[] rows(StorageFile file) throws IOException {
    try {
      if (vector.isOnDisk()) {
        locations.find(named(), () -> vector.getAbsolutePath(table));
      }
      return DeletionVectorUtils.loadNewDvAndBitmap(engine, table, vector)._2.toArray();
    } catch (RuntimeException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof UncheckedIOException io) {
          throw io.getCause(); // ours: the store is at fault, not the vector
        }
      }
      throw new FilePlace(file.location(), "deletion vector")
          .fail("Corrupt deletion vector: " + e.getMessage() + ".", e);
    }
  }

  /// Returns the file, or the folder of a file whose name is encoded.
  private String named() {
    String text = vector.getPathOrInlineDv();
    return vector.getStorageType().equals(DeletionVectorDescriptor.UUID_DV_MARKER)
        ? text.substring(0, Math.max(0, text.length() - NAME_CHARS))
        : text;
  }

  private static IOException fail(StorageFile file, String found) {
    return new FilePlace(file.location(), "deletion vector")
        .fail("Corrupt deletion vector: it deletes " + found + ".");
  }
}
