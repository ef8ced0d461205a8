package dev.penstock.batch;

import dev.penstock.internal.choice.Sentence;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Builds one batch: takes rows apart, level by level, until only columns are left.
///
/// Values come as an array with one value for each row, and the path to them: "" for the rows
/// themselves.
final class Collation {
  private final BatchBuilder batch;
  private final @Nullable SequenceForm sequences;
  private final Map<String, SequenceForm> forms;
  private final Map<String, DType> dtypes;
  private final NumberColumns numbers;
  private final Set<String> columns = new LinkedHashSet<>();
  private final Set<String> chosen = new TreeSet<>();

  Collation(
      BatchBuilder batch,
      @Nullable SequenceForm sequences,
      Map<String, SequenceForm> forms,
      Map<String, DType> dtypes) {
    this.batch = batch;
    this.sequences = sequences;
    this.forms = forms;
    this.dtypes = dtypes;
    this.numbers = new NumberColumns(batch);
    chosen.addAll(forms.keySet());
    chosen.addAll(dtypes.keySet());
  }

  /// Adds the columns of the values at a path.
  void add(String path, @Nullable Object[] values) {
    Object first = values[0];
    String name = path.isEmpty() ? "value" : path;
    SequenceForm form = forms.get(name);
    if (form == null && sequences != null && isSequence(first)) {
      form = sequences;
    }
    if (form != null) {
      addFormed(name, values, form);
      return;
    }
    switch (first) {
      case null -> throw refused(path, 0, null);
      case Map<?, ?> map -> addMaps(path, values, map);
      case Record row -> addParts(path, values, row);
      case List<?> _ -> addLists(path, values);
      case String _ -> addStrings(name, values);
      case byte[] _ when !dtypes.containsKey(name) -> addBinaries(name, values);
      case Tensor _ -> numbers.stack(name, values, type(name));
      case Object array when PrimitiveArrays.isOne(array) ->
          numbers.stack(name, values, type(name));
      case Object[] _ -> addLists(path, values);
      case Object number when Elements.typeOf(number) != null ->
          numbers.scalars(name, values, type(name));
      default -> addParts(path, values, first);
    }
  }

  /// Returns the type chosen for a column of numbers, or null.
  private @Nullable DType type(String name) {
    columns.add(name);
    chosen.remove(name);
    return dtypes.get(name);
  }

  private void addFormed(String name, @Nullable Object[] values, SequenceForm form) {
    switch (form) {
      case SequenceForm.Padded padded -> numbers.pad(name, values, type(name), padded);
      case SequenceForm.Ragged _ -> numbers.ragged(name, values, type(name));
      case SequenceForm.Listed _ -> addList(name, Arrays.asList(values));
    }
  }

  private static boolean isSequence(@Nullable Object value) {
    return switch (value) {
      case null -> false;
      case byte[] _ -> false;
      case Tensor tensor -> tensor.shape().rank() == 1;
      case Object[] array when !PrimitiveArrays.isOne(array) -> areNumbers(Arrays.asList(array));
      case List<?> list -> areNumbers(list);
      default -> PrimitiveArrays.isOne(value) && !(value instanceof Object[]);
    };
  }

  private static boolean areNumbers(List<?> values) {
    for (Object value : values) {
      if (value == null || Elements.typeOf(value) == null) {
        return false;
      }
    }
    return true;
  }

  private void addMaps(String path, @Nullable Object[] values, Map<?, ?> first) {
    requireAll(path, values, Map.class, "a map");
    for (Object key : first.keySet()) {
      @Nullable Object[] parts = new @Nullable Object[values.length];
      for (int row = 0; row < values.length; row++) {
        Map<?, ?> map = (Map<?, ?>) Objects.requireNonNull(values[row]);
        parts[row] = map.get(key);
        if (parts[row] == null && !map.containsKey(key)) {
          throw wrong(
              path,
              row,
              "has no key '" + key + "' but row 0 has. Its keys are: " + map.keySet() + ".",
              "Give all rows the same keys.");
        }
      }
      add(child(path, String.valueOf(key)), parts);
    }
    requireNoOtherKeys(path, values, first);
  }

  private static void requireNoOtherKeys(String path, @Nullable Object[] values, Map<?, ?> first) {
    for (int row = 1; row < values.length; row++) {
      for (Object key : ((Map<?, ?>) Objects.requireNonNull(values[row])).keySet()) {
        if (!first.containsKey(key)) {
          throw wrong(
              path,
              row,
              "has key '" + key + "' but row 0 has not. Its keys are: " + first.keySet() + ".",
              "Give all rows the same keys.");
        }
      }
    }
  }

