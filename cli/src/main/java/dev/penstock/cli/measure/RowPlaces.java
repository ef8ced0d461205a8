package dev.penstock.cli.measure;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.split.DataFileInfo;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Transform;
import dev.penstock.transform.TransformContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Replaces the only column of a dataset by the places of its rows in the files, and optionally by
/// the column's values as labels.
///
/// A place is the number of rows in earlier files, in path order, plus the row's number in its
/// file. With a filter, the rows of a block are counted as if dropped rows were at its end: places
/// are then not row numbers, but still distinct and in the same order.
///
/// **Threads.** Many at once.
final class RowPlaces implements Transform {
  /// The `INT64` column of places.
  static final String PLACE = "place";

  /// The `INT32` column of labels: each value has a number, including null.
  static final String LABEL = "label";

  /// The maximum number of labels.
  static final int LABELS_MAX = 1000;

  private static final Object NULL = new Object();

  private final boolean hasLabels;
  private final Map<String, Long> rowsBefore = new HashMap<>();
  private final Map<Object, Integer> labels = new ConcurrentHashMap<>();

  /// Makes the transform.
  ///
  /// @param files all files in path order
  /// @param hasLabels whether to give the labels
  RowPlaces(List<DataFileInfo> files, boolean hasLabels) {
    this.hasLabels = hasLabels;
    long rows = 0;
    for (DataFileInfo file : files) {
      rowsBefore.put(file.location().text(), rows);
      rows += file.rows();
    }
  }

  /// Fails if a column's type cannot be that of labels.
  ///
  /// @throws IllegalArgumentException if so
  static void requireLabels(Field field) {
    switch (field.type()) {
      case DataType.Utf8 _, DataType.Int _, DataType.Bool _ -> {}
      default ->
          throw new IllegalArgumentException(
              "Cannot use column '"
                  + field.name()
                  + "' as label: it is of type "
                  + field.type()
                  + ", but labels are strings, integers or booleans.");
    }
  }

  @Override
  public ColumnBlock apply(ColumnBlock block, TransformContext context) {
    Field column = block.schema().fields().getFirst();
    ColumnBlock made = hasLabels ? block.with(LABEL, labels(block, column)) : block;
    made = made.with(PLACE, places(block.rowCount(), context));
    boolean isReplaced = column.name().equals(PLACE) || (hasLabels && column.name().equals(LABEL));
    return isReplaced ? made : made.without(column.name());
  }

  private long[] places(int rows, TransformContext context) {
    Optional<String> file = context.file();
    long first =
        file.isEmpty()
            ? 0
            : Objects.requireNonNull(rowsBefore.get(file.get())) + context.firstRow();
    long[] places = new long[rows];
    for (int row = 0; row < rows; row++) {
      places[row] = first + row;
    }
    return places;
  }

  private int[] labels(ColumnBlock block, Field column) {
    int[] numbers = new int[block.rowCount()];
    if (column.type() instanceof DataType.Utf8) {
      String[] texts = block.strings(column.name());
      for (int row = 0; row < numbers.length; row++) {
        numbers[row] = number(texts[row]);
      }
      return numbers;
    }
    boolean[] present = block.present(column.name());
    if (column.type() instanceof DataType.Bool) {
      boolean[] values = block.booleans(column.name());
      for (int row = 0; row < numbers.length; row++) {
        numbers[row] = number(present[row] ? values[row] : null);
      }
      return numbers;
    }
    long[] values = block.longs(column.name());
    for (int row = 0; row < numbers.length; row++) {
      numbers[row] = number(present[row] ? values[row] : null);
    }
    return numbers;
  }

  /// Returns the number of a label.
  ///
  /// @return a number in `[0, LABELS_MAX)`; `LABELS_MAX` if there are too many labels
  private int number(@Nullable Object label) {
    Object key = label == null ? NULL : label;
    Integer known = labels.get(key);
    return known == null ? newNumber(key) : known;
  }

  private synchronized int newNumber(Object key) {
    Integer known = labels.get(key); // added by another thread meanwhile
    if (known != null) {
      return known;
    }
    int number = labels.size();
    if (number < LABELS_MAX) {
      labels.put(key, number);
    }
    return number;
  }
}
