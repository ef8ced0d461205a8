package dev.penstock.score;

import dev.penstock.batch.DType;
import dev.penstock.batch.Tensor;
import dev.penstock.schema.DataType;
import dev.penstock.score.parquet.OutputColumn;
import dev.penstock.score.parquet.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a model returned for some rows, checked.
final class ModelOutputs {
  private ModelOutputs() {}

  /// Returns the columns that a model's results are written as.
  ///
  /// @param taken names that other columns have
  /// @throws IllegalArgumentException if they are not what a model may return
  static List<OutputColumn> columns(Map<String, Object> results, int rows, Set<String> taken) {
    if (results.isEmpty()) {
      throw wrong("it is no output");
    }
    List<OutputColumn> columns = new ArrayList<>();
    results.forEach((name, result) -> {
      if (taken.contains(name)) {
        throw wrong("an output of the model and a column beside it are both named '" + name + "'");
      }
      columns.add(column(name, result, rows));
    });
    return columns;
  }

  private static OutputColumn column(String name, Object result, int rows) {
    OutputColumn column = column(name, result);
    long found =
        result instanceof Tensor tensor ? tensor.shape().dim(0) : ((List<?>) result).size();
    if (found != rows) {
      throw wrong("output '" + name + "' has " + found + " values for " + rows + " rows");
    }
    return column;
  }

  private static OutputColumn column(String name, Object result) {
    return switch (result) {
      case Tensor tensor -> new OutputColumn(name, type(name, tensor), false);
      case List<?> _ -> new OutputColumn(name, new DataType.Utf8(), true);
      default ->
          throw wrong(
              "output '"
                  + name
                  + "' of the model is a "
                  + result.getClass().getSimpleName()
                  + " but expected a Tensor or a List of texts");
    };
  }

  private static DataType type(String name, Tensor tensor) {
    DataType element = type(tensor.dtype());
    long[] dims = tensor.shape().dims();
    return switch (dims.length) {
      case 1 -> element;
      case 2 -> dims[1] == 1 ? element : new DataType.List(element, false);
      default ->
          throw wrong(
              "output '"
                  + name
                  + "' of the model has shape "
                  + tensor.shape()
                  + " but expected [rows], [rows, 1] or [rows, n]");
    };
  }

  private static DataType type(DType dtype) {
    return switch (dtype) {
      case BOOL -> new DataType.Bool();
      case INT8 -> new DataType.Int(8, true);
      case INT16 -> new DataType.Int(16, true);
      case INT32 -> new DataType.Int(32, true);
      case INT64 -> new DataType.Int(64, true);
      case UINT8 -> new DataType.Int(8, false);
      case UINT16 -> new DataType.Int(16, false);
      case UINT32 -> new DataType.Int(32, false);
      case UINT64 -> new DataType.Int(64, false);
      case FLOAT16 -> new DataType.Floating(16);
      case FLOAT32 -> new DataType.Floating(32);
      case FLOAT64 -> new DataType.Floating(64);
    };
  }

  /// Returns how many bytes a row of them has, about: 16 a text.
  static long rowBytes(Map<String, Object> results, int rows) {
    long bytes = 0;
    for (Object result : results.values()) {
      bytes += result instanceof Tensor tensor ? tensor.memory().byteSize() / rows : 16;
    }
    return bytes;
  }

  /// Returns a model's results in the order of the columns.
  ///
  /// @throws IllegalArgumentException if they are not those of the first batch
  static List<Values> values(Map<String, Object> results, int rows, List<OutputColumn> columns) {
    if (results.size() != columns.size()) {
      throw wrong("it is " + results.keySet() + " but " + names(columns) + " before");
    }
    List<Values> values = new ArrayList<>();
    for (OutputColumn column : columns) {
      Object result = results.get(column.name());
      if (result == null) {
        throw wrong("it is " + results.keySet() + " but " + names(columns) + " before");
      }
      if (!column(column.name(), result, rows).equals(column)) {
        throw wrong("it is " + column(column.name(), result, rows) + " but " + column + " before");
      }
      values.add(new Values(result));
    }
    return values;
  }

  private static IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("Cannot use what the model returned: " + what + ".");
  }

  private static List<String> names(List<OutputColumn> columns) {
    return columns.stream().map(OutputColumn::name).toList();
  }
}
