package dev.penstock.batch;

/// The form in which a [Batch] holds its columns.
public enum OutputFormat {
  /// Off-heap [Tensor]s for numbers, [RaggedTensor]s for lists of numbers, lists of Java objects
  /// for everything else. The default, and the fastest.
  TENSOR,
  /// Java arrays on the heap: `float[]`, `long[]`, `String[]` and so on, one per column;
  /// `float[][]` and similar for lists of numbers.
  ARRAY,
  /// Lists of Java objects on the heap, one per column, null where the row is null.
  MAP,
  /// Apache Arrow vectors over the batch's own memory, for every type of column, nested ones
  /// included; their validity marks nulls. Needs the module `penstock-arrow`, whose
  /// `ArrowBatches.root(batch)` returns them.
  ARROW
}
