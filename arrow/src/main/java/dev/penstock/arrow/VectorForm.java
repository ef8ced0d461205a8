package dev.penstock.arrow;

import dev.penstock.batch.BatchForm;
import dev.penstock.batch.HeldColumns;
import dev.penstock.batch.OutputFormat;
import dev.penstock.format.ColumnSlice;
import dev.penstock.schema.Schema;
import java.util.List;

/// What the loader finds when [OutputFormat#ARROW] is asked for. Users call [ArrowBatches].
///
/// **Threads.** Safe for any.
public final class VectorForm implements BatchForm {
  /// Made by `ServiceLoader`.
  public VectorForm() {}

  @Override
  public OutputFormat output() {
    return OutputFormat.ARROW;
  }

  @Override
  public HeldColumns hold(
      Schema schema, int rowCount, List<ColumnSlice> columns, Runnable release) {
    return new HeldVectors(schema, rowCount, columns, release);
  }
}
