package dev.penstock.spi.batch;

import dev.penstock.batch.HeldColumns;
import dev.penstock.batch.OutputFormat;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Makes batches in a module's own form, found by `ServiceLoader`: one for each [OutputFormat] that
/// core does not make itself. Not for users.
///
/// **Threads.** Safe for any: workers finish batches at the same time.
public interface BatchForm {
  /// {@return the output format that asks for this form}
  OutputFormat output();

  /// {@return what takes the batches of one loader}
  ///
  /// @param schema their columns, in order
  Holder holder(Schema schema);

  /// Takes batches of one schema.
  ///
  /// **Threads.** As the form.
  interface Holder {
    /// Takes the columns of a complete batch.
    ///
    /// The columns follow [ColumnSlice], with these additions at all levels of nesting: every
    /// column has validity bits, even without nulls; no column has codes; all offsets start at 0,
    /// and the last one equals the row count of a list's child; decimals of up to 38 digits take 16
    /// bytes; segments have exactly the needed bytes, and bits after the last row are undefined.
    ///
    /// @param rowCount the rows
    /// @param columns the values of each column
    /// @param memory the pieces of memory that contain the columns' segments; valid until `release`
    /// @param release returns the memory; run it once, on any thread, when nothing refers to the
    ///   memory any more
    /// @return the columns in this form
    HeldColumns hold(
        int rowCount, List<ColumnSlice> columns, List<MemorySegment> memory, Runnable release);
  }
}
