package dev.penstock.batch;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes a [Batch] from rows by the rules of torch's `default_collate`. The first row decides the
/// form; a value that differs is refused with its row and column.
///
/// The kind of row decides which columns there are:
///
/// | Row | Columns |
/// |---|---|
/// | record | one for each component |
/// | instance of a Kotlin data class or a Scala case class | one for each property of its constructor, in order |
/// | `Map` | one for each key of the first row; all rows have the same keys |
/// | `List`, array of objects | "0", "1", ...; all rows have one length |
/// | anything else | "value" |
///
/// Parts that are such rows themselves give dotted names: "0.label". All other values give a
/// column:
///
/// | Value | Column |
/// |---|---|
/// | `Double`, `Float`, `Long`, `Integer`, `Short`, `Byte`, `Boolean` | tensor `[rows]` of that type: `FLOAT64`, `FLOAT32`, `INT64`, `INT32`, `INT16`, `INT8`, `BOOL` |
/// | [Tensor], array of primitives, also of several dimensions | tensor `[rows, ...]`; all have one shape. Types that differ are promoted as torch does: `FLOAT32` and `FLOAT64` give `FLOAT64` |
/// | `String`, `byte[]` | list |
///
/// Nulls and everything else are refused. No value is changed: a number that the column's type
/// cannot hold exactly is refused, unless [#dtype] asks for the type.
///
/// [RowColumns], such as the rows of a [dev.penstock.data.TensorDataset], are not read one by one,
/// unless something is chosen for a column.
///
/// Components of records and properties of Kotlin data classes are read by reflection: a class of a
/// named module that is not public and exported must be in a package that the module opens. A
/// property whose type is a value class of Kotlin's, such as `UInt`, is refused. Case classes need
/// Scala 2.13 or newer.
///
/// Immutable: every choice returns another collator.
///
/// **Threads.** Safe for any.
///
/// @param <T> what a row is
public final class StandardCollator<T> implements Collator<T, Batch> {
  private final @Nullable SequenceForm sequences;
  private final Map<String, SequenceForm> forms;
  private final Map<String, DType> dtypes;

  private StandardCollator(
      @Nullable SequenceForm sequences,
      Map<String, SequenceForm> forms,
      Map<String, DType> dtypes) {
    this.sequences = sequences;
    this.forms = forms;
    this.dtypes = dtypes;
  }

  static <T> StandardCollator<T> standard() {
    return new StandardCollator<>(null, Map.of(), Map.of());
  }

  static <T> StandardCollator<T> sequences(SequenceForm form) {
    return new StandardCollator<>(form, Map.of(), Map.of());
  }

  /// {@return a collator that pads the lists or arrays of numbers of a column to the longest of the
  /// batch}
  ///
  /// @param column the column; it becomes a tensor of shape `[rows, longest]`
  /// @param value the padding after shorter lists; must fit the column's type
  public StandardCollator<T> pad(String column, Number value) {
    return with(
        column,
        new SequenceForm.Padded(Objects.requireNonNull(value, "value must not be null."), null));
  }

  /// {@return a collator that pads the lists or arrays of numbers of a column to the longest of the
  /// batch, and adds their lengths}
  ///
  /// @param column the column; it becomes a tensor of shape `[rows, longest]`
  /// @param value the padding after shorter lists; must fit the column's type
  /// @param lengths the name of a further column, a tensor of `INT64` and shape `[rows]`
  public StandardCollator<T> pad(String column, Number value, String lengths) {
    return with(
        column,
        new SequenceForm.Padded(
            Objects.requireNonNull(value, "value must not be null."),
            Objects.requireNonNull(lengths, "lengths must not be null.")));
  }

  /// {@return a collator that keeps the lists or arrays of numbers of a column as they are, each
  /// with its own length}
  ///
  /// @param column the column; it becomes a [RaggedTensor]
  public StandardCollator<T> ragged(String column) {
    return with(column, new SequenceForm.Ragged());
  }

  /// {@return a collator that keeps the values of a column as they are, of any kind, nulls
  /// included}
  ///
  /// @param column the column; it becomes a list
  public StandardCollator<T> list(String column) {
    return with(column, new SequenceForm.Listed());
  }

  private StandardCollator<T> with(String column, SequenceForm form) {
    Map<String, SequenceForm> all = new HashMap<>(forms);
    all.put(column, form);
    return new StandardCollator<>(sequences, Map.copyOf(all), dtypes);
  }

  /// {@return a collator with a type for a column of numbers; otherwise the first row decides it}
  /// Numbers are rounded to a floating type; an integer type must hold them exactly. Booleans count
  /// as 0 and 1, and the elements of a `byte[]` as numbers.
  ///
  /// @param column the column
  /// @param dtype its type
  public StandardCollator<T> dtype(String column, DType dtype) {
    Map<String, DType> all = new HashMap<>(dtypes);
    all.put(column, dtype);
    return new StandardCollator<>(sequences, forms, Map.copyOf(all));
  }

  /// Makes a batch.
  ///
  /// @throws IllegalArgumentException if a row differs in kind from the first one, or has a value
  ///   that cannot be collated
  @Override
  public Batch collate(List<T> rows, BatchBuilder batch) {
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("Cannot make a batch of rows: there are none.");
    }
    boolean plain = sequences == null && forms.isEmpty() && dtypes.isEmpty();
    if (plain && rows instanceof RowColumns columns) {
      columns.addTo(batch);
    } else {
      Collation collation = new Collation(batch, sequences, forms, dtypes);
      collation.add("", rows.toArray());
      collation.requireAllChosenUsed();
    }
    return batch.build(rows.size());
  }
}
