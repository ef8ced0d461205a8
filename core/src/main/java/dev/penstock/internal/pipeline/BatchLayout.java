package dev.penstock.internal.pipeline;

import dev.penstock.batch.DType;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.internal.pipeline.ColumnPlan.ListPlan;
import dev.penstock.internal.pipeline.ColumnPlan.MatrixPlan;
import dev.penstock.internal.pipeline.ColumnPlan.TensorPlan;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What every batch of a loader looks like: its columns, and where each lies in the batch's slab.
///
/// Decided once, before the first batch, from the schema and the options; so the type of a column
/// cannot change from batch to batch.
public final class BatchLayout {
  private static final long ALIGNMENT = 64;

  /// A rough size of an object in a list column, for bounding what is read ahead.
  private static final long OBJECT_BYTES = 64;

  private final Schema schema;
  private final int batchSize;
  private final OutputFormat output;
  private final List<ColumnPlan> columns = new ArrayList<>();
  private long slabBytes;
  private int listCount;

  private BatchLayout(Schema schema, int batchSize, OutputFormat output) {
    this.schema = schema;
    this.batchSize = batchSize;
    this.output = output;
  }

  /// Decides the layout.
  ///
  /// @param schema the columns that are decoded, all of them readable
  /// @param batchSize the rows of a batch
  /// @param output the form of the columns
  /// @param nulls what becomes of nulls
  /// @param features matrix name to column names
  /// @return the layout
  /// @throws IllegalArgumentException if a column does not fit its matrix, two columns of the batch
  ///   have one name, or a fill value does not fit a column
  public static BatchLayout of(
      Schema schema,
      int batchSize,
      OutputFormat output,
      NullPolicy nulls,
      Map<String, List<String>> features) {
    BatchLayout layout = new BatchLayout(schema, batchSize, output);
    // Lists of objects keep their nulls: they are made from masked tensors.
    NullPolicy effective =
        output == OutputFormat.MAP && !(nulls instanceof NullPolicy.Reject)
            ? NullPolicy.mask()
            : nulls;
    Set<String> inMatrix = new HashSet<>();
    features.values().forEach(inMatrix::addAll);
    for (Field field : schema.fields()) {
      if (!inMatrix.contains(field.name())) {
        layout.addColumn(field, effective);
      }
    }
    features.forEach((name, names) -> layout.addMatrix(name, names, nulls));
    layout.requireDistinctNames();
    return layout;
  }

  private void addColumn(Field field, NullPolicy nulls) {
    Optional<DType> dtype = ColumnPlan.dtype(field.type());
    if (dtype.isEmpty()) {
      columns.add(new ListPlan(field, listCount++, nulls));
      return;
    }
    if (nulls instanceof NullPolicy.Fill(Number value) && field.nullable()) {
      NullFill.bits(field, dtype.get(), value);
    }
    long offset = reserve((long) batchSize * dtype.get().bytes());
    boolean masked = nulls instanceof NullPolicy.Mask && field.nullable();
    long maskOffset = masked ? reserve(batchSize) : -1;
    columns.add(new TensorPlan(field, dtype.get(), offset, nulls, maskOffset));
  }

  private void addMatrix(String name, List<String> names, NullPolicy nulls) {
    List<Field> fields = new ArrayList<>();
    for (String column : names) {
      Field field =
          schema
              .find(column)
              .orElseThrow(() ->
                  new IllegalArgumentException(
                      "Cannot put column '"
                          + column
                          + "' into feature matrix '"
                          + name
                          + "': no such column in the dataset. Columns are: "
                          + schema.names()
                          + "."));
      if (!isNumeric(field.type())) {
        throw new IllegalArgumentException(
            "Cannot put column '"
                + column
                + "' of type "
                + field.type()
                + " into feature matrix '"
                + name
                + "': only numeric and boolean columns fit.");
      }
      fields.add(field);
    }
    if (nulls instanceof NullPolicy.Fill(Number value)) {
      // Numbers of any type are floats in a matrix.
      fields.stream()
          .filter(Field::nullable)
          .map(field -> new Field(field.name(), new DataType.Floating(32), true))
          .forEach(field -> NullFill.bits(field, DType.FLOAT32, value));
    }
    long offset = reserve(Math.multiplyExact((long) batchSize * 4, fields.size()));
    columns.add(new MatrixPlan(name, fields, offset, nulls));
  }

  static boolean isNumeric(DataType type) {
    return type instanceof DataType.Bool
        || type instanceof DataType.Int
        || type instanceof DataType.Floating
        || type instanceof DataType.Decimal;
  }

  private void requireDistinctNames() {
    Set<String> names = new HashSet<>();
    for (ColumnPlan column : columns) {
      List<String> made = new ArrayList<>(List.of(column.name()));
      if (column instanceof TensorPlan tensor
          && tensor.maskOffset() >= 0
          && output != OutputFormat.MAP) {
        made.add(maskName(tensor));
      }
      for (String name : made) {
        if (!names.add(name)) {
          throw new IllegalArgumentException(
              "Cannot make a batch with two columns named '"
                  + name
                  + "'. Leave one of them out, or rename the matrix.");
        }
      }
    }
  }

  private long reserve(long bytes) {
    long offset = slabBytes;
    slabBytes = Math.ceilDiv(Math.addExact(offset, bytes), ALIGNMENT) * ALIGNMENT;
    return offset;
  }

  static String maskName(TensorPlan tensor) {
    return tensor.name() + ".mask";
  }

  /// Returns the size of a batch's slab.
  ///
  /// @return bytes
  public long slabBytes() {
    return slabBytes;
  }

  int batchSize() {
    return batchSize;
  }

  OutputFormat output() {
    return output;
  }

  List<ColumnPlan> columns() {
    return columns;
  }

  int listCount() {
    return listCount;
  }

  /// Returns about how much a full batch weighs, lists included.
  long batchBytes() {
    return slabBytes + OBJECT_BYTES * batchSize * listCount;
  }

  @Override
  public String toString() {
    Map<String, String> shown = new LinkedHashMap<>();
    for (ColumnPlan column : columns) {
      shown.put(
          column.name(),
          switch (column) {
            case TensorPlan plan -> plan.dtype().toString();
            case ListPlan plan -> "list of " + plan.field().type();
            case MatrixPlan plan -> "FLOAT32 " + Arrays.asList(plan.fields().size());
          });
    }
    return shown.toString();
  }
}
