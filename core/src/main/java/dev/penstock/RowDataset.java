package dev.penstock;

import dev.penstock.data.MapDataset;
import dev.penstock.internal.rows.RowStore;
import dev.penstock.schema.Schema;
import dev.penstock.split.ByteSize;
import dev.penstock.stats.RowStats;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The rows of a [StructuredDataset] by number: random access to files.
///
/// Row `i` is the one that a [DataLoader] without shuffle delivers as the `i`-th. It is an
/// unmodifiable map of column names to the Java objects that [dev.penstock.batch.OutputFormat#MAP]
/// gives, null for nulls, in the order of the columns.
///
/// Rows are decoded in blocks: aligned runs of up to 16,384 rows of a row group, fewer where rows
/// are wide. Blocks that were used last are kept. A row that is in no kept block costs a block;
/// [#getAll] reads each block once for all rows that it is asked for.
///
/// **Ownership.** The caller closes it. Rows that were returned stay valid.
///
/// **Threads.** Safe for any. Threads that want different blocks decode them at the same time; of
/// those that want the same one, one decodes it.
///
/// **Memory.** Kept blocks take at most the size that was chosen; a block that is larger is not
/// kept. Beside them each reading thread has one decoded block, and a page and a slice of each
/// column; that is kept for the next reads, for as many threads as there are processors.
///
/// **Errors.** What a file is to blame for is an [IOException] that names file and row. A row fails
/// only for what is in its own pages, whatever the others of its block are like.
public final class RowDataset implements MapDataset<Map<String, @Nullable Object>>, AutoCloseable {
  private final Schema schema;
  private final RowStore rows;

  private RowDataset(Schema schema, RowStore rows) {
    this.schema = schema;
    this.rows = rows;
  }

  /// Opens the rows of a dataset.
  ///
  /// @param cache how much memory decoded blocks may take between reads
  /// @throws IllegalArgumentException if the dataset has a filter
  static RowDataset open(StructuredDataset dataset, ByteSize cache) {
    dataset
        .filter()
        .ifPresent(filter -> {
          throw new IllegalArgumentException(
              "Cannot open the rows by number: which of them the filter '"
                  + filter
                  + "' keeps shows only when they are read. Leave the filter out, or use a"
                  + " DataLoader.");
        });
    Schema schema = dataset.readableSchema();
    return new RowDataset(schema, new RowStore(dataset.table(), schema, cache.bytes()));
  }

  /// Returns the columns of the rows.
  ///
  /// @return names and types, in order
  public Schema schema() {
    return schema;
  }

  @Override
  public long size() {
    return rows.size();
  }

  /// Returns a row.
  ///
  /// @param index its number, in `[0, size())`
  /// @return an unmodifiable map of column names to values
  /// @throws IOException if it cannot be read
  /// @throws IndexOutOfBoundsException if `index` is out of range
  /// @throws IllegalStateException if this is closed
  @Override
  public Map<String, @Nullable Object> get(long index) throws IOException {
    return rows.get(index);
  }

  /// Returns rows, in the order asked for; each block that has some of them is read once.
  ///
  /// The list is [dev.penstock.batch.RowColumns] as well. As columns of a batch, numbers, booleans,
  /// dates and times are tensors, lists of these ragged tensors, all others lists of objects. Nulls
  /// of floating-point columns are NaN there; in tensors of other types they are refused, with an
  /// [java.io.UncheckedIOException] that names column, file and row.
  ///
  /// @param indices their numbers, each in `[0, size())`; may have one twice
  /// @return an unmodifiable list. Objects are made when the first one is asked for; text that is
  ///   not UTF-8 is an [java.io.UncheckedIOException] then
  /// @throws IOException if one cannot be read
  /// @throws IndexOutOfBoundsException if one of `indices` is out of range
  /// @throws IllegalStateException if this is closed
  @Override
  public List<Map<String, @Nullable Object>> getAll(long[] indices) throws IOException {
    return rows.getAll(indices);
  }

  /// Returns what was read so far.
  ///
  /// @return a snapshot
  public RowStats stats() {
    return new RowStats(
        rows.blocksRead(),
        rows.blocksReused(),
        rows.bytesRead(),
        rows.cachedBytes(),
        rows.meter().used(),
        rows.meter().peak());
  }

  /// Waits for the reads that are under way, closes all files and frees all memory. Calling it
  /// again does nothing.
  @Override
  public void close() {
    rows.close();
  }

  @Override
  public String toString() {
    return "RowDataset of " + size() + " rows, columns " + schema.summary();
  }
}
