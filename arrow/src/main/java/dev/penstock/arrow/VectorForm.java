package dev.penstock.arrow;

import dev.penstock.batch.OutputFormat;
import dev.penstock.schema.Schema;
import dev.penstock.spi.batch.BatchForm;

/// Implements [OutputFormat#ARROW] for the loader. Users call [ArrowBatches].
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
  public Holder holder(Schema schema) {
    org.apache.arrow.vector.types.pojo.Schema fields = ArrowTypes.schema(schema);
    return (rowCount, columns, memory, release) ->
        new HeldVectors(fields, rowCount, columns, memory, release);
  }
}
