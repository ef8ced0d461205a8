package dev.penstock.internal.columns;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.batch.DType;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.StringEncoding;
import dev.penstock.internal.choice.Choices;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.columns.ColumnPlan.ArrowPlan;
import dev.penstock.internal.columns.ColumnPlan.MatrixPlan;
import dev.penstock.internal.columns.ColumnPlan.ObjectPlan;
import dev.penstock.internal.columns.ColumnPlan.RaggedNulls;
import dev.penstock.internal.columns.ColumnPlan.RaggedPlan;
import dev.penstock.internal.columns.ColumnPlan.RaggedRoom;
import dev.penstock.internal.columns.ColumnPlan.TensorPlan;
import dev.penstock.internal.table.ValuesPerRow;
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
import java.util.function.Function;

/// What every batch of a loader looks like: its columns, and where each lies in the batch's slab.
///
/// Decided once, before the first batch, from the schema and the options; so the form of a column
/// cannot change from batch to batch. The expected length of a column's lists is a guess, which
/// saves work when right; a wrong one does not change what is delivered.
public final class BatchLayout {
  private static final long ALIGNMENT = 64;

  /// A rough size of an object, for bounding what is read ahead.
  private static final long OBJECT_BYTES = 64;

  /// A rough size of a value without a fixed width or inside a nested one, for the same purpose.
  private static final long PART_BYTES = 16;

  /// The most bytes of a batch for rooms for lists of an expected length, which files only claim.
  private static final long ROOM_BYTES_MAX = 256L << 20;

  final Schema schema;
  private final int batchSize;
  final OutputFormat output;
  private final boolean offHeap;
  private final List<ColumnPlan> columns = new ArrayList<>();
  private long slabBytes;
  private long roomBytes;
  private int objectCount;
  private int raggedCount;
  private int arrowCount;

  private BatchLayout(Schema schema, int batchSize, OutputFormat output, boolean offHeap) {
    this.schema = schema;
    this.batchSize = batchSize;
    this.output = output;
    this.offHeap = offHeap;
  }

  /// Decides the layout.
  ///
  /// @param schema the columns that are decoded, all of them readable
  /// @param offHeap whether columns stay in Arrow's layout that would be Java objects
  /// @param forms the requested forms of columns, checked by [ColumnForms#requireFits]
  /// @param features matrix name to column names
  /// @param kept the columns that come on their own also where a matrix has them
  /// @param valuesPerRow how many values a row of a column has, according to the footers; not asked
  ///   of a column that has one
  /// @throws IllegalArgumentException if a column does not fit its matrix, two columns of the batch
  ///   have one name, or a fill value does not fit a column
  public static BatchLayout of(
      Schema schema,
      int batchSize,
      OutputFormat output,
      boolean offHeap,
      ColumnForms forms,
      Map<String, List<String>> features,
      Set<String> kept,
      Function<String, ValuesPerRow> valuesPerRow) {
    BatchLayout layout = new BatchLayout(schema, batchSize, output, offHeap);
    Set<String> inMatrix = new HashSet<>();
    features.values().forEach(inMatrix::addAll);
    inMatrix.removeAll(kept);
    for (Field field : schema.fields()) {
      if (!inMatrix.contains(field.name())) {
        boolean isOneValue =
            !field.type().isNested() && !(field.type() instanceof DataType.Variant);
        layout.addColumn(
            field, forms, isOneValue ? ValuesPerRow.UNKNOWN : valuesPerRow.apply(field.name()));
      }
    }
    features.forEach((name, names) -> layout.addMatrix(name, names, forms));
    layout.requireDistinctNames();
    return layout;
  }

  private void addColumn(Field field, ColumnForms forms, ValuesPerRow values) {
    NullPolicy policy = forms.nulls().forColumn(field.name());
    if (output == OutputFormat.ARROW) {
      addArrow(field, NullHandling.inVector(policy), values);
      return;
    }
    boolean objects = output == OutputFormat.MAP;
    Optional<TensorForm> form = objects ? Optional.empty() : TensorForm.of(field, forms);
    Optional<Field> element = ColumnPlan.elements(field);
    Optional<DType> elementDtype = element.map(Field::type).flatMap(ColumnPlan::dtype);
    boolean isObject = objects || (form.isEmpty() && elementDtype.isEmpty());
    if (isObject && offHeap) {
      addArrow(field, NullHandling.inVector(policy), values);
    } else if (isObject) {
      boolean takesText = !objects && field.type() instanceof DataType.Utf8;
      NullHandling.InObjects nulls = NullHandling.inObjects(policy, takesText);
      boolean isLate = output != OutputFormat.ARRAY && field.type() instanceof DataType.Utf8;
      columns.add(new ObjectPlan(field, objectCount++, nulls, values.most(), isLate));
    } else if (form.isPresent()) {
      addTensor(field, form.get(), policy, forms.encoding(field));
    } else {
      addRagged(field, element.orElseThrow(), elementDtype.orElseThrow(), policy, values);
    }
  }

