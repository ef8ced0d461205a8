package dev.penstock.blackbox;

import dev.penstock.BatchIterator;
import dev.penstock.DataLoader;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.Tensor;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// What an epoch delivered, read from its batches in any form and turned into [Values].
///
/// Numeric columns show their nulls only under `NullPolicy.mask()`, or as lists.
///
/// @param batches by batch, its rows
/// @param bits by batch, a digest of the bits of all its columns
record Delivery(List<List<List<Object>>> batches, List<Integer> bits) {
  /// Receives the next epoch of a loader, batch by batch, closing each.
  static Delivery ofEpoch(DataLoader loader) {
    try (BatchIterator epoch = loader.iterator()) {
      return of(epoch, loader);
    }
  }

  /// Receives the rest of an epoch.
  static Delivery of(BatchIterator epoch, DataLoader loader) {
    Delivery delivery = new Delivery(new ArrayList<>(), new ArrayList<>());
    Schema schema = loader.dataset().schema();
    while (epoch.hasNext()) {
      try (Batch batch = epoch.next()) {
        delivery.batches.add(rows(batch, schema, loader.options().output()));
        delivery.bits.add(bits(batch, loader.options().output()));
      }
    }
    return delivery;
  }

  List<List<Object>> rows() {
    return batches.stream().flatMap(List::stream).toList();
  }

  List<Integer> batchRows() {
    return batches.stream().map(List::size).toList();
  }

  /// Returns the first column of all rows: the ids of [Table#counting].
  List<Long> ids() {
    return rows().stream().map(row -> (Long) row.getFirst()).toList();
  }

  static List<List<Object>> rows(Batch batch, Schema schema, OutputFormat output) {
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

  private static Object comparable(Object value) {
    return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value;
  }

  private static Object value(Batch batch, Field field, int row, OutputFormat output) {
    String name = field.name();
    String mask = name + ".mask";
    return switch (output) {
      case MAP -> batch.list(name).get(row);
      case TENSOR -> {
        if (!Values.isPrimitive(field.type())) {
          yield batch.list(name).get(row);
        }
        boolean present = !batch.names().contains(mask) || batch.tensor(mask).getBoolean(row);
        yield present ? element(field.type(), batch.tensor(name), row) : null;
      }
      case ARRAY -> {
        Object array = batch.array(name, Object.class);
        if (!Values.isPrimitive(field.type())) {
          yield Array.get(array, row);
        }
        boolean present = !batch.names().contains(mask) || batch.array(mask, boolean[].class)[row];
        yield present ? element(field.type(), Array.get(array, row)) : null;
      }
    };
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

  private static int bits(Batch batch, OutputFormat output) {
    int digest = batch.rowCount();
    for (String name : batch.names()) {
      digest = 31 * digest + name.hashCode();
      Object column =
          output == OutputFormat.ARRAY ? batch.array(name, Object.class) : column(batch, name);
      digest = 31 * digest + hash(column);
    }
    return digest;
  }

  private static Object column(Batch batch, String name) {
    try {
      return batch.tensor(name).memory().toArray(ValueLayout.JAVA_BYTE);
    } catch (java.util.NoSuchElementException _) {
      return batch.list(name).toArray();
    }
  }

  private static int hash(Object array) {
    return Arrays.deepHashCode(new Object[] {array});
  }
}