  private void addParts(String path, @Nullable Object[] values, Object first) {
    RowParts all = RowParts.of(first);
    if (all == null) {
      throw refused(path, 0, first);
    }
    requireAll(path, values, first.getClass(), "a " + first.getClass().getSimpleName());
    for (int part = 0; part < all.count(); part++) {
      @Nullable Object[] parts = new @Nullable Object[values.length];
      for (int row = 0; row < values.length; row++) {
        parts[row] = all.get(values[row], part);
      }
      add(child(path, all.name(part)), parts);
    }
  }

  private static void requireAll(
      String path, @Nullable Object[] values, Class<?> type, String expected) {
    for (int row = 0; row < values.length; row++) {
      if (!type.isInstance(values[row])) {
        throw unlike(path, row, values[row], expected);
      }
    }
  }

  private void addLists(String path, @Nullable Object[] values) {
    @Nullable Object[][] rows = new @Nullable Object[values.length][];
    for (int row = 0; row < values.length; row++) {
      rows[row] = elements(path, row, values[row]);
      if (rows[row].length != rows[0].length) {
        throw wrong(
            path,
            row,
            "has " + rows[row].length + " elements but row 0 has " + rows[0].length + ".",
            "Use pad or ragged of Collators for lists of numbers that differ in length.");
      }
    }
    for (int place = 0; place < rows[0].length; place++) {
      @Nullable Object[] parts = new @Nullable Object[values.length];
      for (int row = 0; row < values.length; row++) {
        parts[row] = rows[row][place];
      }
      add(child(path, Integer.toString(place)), parts);
    }
  }

  private static @Nullable Object[] elements(String path, int row, @Nullable Object value) {
    return switch (value) {
      case List<?> list -> list.toArray();
      case Object[] array -> array;
      case null, default -> throw unlike(path, row, value, "a list");
    };
  }

  private void addStrings(String name, @Nullable Object[] values) {
    String[] strings = new String[values.length];
    for (int row = 0; row < values.length; row++) {
      if (!(values[row] instanceof String string)) {
        throw unlike(name, row, values[row], "a String");
      }
      strings[row] = string;
    }
    addList(name, new StringList(strings));
  }

  private void addBinaries(String name, @Nullable Object[] values) {
    requireAll(name, values, byte[].class, "a byte[]");
    addList(name, Arrays.asList(values));
  }

  private void addList(String name, List<?> values) {
    columns.add(name);
    if (!dtypes.containsKey(name)) { // A list has no element type to choose.
      chosen.remove(name);
    }
    batch.list(name, values);
  }

  private static String child(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  /// Checks that every choice names an existing column.
  void requireAllChosenUsed() {
    if (!chosen.isEmpty()) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot collate as chosen for %s: no such columns in the rows, or none of numbers."
                  + " Columns are: %s.",
              chosen, columns));
    }
  }

  private static IllegalArgumentException refused(String path, int row, @Nullable Object value) {
    return wrong(
        path,
        row,
        "is " + named(value) + ".",
        (isScala(value) ? "Make Java's collections of Scala's with asJava. " : "")
            + "Collated are numbers, booleans, strings, tensors, arrays, lists, maps, records, data"
            + " classes and case classes; keep others with list(column), change them in the"
            + " dataset, or write a Collator of your own.");
  }

  private static boolean isScala(@Nullable Object value) {
    return value != null && value.getClass().getName().startsWith("scala.collection.");
  }

  /// Returns the error for a row of another kind than the first row.
  static IllegalArgumentException unlike(
      String path, int row, @Nullable Object value, String expected) {
    return value == null
        ? refused(path, row, null)
        : wrong(
            path,
            row,
            "is " + named(value) + " but row 0 is " + expected + ".",
            "Give all rows one form, keep the column with list(column), or write a Collator of your"
                + " own.");
  }

  /// Returns the error for a row.
  static IllegalArgumentException wrong(String path, int row, String found, String remedy) {
    return new IllegalArgumentException(
        Sentence.of(
            "Cannot batch %s: row %s of the batch %s %s",
            path.isEmpty() ? "the rows" : "column '" + path + "'", row, found, remedy));
  }

  /// Describes a value, for messages.
  static String named(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Number _, Boolean _ -> value + " (" + value.getClass().getSimpleName() + ")";
      default -> "a " + value.getClass().getTypeName();
    };
  }
}
