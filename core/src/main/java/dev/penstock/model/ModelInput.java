package dev.penstock.model;

import dev.penstock.batch.DType;
import java.util.List;

/// What a [Model] reads of a batch: a tensor of one type.
///
/// @param name its name
/// @param dtype the type of its elements
/// @param extents its shape; -1 for any extent, which the first always is
/// @param columns the names of the columns that the model was trained on, in order; empty if it
///   does not know them
public record ModelInput(String name, DType dtype, List<Long> extents, List<String> columns) {
  /// Copies the lists.
  public ModelInput {
    extents = List.copyOf(extents);
    columns = List.copyOf(columns);
  }

  /// {@return type and shape, as `FLOAT32 [-1, 64]`}
  @Override
  public String toString() {
    return name + ": " + dtype + " " + extents;
  }
}
