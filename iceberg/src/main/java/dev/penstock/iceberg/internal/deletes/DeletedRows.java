package dev.penstock.iceberg.internal.deletes;

import dev.penstock.spi.fields.MatchedMetadata;
import dev.penstock.spi.fields.StoredField;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.LiveRows;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.jspecify.annotations.Nullable;

/// Finds the rows of a data file that its delete files do not delete.
///
/// Position deletes need no data of the file; equality deletes read its key columns, once.
///
/// @param constants field id to the value of all rows, for fields that the file lacks
record DeletedRows(
    TableDeletes deletes,
    DataFile data,
    FileFormat format,
    List<DeleteFile> positional,
    List<EqualityDeletes.Scope> scopes,
    Map<Integer, Object> constants)
    implements LiveRows {
  @Override
  public Optional<RowSet> find(StorageFile file, FileMetadata metadata) throws IOException {
    MatchedMetadata matched = (MatchedMetadata) metadata;
    long rowCount = metadata.rowCount();
    long[] rows = inTurn(() -> deletes.positions().of(positional, data.location(), rowCount));
    if (scopes.isEmpty()) {
      return rows.length == 0
          ? Optional.empty()
          : Optional.of(RowSet.allBut(rowCount, LongStream.of(rows)));
    }
    KeyScan scan = inTurn(() -> scan(file, matched));
    scan.expect(file); // before its turn, while other files are scanned
    RowSet left = inTurn(() -> scan.left(file, rows));
    return left.count() == rowCount ? Optional.empty() : Optional.of(left);
  }

  /// Work that occupies a processor.
  @FunctionalInterface
  private interface Work<T> {
    T run() throws IOException;
  }

  private <T> T inTurn(Work<T> work) throws IOException {
    try {
      deletes.scans().acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(
          "Interrupted while the deleted rows of " + data.location() + " were read.", e);
    }
    try {
      return work.run();
    } finally {
      deletes.scans().release();
    }
  }

  private KeyScan scan(StorageFile file, MatchedMetadata metadata) throws IOException {
    List<KeyScan.Test> tests = new ArrayList<>();
    List<StoredField> wanted = new ArrayList<>();
    for (EqualityDeletes.Scope scope : scopes) {
      tests.add(test(file, scope, metadata.storedFields(), wanted));
    }
    long sequence = Objects.requireNonNullElse(data.dataSequenceNumber(), 0L);
    return new KeyScan(format, metadata.stored(), wanted, tests, sequence);
  }

  private KeyScan.Test test(
      StorageFile file,
      EqualityDeletes.Scope scope,
      List<StoredField> stored,
      List<StoredField> wanted)
      throws IOException {
    List<KeyRows.Part> parts = new ArrayList<>();
    for (KeyColumn column : scope.columns()) {
      StoredField found = StoredField.find(stored, column.id()).orElse(null);
      if (found == null) {
        parts.add(new KeyRows.Part(column, -1, constant(column.id())));
        continue;
      }
      if (!column.takes(found.field().type())) {
        throw new FilePlace(file.location(), "column '" + found.path() + "'")
            .fail(
                "Cannot delete rows by this column: it is %s in this file but %s in the table."
                    .formatted(found.field().type(), column.type()));
      }
      parts.add(new KeyRows.Part(column, KeyRows.place(wanted, found), null));
    }
    return new KeyScan.Test(new KeyRows(parts), scope.keys());
  }

  private @Nullable Object constant(int id) {
    return constants.containsKey(id) ? constants.get(id) : deletes.equality().defaultOf(id);
  }
}
