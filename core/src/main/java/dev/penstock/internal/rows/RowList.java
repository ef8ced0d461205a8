package dev.penstock.internal.rows;

import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.DType;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.NullValueException;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.RowColumns;
import dev.penstock.batch.Shape;
import dev.penstock.batch.StringList;
import dev.penstock.internal.boxing.ObjectMaker;
import dev.penstock.internal.boxing.ObjectMaker.BadValueException;
import dev.penstock.internal.columns.ColumnPlan;
import dev.penstock.internal.columns.NullError;
import dev.penstock.internal.columns.NullHandling;
import dev.penstock.internal.columns.ObjectTarget;
import dev.penstock.internal.columns.TensorNulls;
import dev.penstock.internal.columns.TensorTarget;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.Validity;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/// Rows that were requested together, by columns. Objects are made on the first access to the list,
/// and never if only the columns are used.
///
/// The columns of a batch have a loader's default form.
///
/// **Ownership.** It owns its memory, which is on the heap.
///
/// **Threads.** Safe for any.
final class RowList extends AbstractList<Map<String, @Nullable Object>>
    implements RandomAccess, RowColumns {
  private final Schema schema;
  private final BlockRows places;
  private final long[] numbers;
  private final List<ColumnSlice> columns;
  private volatile @Nullable List<Map<String, @Nullable Object>> objects;

  /// The numbers must not be changed any more.
  RowList(Schema schema, BlockRows places, long[] numbers, List<ColumnSlice> columns) {
    this.schema = schema;
    this.places = places;
    this.numbers = numbers;
    this.columns = columns;
  }

  @Override
  public int size() {
    return numbers.length;
  }

  @Override
  public Map<String, @Nullable Object> get(int index) {
    Objects.checkIndex(index, numbers.length);
    List<Map<String, @Nullable Object>> made = objects;
    if (made == null) {
      made = make(); // Two threads may do this at once; the rows are equal.
      objects = made;
    }
    return made.get(index);
  }

  private List<Map<String, @Nullable Object>> make() {
    RowObjects rows = new RowObjects(schema, columns, places);
    List<Map<String, @Nullable Object>> made = new ArrayList<>(numbers.length);
    try {
      for (int i = 0; i < numbers.length; i++) {
        made.add(rows.row(i, numbers[i]));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
    return made;
  }

  @Override
  public void addTo(BatchBuilder batch) {
    try {
      for (int i = 0; i < columns.size(); i++) {
        add(schema.fields().get(i), columns.get(i), batch);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private void add(Field field, ColumnSlice column, BatchBuilder batch) throws IOException {
    Optional<DType> dtype = ColumnPlan.dtype(field.type());
    if (dtype.isPresent()) {
      MemorySegment to = batch.tensor(field.name(), dtype.get(), Shape.of(numbers.length)).memory();
      TensorTarget.copy(column, dtype.get(), 0, numbers.length, to, 0);
      NullError error = index -> error(field, index, row(index) + " is null and its type");
      nulls(field, dtype.get()).apply(column, 0, numbers.length, to, null, 0, error);
      return;
    }
    Optional<Field> element = ColumnPlan.elements(field);
    Optional<DType> elements = element.map(Field::type).flatMap(ColumnPlan::dtype);
    if (elements.isPresent()) {
      addLists(element.orElseThrow(), column, elements.get(), batch);
    } else {
      batch.list(field.name(), objects(field, column));
    }
  }

  private static TensorNulls nulls(Field field, DType dtype) {
    return new TensorNulls(dtype, NullHandling.inTensor(NullPolicy.nan(), field, dtype));
  }

  private void addLists(Field element, ColumnSlice column, DType dtype, BatchBuilder batch)
      throws IOException {
    MemorySegment validity = column.validity();
    if (validity != null) {
      int row = Validity.nextNull(validity, 0, numbers.length);
      throw error(element, row, row(row) + " is null and a tensor of lists");
    }
    MemorySegment offsets = Objects.requireNonNull(column.offsets());
    long[] lengths = new long[numbers.length];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = (long) end(offsets, i) - end(offsets, i - 1);
    }
    RaggedTensor ragged = batch.ragged(element.name(), dtype, lengths);
    int count = end(offsets, numbers.length - 1);
    MemorySegment to = ragged.values().memory();
    ColumnSlice elements = column.children().getFirst();
    TensorTarget.copy(elements, dtype, 0, count, to, 0);
    nulls(element, dtype)
        .apply(elements, 0, count, to, null, 0, index -> elementError(element, offsets, index));
  }

  /// Returns where the elements of a row end; those of the first row start at 0.
  private static int end(MemorySegment offsets, int row) {
    return row < 0 ? 0 : offsets.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, row + 1);
  }

  private NullValueException elementError(Field element, MemorySegment offsets, int index) {
    int row = 0;
    while (end(offsets, row) <= index) {
      row++;
    }
    int place = index - end(offsets, row - 1);
    return error(element, row, "element " + place + " of " + row(row) + " is null and its type");
  }

  private NullValueException error(Field field, int index, String found) {
    return NullValueException.ofObject(
        field.name(), found, places.file(numbers[index]).text(), row(index));
  }

  private String row(int index) {
    return origin(index).row();
  }

  private RowOrigin origin(int index) {
    return new RowOrigin(places.file(numbers[index]), places.fileRow(numbers[index]));
  }

  private List<?> objects(Field field, ColumnSlice column) throws IOException {
    @Nullable Object[] made = ObjectTarget.newArray(field.type(), numbers.length);
    ObjectMaker.makeAll(column, field.name(), this::origin, made);
    return made instanceof @Nullable String[] strings
        ? new StringList(strings)
        : Collections.unmodifiableList(Arrays.asList(made));
  }

  /// Makes rows as Java objects: maps of column names to objects, as in
  /// [dev.penstock.batch.OutputFormat#MAP].
  ///
  /// **Threads.** One at a time.
  static final class RowObjects {
    private final Schema schema;
    private final List<ObjectMaker> makers = new ArrayList<>();
    private final BlockRows places;

    /// The columns stay valid while rows are made; `places` names a row that cannot be made.
    RowObjects(Schema schema, List<ColumnSlice> columns, BlockRows places) {
      this.schema = schema;
      this.places = places;
      for (int i = 0; i < columns.size(); i++) {
        ObjectMaker maker = ObjectMaker.of(schema.fields().get(i).type());
        maker.bind(columns.get(i));
        makers.add(maker);
      }
    }

    /// Makes an unmodifiable map of the row at a place in the columns, in their order.
    Map<String, @Nullable Object> row(int index, long row) throws IOException {
      Map<String, @Nullable Object> made = LinkedHashMap.newLinkedHashMap(makers.size());
      @Nullable Object[] value = new Object[1];
      for (int i = 0; i < makers.size(); i++) {
        Field field = schema.fields().get(i);
        try {
          makers.get(i).make(index, 1, value, 0);
        } catch (BadValueException e) {
          throw e.in(field.name(), new RowOrigin(places.file(row), places.fileRow(row)));
        }
        made.put(field.name(), value[0]);
      }
      return Collections.unmodifiableMap(made);
    }
  }
}
