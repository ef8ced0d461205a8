package dev.penstock.benchmarks.readers;

import java.nio.file.Path;
import java.util.Optional;

/// One library that reads Parquet into contiguous memory, column by column.
///
/// Found by `ServiceLoader`, in the class loader of its library. A reader may keep what its library
/// would keep between files (pools, allocators, contexts), but opens the file anew in every scan.
///
/// **Threads.** Used by one thread.
public interface Reader {
  /// The most rows that are delivered together.
  int BATCH_ROWS = 8192;

  /// Returns the name in the table of results.
  ///
  /// @return the library, and what distinguishes two readers of one library
  String name();

  /// Returns whether the checksums are to be taken: not for a floor that decodes nothing.
  ///
  /// @return true for a reader
  default boolean delivers() {
    return true;
  }

  /// Tells why the library cannot read a table.
  ///
  /// @param scan what would be read
  /// @return a sentence, empty if it can
  /// @throws Exception if the file cannot be opened
  default Optional<String> refusal(Scan scan) throws Exception {
    return Optional.empty();
  }

  /// Reads all rows, in order.
  ///
  /// @param scan what to read
  /// @param sink what receives them, at most [#BATCH_ROWS] at a time
  /// @throws Exception if the file cannot be read
  void read(Scan scan, Sink sink) throws Exception;

  /// What is read.
  ///
  /// @param file the file
  /// @param table which of its columns
  /// @param rows how many rows it has
  record Scan(Path file, Table table, long rows) {}

  /// What receives the rows.
  interface Sink {
    /// Receives the next rows.
    ///
    /// @param buffers where the values are, valid during the call
    void accept(Buffers buffers);
  }
}
