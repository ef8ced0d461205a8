package dev.penstock.spi.batch;

import dev.penstock.batch.HeldColumns;
import dev.penstock.batch.OutputFormat;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The form that a module gives to batches, found by `ServiceLoader`: one for each [OutputFormat]
/// that core does not make itself. Users never meet it.
///
/// **Threads.** Safe for any: workers finish batches at the same time.
public interface BatchForm {
  /// Returns the output format that asks for this form.
  ///
  /// @return the format
  OutputFormat output();

  /// Gets ready for the batches of a loader.
  ///
  /// @param schema their columns, in order
  /// @return what takes each of the batches
  Holder holder(Schema schema);

  /// Takes batches of one schema.
  ///
  /// **Threads.** As the form.
  interface Holder {
    /// Takes the columns of a batch all of whose rows are there.
    ///
    /// The columns are as [ColumnSlice] says, with these additions, at all levels of nesting: there
    /// are validity bits for every column, also for those without nulls; no column has codes; all
    /// offsets start at 0, and a list's child has just as many rows as the last one says; decimals
    /// of up to 38 digits take 16 bytes; segments have just the bytes that are needed, and bits
    /// behind the last row are undefined.
    ///
    /// @param rowCount the rows
    /// @param columns the values of each column
    /// @param memory the pieces of memory that the columns' segments lie in; they stay until
    ///   `release`
    /// @param release gives the memory back; to be run once, when nothing refers to it any more, by
    ///   any thread
    /// @return the columns in this form
    HeldColumns hold(
        int rowCount, List<ColumnSlice> columns, List<MemorySegment> memory, Runnable release);
  }
}
