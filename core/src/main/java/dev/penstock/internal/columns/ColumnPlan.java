package dev.penstock.internal.columns;

import dev.penstock.batch.DType;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.util.List;
import java.util.Optional;

/// How one column of a batch is made from columns of the files, and where it lies in a batch's
/// slab.
///
/// Offsets are in bytes from the start of the slab. Objects lie in an array on the heap instead. A
/// ragged column lies in its own memory if its lists do not have the expected length, and so does
/// an Arrow column if its values have no fixed width.
public sealed interface ColumnPlan {
  String name();

  /// A column that is one of the files' columns.
  sealed interface OfField extends ColumnPlan {
    Field field();

    @Override
    default String name() {
      return field().name();
    }
  }

  /// A column that becomes a tensor of shape `[rows]`.
  ///
  /// @param maskOffset where the mask starts, or -1 when there is none
  record TensorPlan(
      Field field, TensorForm form, long offset, NullHandling.InTensor nulls, long maskOffset)
      implements OfField {
    DType dtype() {
      return form.dtype();
    }
  }

  /// A column that becomes a list of objects.
  ///
  /// @param index its place among the columns of objects
  /// @param values about how many values a row has, at least 1
  /// @param isLate whether they are strings that are made when they are read
  record ObjectPlan(
      Field field, int index, NullHandling.InObjects nulls, int values, boolean isLate)
      implements OfField {}

  /// A list of numbers, booleans, dates or times that becomes a ragged tensor.
  ///
  /// @param index its place among the ragged columns
  /// @param values about how many elements a row has, at least 1
  record RaggedPlan(
      Field field, DType dtype, int index, RaggedNulls nulls, RaggedRoom room, int values)
      implements OfField {
    RaggedPlan withRoom(RaggedRoom made) {
      return new RaggedPlan(field, dtype, index, nulls, made, values);
    }

    /// Returns the elements as a column of their own, under the column's name.
    Field element() {
      return elements(field).orElseThrow();
    }
  }

  /// How the nulls of a ragged column are handled.
  ///
  /// @param maskOffset where the mask of lists starts in the slab; -1 when a null list is an error
  record RaggedNulls(NullHandling.InTensor elements, NullHandling.InLists lists, long maskOffset) {}

  /// Room in the slab for a [RaggedPart] of lists that all have one length.
  ///
  /// @param length 0 when no length is expected
  /// @param offset -1 when no length is expected
  record RaggedRoom(int length, long offset) {
    static final RaggedRoom NONE = new RaggedRoom(0, -1);
  }

  /// A column that stays in Arrow's layout. The offsets are -1 when it comes in parts.
  ///
  /// @param index its place among these columns
  /// @param values about how many values a row has, at least 1
  record ArrowPlan(
      Field field,
      int index,
      NullHandling.InVector nulls,
      long validityOffset,
      long valuesOffset,
      int values)
      implements OfField {
    /// Returns whether rows have a fixed place in the slab.
    boolean isPlaced() {
      return validityOffset >= 0;
    }
  }

  /// Returns the elements of a list column as a column under its name; empty for other types.
  static Optional<Field> elements(Field field) {
    return field.type() instanceof DataType.List(DataType element, boolean nullable)
        ? Optional.of(new Field(field.name(), element, nullable))
        : Optional.empty();
  }

  /// Numeric columns, in order, that become one `FLOAT32` matrix of shape `[rows, fields.size()]`.
  record MatrixPlan(String name, List<Field> fields, long offset, List<NullHandling.InTensor> nulls)
      implements ColumnPlan {}

  /// Returns the tensor type that holds a column exactly; empty for columns that become lists.
  static Optional<DType> dtype(DataType type) {
    return switch (type) {
      case DataType.Bool _ -> Optional.of(DType.BOOL);
      case DataType.Int(int bits, boolean signed) ->
          Optional.of(DType.valueOf((signed ? "INT" : "UINT") + bits));
      case DataType.Floating(int bits) -> Optional.of(DType.valueOf("FLOAT" + bits));
      case DataType.Date _ -> Optional.of(DType.INT32);
      case DataType.Time _ -> Optional.of(type.byteWidth() == 4 ? DType.INT32 : DType.INT64);
      case DataType.Timestamp _ -> Optional.of(DType.INT64);
      case DataType.Decimal _,
          DataType.Utf8 _,
          DataType.Binary _,
          DataType.FixedBinary _,
          DataType.Uuid _,
          DataType.Interval _,
          DataType.List _,
          DataType.Struct _,
          DataType.Map _,
          DataType.Variant _,
          DataType.Null _,
          DataType.Unsupported _ ->
          Optional.empty();
    };
  }
}
