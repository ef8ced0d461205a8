package dev.penstock.iceberg.internal.deletes;

import dev.penstock.iceberg.internal.fields.FileIds;
import dev.penstock.iceberg.internal.files.ReadFiles;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.LiveRows;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;

/// The delete files of a table: each is read once for all its data files.
///
/// **Threads.** Any number at once.
public final class TableDeletes {
  private final PositionDeletes positions;
  private final EqualityDeletes equality;

  /// Limits decoding of key columns to the processors, however many footers are awaited.
  private final Semaphore scans = new Semaphore(Runtime.getRuntime().availableProcessors());

  /// Makes it; nothing is read yet.
  ///
  /// @param schema the columns that are read; keys may be dropped columns
  public TableDeletes(Table table, Schema schema, ReadFiles files, FileIds ids) {
    DeleteFiles deletes = new DeleteFiles(files, ids);
    this.positions = new PositionDeletes(deletes);
    this.equality = new EqualityDeletes(deletes, table, schema);
  }

  /// Returns what finds the remaining rows of a data file.
  ///
  /// @param constants field id to the value of all rows, for fields that the file lacks
  /// @return empty if it has no delete files
  /// @throws IllegalArgumentException if a delete file contradicts the table
  public Optional<LiveRows> of(
      FileScanTask task, FileFormat stored, Map<Integer, Object> constants) {
    return task.deletes().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new DeletedRows(
                this,
                task.file(),
                stored,
                PositionDeletes.among(task.deletes()),
                equality.scopes(task),
                constants));
  }

  PositionDeletes positions() {
    return positions;
  }

  EqualityDeletes equality() {
    return equality;
  }

  /// How many data files may be scanned at once.
  Semaphore scans() {
    return scans;
  }
}
