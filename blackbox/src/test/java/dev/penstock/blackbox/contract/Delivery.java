package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.blackbox.files.Vectors;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Values;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.arrow.vector.FieldVector;

/// What an epoch delivered, read from its batches in any form and turned into [Values].
///
/// Numeric columns show their nulls only under `NullPolicy.mask()`, or as lists.
///
/// @param batches by batch, its rows
/// @param bits by batch, a digest of the bits of all its columns
public record Delivery(List<List<List<Object>>> batches, List<Integer> bits) {
  /// Receives the next epoch of a loader, batch by batch, closing each.
  public static Delivery ofEpoch(DataLoader loader) {
    try (EpochIterator<Batch> epoch = loader.iterator()) {
      return of(epoch, loader);
    }
  }

  /// Receives the rest of an epoch.
  public static Delivery of(EpochIterator<Batch> epoch, DataLoader loader) {
    Delivery delivery = new Delivery(new ArrayList<>(), new ArrayList<>());
    Schema schema = loader.dataset().schema();
    while (epoch.hasNext()) {
      try (Batch batch = epoch.next()) {
        delivery.batches.add(rows(batch, schema, loader.options().columns().output()));
        delivery.bits.add(bits(batch));
      }
    }
    return delivery;
  }

  /// Receives the next epoch of a loader and returns its [#bits] alone: for tables too large to be
  /// compared value by value.
  public static List<Integer> bitsOfEpoch(DataLoader loader) {
    List<Integer> bits = new ArrayList<>();
    try (EpochIterator<Batch> epoch = loader.iterator()) {
      while (epoch.hasNext()) {
        try (Batch batch = epoch.next()) {
          bits.add(bits(batch));
        }
      }
    }
    return bits;
  }

  public List<List<Object>> rows() {
    return batches.stream().flatMap(List::stream).toList();
  }

  public List<Integer> batchRows() {
    return batches.stream().map(List::size).toList();
  }

  /// Returns the first column of all rows: the ids of [Table#counting].
  public List<Long> ids() {
    return rows().stream().map(row -> (Long) row.getFirst()).toList();
  }