  private void addArrow(Field field, NullHandling.InVector nulls, ValuesPerRow values) {
    DataType type = field.type();
    if (offHeap && hasVariant(type)) { // a module's form refuses them by itself
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot deliver column '%s' of type %s to another process: cast it to"
                  + " string, or a field of it to the field's type, or leave it out.",
              field.name(), type));
    }
    boolean inParts = type.isVariableWidth() || type.isNested();
    long bitBytes = BitCopy.bytes(batchSize);
    long valueBytes =
        type instanceof DataType.Bool
            ? bitBytes
            : Math.multiplyExact((long) batchSize, ArrowPart.width(type));
    long validityOffset = inParts ? -1 : reserve(bitBytes);
    long valuesOffset = inParts ? -1 : reserve(valueBytes);
    columns.add(
        new ArrowPlan(field, arrowCount++, nulls, validityOffset, valuesOffset, values.most()));
  }

  private static boolean hasVariant(DataType type) {
    return switch (type) {
      case DataType.Variant _ -> true;
      case DataType.List(DataType element, boolean _) -> hasVariant(element);
      case DataType.Map map -> hasVariant(map.entry());
      case DataType.Struct(List<Field> fields) ->
          fields.stream().anyMatch(part -> hasVariant(part.type()));
      default -> false;
    };
  }

  private void addTensor(Field field, TensorForm form, NullPolicy policy, StringEncoding encoding) {
    NullHandling.InTensor nulls =
        NullHandling.inTensor(policy, form.elements(field), form.dtype(), encoding);
    long offset = reserve((long) batchSize * form.dtype().bytes());
    long maskOffset = nulls.isMasked() ? reserve(batchSize) : -1;
    columns.add(new TensorPlan(field, form, offset, nulls, maskOffset));
  }

  private void addRagged(
      Field field, Field element, DType dtype, NullPolicy policy, ValuesPerRow values) {
    NullHandling.InTensor elements = NullHandling.inTensor(policy, element, dtype);
    NullHandling.InLists lists = NullHandling.inLists(policy, field, output == OutputFormat.ARRAY);
    long maskOffset =
        switch (lists) {
          case NullHandling.Refuse _ -> -1;
          case NullHandling.Keep _, NullHandling.Mask _ -> reserve(batchSize);
        };
    RaggedNulls nulls = new RaggedNulls(elements, lists, maskOffset);
    RaggedPlan plan =
        new RaggedPlan(field, dtype, raggedCount++, nulls, RaggedRoom.NONE, values.most());
    columns.add(withRoom(plan, values.uniform()));
  }

  /// Reserves room for lists of one length, if a length is expected and the room is not too large.
  private RaggedPlan withRoom(RaggedPlan plan, int length) {
    double about = (double) batchSize * length * (plan.dtype().bytes() + 1);
    if (length == 0 || about > ROOM_BYTES_MAX) {
      return plan;
    }
    long bytes = RaggedPart.bytes(plan, batchSize, (long) batchSize * length);
    if (roomBytes + bytes > ROOM_BYTES_MAX) {
      return plan;
    }
    roomBytes += bytes;
    return plan.withRoom(new RaggedRoom(length, reserve(bytes)));
  }

  private void addMatrix(String name, List<String> names, ColumnForms forms) {
    if (output == OutputFormat.ARROW) {
      throw Advice.argumentError(
          "Cannot make feature matrix '%s' under %s, which has columns only. Leave %s out, or"
              + " use %s.",
          name, Remedy.output("ARROW"), Remedy.call("features"), Remedy.output("TENSOR"));
    }
    List<Field> fields = new ArrayList<>();
    List<NullHandling.InTensor> nulls = new ArrayList<>();
    for (String column : names) {
      Field field = schema.find(column).orElse(null);
      if (field == null) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Cannot put column '%s' into feature matrix '%s': no such column in the"
                    + " dataset. %s",
                column, name, Choices.listed("Columns", column, schema.names())));
      }
      if (!isNumeric(field.type())) {
        throw Advice.argumentError(
            "Cannot put column '%s' of type %s into feature matrix '%s': only numeric and boolean"
                + " columns fit. Leave it out of the matrix, and it comes as a column of its own%s.",
            column, field.type(), name, ofItsOwn(field.type()));
      }
      fields.add(field);
      // The column's own policy, else the matrix's, else the policy for all columns.
      String decides = forms.nulls().byName().containsKey(column) ? column : name;
      nulls.add(NullHandling.inMatrix(forms.nulls().forColumn(decides), field));
    }
    long offset = reserve(Math.multiplyExact((long) batchSize * 4, fields.size()));
    columns.add(new MatrixPlan(name, fields, offset, nulls));
  }

  /// Returns how a column that is in no matrix has numbers.
  private static Advice ofItsOwn(DataType type) {
    return switch (type) {
      case DataType.Utf8 _ ->
          Advice.of(
              ", of numbers with %s",
              Remedy.of("strings", "COLUMN=codes", "StringEncoding.codes()"));
      case DataType.Date _, DataType.Timestamp _ ->
          Advice.text(", which counts the time since 1970");
      default -> Advice.text("");
    };
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
      for (String name : deliveredNames(column)) {
        if (!names.add(name)) {
          throw new IllegalArgumentException(
              "Cannot make a batch with two columns named '"
                  + name
                  + "'. Leave one of them out, or rename the matrix.");
        }
      }
    }
  }

  private static List<String> deliveredNames(ColumnPlan column) {
    List<String> names = new ArrayList<>(List.of(column.name()));
    if (column instanceof TensorPlan plan && plan.nulls().isMasked()) {
      names.add(maskName(plan));
    }
    if (column instanceof RaggedPlan plan) {
      if (plan.nulls().lists().isMasked()) {
        names.add(maskName(plan));
      }
      if (plan.nulls().elements().isMasked()) {
        names.add(elementMaskName(plan));
      }
    }
    return names;
  }

  private long reserve(long bytes) {
    long offset = slabBytes;
    slabBytes = Math.ceilDiv(Math.addExact(offset, bytes), ALIGNMENT) * ALIGNMENT;
    return offset;
  }

  /// Returns the columns of tensors of shape `[rows]` in which a null may come but has no place.
  public List<Field> refusingNulls() {
    List<Field> refusing = new ArrayList<>();
    for (ColumnPlan column : columns) {
      if (column instanceof TensorPlan plan
          && plan.nulls() instanceof NullHandling.Refuse
          && plan.field().nullable()) {
        refusing.add(plan.field());
      }
    }
    return refusing;
  }

  static String maskName(ColumnPlan column) {
    return column.name() + ".mask";
  }

  static String elementMaskName(RaggedPlan column) {
    return column.name() + ".element.mask";
  }

  public long slabBytes() {
    return slabBytes;
  }

  public int columnsInParts() {
    long placed =
        columns.stream().filter(c -> c instanceof ArrowPlan arrow && arrow.isPlaced()).count();
    return raggedCount + arrowCount - (int) placed;
  }

  /// Returns the most rows of a batch, at least 1.
  public int batchSize() {
    return batchSize;
  }

  boolean isFromModule() {
    return !offHeap && BatchForms.isFromModule(output);
  }

  public List<ColumnPlan> columns() {
    return columns;
  }

  int objectCount() {
    return objectCount;
  }

  /// Returns whether batches hold objects on the heap, whose size is known only once they are made.
  public boolean holdsObjects() {
    return objectCount > 0 || output == OutputFormat.ARRAY || output == OutputFormat.MAP;
  }

  int raggedCount() {
    return raggedCount;
  }

  int arrowCount() {
    return arrowCount;
  }

  public long batchBytes() {
    double rowBytes = 0;
    for (ColumnPlan column : columns) {
      rowBytes +=
          switch (column) {
            case ObjectPlan plan -> OBJECT_BYTES * (double) plan.values();
            case RaggedPlan plan when plan.room().length() == 0 ->
                (double) plan.values() * plan.dtype().bytes();
            case ArrowPlan plan when !plan.isPlaced() -> PART_BYTES * (double) plan.values();
            case RaggedPlan _, TensorPlan _, MatrixPlan _, ArrowPlan _ -> 0;
          };
    }
    return (long) (slabBytes + rowBytes * batchSize);
  }

  @Override
  public String toString() {
    Map<String, String> shown = new LinkedHashMap<>();
    for (ColumnPlan column : columns) {
      shown.put(
          column.name(),
          switch (column) {
            case TensorPlan plan -> plan.dtype().toString();
            case ObjectPlan plan -> "list of " + plan.field().type();
            case RaggedPlan plan -> "ragged " + plan.dtype();
            case ArrowPlan plan -> "vector of " + plan.field().type();
            case MatrixPlan plan -> "FLOAT32 " + Arrays.asList(plan.fields().size());
          });
    }
    return shown.toString();
  }
}
