package dev.penstock.iceberg;

import dev.penstock.format.FileFormat;
import dev.penstock.format.FileMetadata;
import dev.penstock.format.FilePlace;
import dev.penstock.format.LiveRows;
import dev.penstock.format.RowSet;
import dev.penstock.format.SliceReader;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.stream.LongStream;
import org.apache.iceberg.DeleteFile;
import org.jspecify.annotations.Nullable;

/// Finds the rows of a data file that its delete files leave.
///
/// For deletes by position nothing of the data file is read; for those by value its key columns
/// are, once.
final class DeletedRows implements LiveRows {
  private final String path;
  private final FileFormat format;
  private final List<DeleteFile> positional;
  private final PositionDeletes positions;
  private final List<EqualityDeletes.Scope> scopes;
  private final EqualityDeletes equality;
  private final Map<Integer, Object> constants;
  private final long sequence;
  private final Semaphore scans;

  /// Makes it.
  ///
  /// @param path the data file, as the table has it
  /// @param format its own format
  /// @param positional the delete files that name rows by their numbers
  /// @param positions who reads these
  /// @param scopes those that name rows by their values
  /// @param equality whose scopes they are
  /// @param constants field id to what all rows have, where the file lacks the field
  /// @param sequence the data file's
  /// @param scans how many files are gone through at once
  DeletedRows(
      String path,
      FileFormat format,
      List<DeleteFile> positional,
      PositionDeletes positions,
      List<EqualityDeletes.Scope> scopes,
      EqualityDeletes equality,
      Map<Integer, Object> constants,
      long sequence,
      Semaphore scans) {
    this.path = path;
    this.format = format;
    this.positional = positional;
    this.positions = positions;
    this.scopes = scopes;
    this.equality = equality;
    this.constants = constants;
    this.sequence = sequence;
    this.scans = scans;
  }

  @Override
  public Optional<RowSet> find(StorageFile file, FileMetadata metadata) throws IOException {
    try {
      scans.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while the deleted rows of " + path + " were read.", e);
    }
    try {
      return found(file, (MatchedMetadata) metadata);
    } finally {
      scans.release();
    }
  }

  private Optional<RowSet> found(StorageFile file, MatchedMetadata metadata) throws IOException {
    long rowCount = metadata.rowCount();
    long[] rows = positions.of(positional, path, rowCount);
    List<Test> tests = new ArrayList<>();
    List<StoredField> wanted = KeyRows.none();
    for (EqualityDeletes.Scope scope : scopes) {
      tests.add(test(file, scope, metadata.columns().stored(), wanted));
    }
    if (!tests.isEmpty()) {
      return scanned(file, metadata, tests, wanted, rows);
    }
    return rows.length == 0
        ? Optional.empty()
        : Optional.of(RowSet.allBut(rowCount, LongStream.of(rows)));
  }

  /// What rows are tested with.
  private record Test(KeyRows keys, DeletedKeys deleted) {}

  private Test test(
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
                -1,
                "Cannot delete rows by this column: it is "
                    + found.field().type()
                    + " in this file but "
                    + column.type()
                    + " in the table.");
      }
      parts.add(new KeyRows.Part(column, KeyRows.place(wanted, found), null));
    }
    return new Test(new KeyRows(parts), scope.keys());
  }

  private @Nullable Object constant(int id) {
    return constants.containsKey(id) ? constants.get(id) : equality.defaultOf(id);
  }

  private Optional<RowSet> scanned(
      StorageFile file,
      MatchedMetadata metadata,
      List<Test> tests,
      List<StoredField> wanted,
      long[] rows)
      throws IOException {
    long rowCount = metadata.rowCount();
    RowSet left = new RowSet(0);
    long[] gone = new long[DeleteFiles.SLICE_ROWS / 64];
    int nextRow = 0;
    long at = 0;
    try (ScanMemory memory = new ScanMemory();
        SliceReader reader =
            format.openReader(
                file, metadata.stored(), DeleteFiles.schema(wanted), 0, rowCount, memory)) {
      for (int count = reader.next(DeleteFiles.SLICE_ROWS);
          count > 0;
          count = reader.next(DeleteFiles.SLICE_ROWS)) {
        java.util.Arrays.fill(gone, 0);
        for (Test test : tests) {
          test.keys.take(reader, count);
          test.keys.mark(test.deleted, sequence, count, gone);
        }
        for (; nextRow < rows.length && rows[nextRow] < at + count; nextRow++) {
          int row = (int) (rows[nextRow] - at);
          gone[row >>> 6] |= 1L << row;
        }
        keep(left, gone, at, count);
        at += count;
      }
    }
    left.finish();
    return left.count() == rowCount ? Optional.empty() : Optional.of(left);
  }

  /// Adds the runs of rows between those that are gone.
  private static void keep(RowSet left, long[] gone, long at, int count) {
    int from = 0;
    for (int word = 0; word * 64 < count; word++) {
      for (long bits = gone[word]; bits != 0; bits &= bits - 1) {
        int row = word * 64 + Long.numberOfTrailingZeros(bits);
        left.addRange(at + from, at + row);
        from = row + 1;
      }
    }
    left.addRange(at + from, at + count);
  }
}