  public static List<List<Object>> rows(Batch batch, Schema schema, OutputFormat output) {
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < batch.rowCount(); row++) {
      List<Object> values = new ArrayList<>();
      for (Field field : schema.fields()) {
        if (batch.names().contains(field.name())) {
          values.add(comparable(value(batch, field, row, output)));
        }
      }
      rows.add(values);
    }
    return rows;
  }

  /// Returns a value in the form of [Values].
  static Object comparable(Object value) {
    return switch (value) {
      case byte[] bytes -> HexFormat.of().formatHex(bytes);
      case List<?> list -> {
        assertThatThrownBy(list::clear).isInstanceOf(UnsupportedOperationException.class);
        yield list.stream().map(Delivery::comparable).toList();
      }
      case Map<?, ?> struct -> {
        Map<Object, Object> comparable = new LinkedHashMap<>();
        struct.forEach((name, part) -> comparable.put(name, comparable(part)));
        assertThatThrownBy(struct::clear).isInstanceOf(UnsupportedOperationException.class);
        yield comparable;
      }
      case Map.Entry<?, ?> entry ->
          new SimpleEntry<>(comparable(entry.getKey()), comparable(entry.getValue()));
      case null -> null;
      default -> value;
    };
  }

  private static Object value(Batch batch, Field field, int row, OutputFormat output) {
    String name = field.name();
    if (output == OutputFormat.ARROW) {
      return Vectors.value((FieldVector) batch.column(name), field.type(), row);
    }
    DataType element = elements(field.type()).orElse(null);
    boolean held =
        output == OutputFormat.MAP || (element == null && !Values.isPrimitive(field.type()));
    if (held) {
      Object column = batch.column(name);
      return column instanceof List<?> list ? list.get(row) : Array.get(column, row);
    }
    if (!isPresent(batch, name + ".mask", row)) {
      assertThat(element == null || length(batch.column(name), row) == 0).isTrue();
      return null;
    }
    Object column = batch.column(name);
    return switch (column) {
      case Tensor tensor -> element(field.type(), tensor, row);
      case RaggedTensor _ -> elements(batch, name, element, row);
      case Object[] lists -> elements(batch, name, element, lists[row], row);
      default -> element(field.type(), Array.get(column, row));
    };
  }

  /// Returns the type of the elements where they are held as numbers or booleans.
  private static Optional<DataType> elements(DataType type) {
    return type instanceof DataType.List(DataType element, boolean _) && Values.isPrimitive(element)
        ? Optional.of(element)
        : Optional.empty();
  }

  private static boolean isPresent(Batch batch, String mask, int row) {
    if (!batch.names().contains(mask)) {
      return true;
    }
    return batch.column(mask) instanceof Tensor tensor
        ? tensor.getBoolean(row)
        : batch.array(mask, boolean[].class)[row];
  }

  private static long length(Object lists, int row) {
    return lists instanceof RaggedTensor ragged
        ? ragged.length(row)
        : ((Object[]) lists)[row] == null ? 0 : -1;
  }

  private static List<Object> elements(Batch batch, String name, DataType type, int row) {
    RaggedTensor lists = batch.ragged(name);
    String mask = name + ".element.mask";
    RaggedTensor present = batch.names().contains(mask) ? batch.ragged(mask) : null;
    assertThat(lists.rowCount()).isEqualTo(batch.rowCount());
    List<Object> elements = new ArrayList<>();
    Tensor values = lists.row(row);
    for (int i = 0; i < lists.length(row); i++) {
      boolean there = present == null || present.row(row).getBoolean(i);
      elements.add(there ? element(type, values, i) : null);
    }
    assertThat(present == null || present.length(row) == lists.length(row)).isTrue();
    return Collections.unmodifiableList(elements);
  }

  private static List<Object> elements(
      Batch batch, String name, DataType type, Object list, int row) {
    String mask = name + ".element.mask";
    boolean[] present =
        batch.names().contains(mask) ? batch.array(mask, boolean[][].class)[row] : null;
    List<Object> elements = new ArrayList<>();
    for (int i = 0; i < Array.getLength(list); i++) {
      elements.add(present == null || present[i] ? element(type, Array.get(list, i)) : null);
    }
    return Collections.unmodifiableList(elements);
  }

  private static Object element(DataType type, Tensor tensor, int row) {
    return switch (type) {
      case DataType.Bool _ -> tensor.getBoolean(row);
      case DataType.Floating(int width) when width == 64 -> tensor.getDouble(row);
      case DataType.Floating _ -> tensor.getFloat(row);
      default -> Values.ofLong(type, tensor.getLong(row));
    };
  }

  private static Object element(DataType type, Object value) {
    return switch (type) {
      case DataType.Bool _, DataType.Floating _ -> value;
      default -> Values.ofLong(type, ((Number) value).longValue());
    };
  }

  /// Returns a digest of the bits of all columns.
  public static int bits(Batch batch) {
    int digest = batch.rowCount();
    for (String name : batch.names()) {
      digest = 31 * digest + name.hashCode();
      digest = 31 * digest + hash(bits(batch, name));
    }
    return digest;
  }

  private static Object bits(Batch batch, String name) {
    return switch (batch.column(name)) {
      case Tensor tensor -> bytes(tensor);
      case RaggedTensor lists -> {
        checkBlock(batch, name, lists);
        yield new Object[] {bytes(lists.values()), bytes(lists.offsets())};
      }
      case List<?> list -> list.stream().map(Delivery::comparable).toArray();
      case FieldVector _ -> new Object[0]; // The bits of nulls say nothing.
      case Object[] nested when nested instanceof List<?>[] || nested instanceof Map<?, ?>[] ->
          Arrays.stream(nested).map(Delivery::comparable).toArray();
      case Object array -> array;
    };
  }

  /// Checks that lists come as one block as well exactly when all have one length.
  private static void checkBlock(Batch batch, String name, RaggedTensor lists) {
    long[] lengths = IntStream.range(0, batch.rowCount()).mapToLong(lists::length).toArray();
    boolean uniform = Arrays.stream(lengths).distinct().count() == 1;
    assertThat(lists.isUniform()).isEqualTo(uniform);
    assertThat(lists.values().memory().address() % 64).isZero();
    if (uniform) {
      Tensor block = batch.tensor(name);
      assertThat(block.shape()).isEqualTo(Shape.of(batch.rowCount(), lengths[0]));
      assertThat(block.memory()).isEqualTo(lists.values().memory());
    } else {
      assertThatThrownBy(() -> batch.tensor(name)).isInstanceOf(NoSuchElementException.class);
    }
  }

  private static byte[] bytes(Tensor tensor) {
    return tensor.memory().toArray(ValueLayout.JAVA_BYTE);
  }

  private static int hash(Object array) {
    return Arrays.deepHashCode(new Object[] {array});
  }
}
