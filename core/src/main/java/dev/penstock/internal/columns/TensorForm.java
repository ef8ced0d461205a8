package dev.penstock.internal.columns;

import dev.penstock.batch.DType;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/// How the values of a column become the elements of a tensor; each worker has its own writer.
record TensorForm(DataType type, DType dtype, Supplier<ElementWriter> writer) {
  private static final DataType INT64 = new DataType.Int(64, true);
  private static final DataType INT32 = new DataType.Int(32, true);
  private static final DataType FLOAT64 = new DataType.Floating(64);

  /// Returns the form of a column, of forms with all vocabularies found; empty for columns that do
  /// not become a tensor of one element per row.
  static Optional<TensorForm> of(Field field, ColumnForms forms) {
    return switch (field.type()) {
      case DataType.Date _, DataType.Timestamp _ ->
          Optional.of(instants(field.type(), forms.timestamps().forColumn(field.name())));
      case DataType.Decimal decimal ->
          switch (forms.decimals().forColumn(field.name())) {
            case OBJECT -> Optional.empty();
            case FLOAT64 -> Optional.of(new TensorForm(FLOAT64, () -> new DecimalDoubles(decimal)));
            case UNSCALED -> Optional.of(new TensorForm(INT64, () -> new DecimalLongs(decimal)));
          };
      case DataType.Utf8 _ -> strings(forms.encoding(field));
      default -> stored(field.type());
    };
  }

  private static Optional<TensorForm> strings(StringEncoding encoding) {
    return switch (encoding) {
      case StringEncoding.Listed _ -> Optional.empty();
      case StringEncoding.Codes codes -> {
        Vocabulary vocabulary = codes.vocabulary().orElseThrow();
        TextCoder coder = TextCoder.places(vocabulary);
        String missing = "which the vocabulary of " + vocabulary.size() + " texts does not have";
        yield Optional.of(
            new TensorForm(INT32, () -> new TextCodeWriter(coder, codes.unknown(), missing)));
      }
      case StringEncoding.Hash(int buckets) -> {
        TextCoder coder = TextCoder.buckets(buckets);
        yield Optional.of(
            new TensorForm(INT32, () -> new TextCodeWriter(coder, OptionalInt.empty(), "")));
      }
    };
  }

  /// Returns the codes of a column of strings as a column of their own, under the column's name.
  static Field codes(Field field) {
    return new Field(field.name(), INT32, field.nullable());
  }

  private TensorForm(DataType type, Supplier<ElementWriter> writer) {
    this(type, ColumnPlan.dtype(type).orElseThrow(), writer);
  }

  private static TensorForm instants(DataType type, EpochUnit unit) {
    return unit == EpochUnit.STORED
        ? stored(type).orElseThrow()
        : new TensorForm(INT64, () -> new TimeCounts(type, unit));
  }

  private static Optional<TensorForm> stored(DataType type) {
    return ColumnPlan.dtype(type).map(dtype -> new TensorForm(type, dtype, () -> copier(dtype)));
  }

  private static ElementWriter copier(DType dtype) {
    return (slice, from, count, elements, to) ->
        TensorTarget.copy(slice, dtype, from, count, elements, to);
  }

  /// Returns the elements as a column of their own, under the column's name.
  Field elements(Field field) {
    return new Field(field.name(), type, field.nullable());
  }
}
