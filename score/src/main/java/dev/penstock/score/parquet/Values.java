package dev.penstock.score.parquet;

import dev.penstock.batch.Tensor;
import org.jspecify.annotations.Nullable;

/// The values of a column for some rows.
///
/// | Type of the column | Values |
/// |---|---|
/// | boolean, number, date, time, timestamp | [Tensor] of shape `[rows]` or `[rows, 1]`, of the type that batches have for it |
/// | list of these | `Tensor` of shape `[rows, n]`, or [dev.penstock.batch.RaggedTensor] |
/// | string, decimal, UUID, binary | [java.util.List] of `String`, `BigDecimal`, `UUID` or `byte[]`, null where a row has no value |
///
/// @param values the values
/// @param present which rows have a value, as a `BOOL` tensor of shape `[rows]`; null if all have
///   one. Values of other rows are not looked at
public record Values(Object values, @Nullable Tensor present) {
  /// Values of which none is null, but for those of a list.
  ///
  /// @param values the values
  public Values(Object values) {
    this(values, null);
  }
}
