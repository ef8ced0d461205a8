package dev.penstock.score;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Lease;
import dev.penstock.model.ModelInput;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which columns a model gets, and in which form: a column as it is, or a feature matrix.
///
/// @param columns what each input is made of, by the input's name; empty if the model gets all
///   columns
/// @param isMatrix whether an input is a feature matrix
record Feeding(Map<String, List<String>> columns, Map<String, Boolean> isMatrix) {
  /// The start of a matrix's name in the loader, so that it meets no column's.
  private static final String MATRIX = "input ";

  /// Decides for a model that is made known to a table.
  ///
  /// @param columns the columns of each input
  /// @param carried columns that are written, too: with a null the model gets a matrix with NaN
  static Feeding of(
      List<ModelInput> inputs,
      Map<String, List<String>> columns,
      Schema table,
      Set<String> carried) {
    Map<String, Boolean> isMatrix = new LinkedHashMap<>();
    for (ModelInput input : inputs) {
      List<String> of = columns.get(input.name());
      if (of != null) {
        isMatrix.put(input.name(), !isAsItIs(input, of, table, carried));
      }
    }
    return new Feeding(columns, isMatrix);
  }

  private static boolean isAsItIs(
      ModelInput input, List<String> of, Schema table, Set<String> carried) {
    DataType type = of.size() == 1 ? table.find(of.getFirst()).orElseThrow().type() : null;
    return type != null
        && (type instanceof DataType.List
            || input.dtype() != DType.FLOAT32
            || (type.equals(DataType.float32()) && !carried.contains(of.getFirst())));
  }

  /// Returns whether the model gets a column as it is.
  boolean isAlone(String column) {
    return columns.entrySet().stream()
        .anyMatch(input ->
            Boolean.FALSE.equals(isMatrix.get(input.getKey()))
                && input.getValue().contains(column));
  }

  LoaderOptions options(LoaderOptions options) {
    LoaderOptions changed = options;
    for (Map.Entry<String, List<String>> input : columns.entrySet()) {
      if (Boolean.TRUE.equals(isMatrix.get(input.getKey()))) {
        changed = changed.features(MATRIX + input.getKey(), input.getValue());
      }
    }
    return changed;
  }

  /// Returns what the model gets of a batch, valid while that is open.
  Batch batch(Batch batch) {
    if (columns.isEmpty()) {
      return batch;
    }
    Map<String, Object> named = new LinkedHashMap<>();
    columns.forEach((name, of) ->
        named.put(
            name,
            Boolean.TRUE.equals(isMatrix.get(name))
                ? batch.column(MATRIX + name)
                : batch.column(of.getFirst())));
    return Batch.of(batch.rowCount(), named, new Lease(() -> {}));
  }
}
