package dev.penstock.tck.internal;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.batch.Batch;
import java.lang.reflect.Array;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Rows of batches of Java objects, as [Values][dev.penstock.tck.Values].
public final class Delivered {
  private Delivered() {}

  /// {@return the rows of a loader's next epoch}
  ///
  /// @param loader gives batches of `OutputFormat.MAP`
  /// @param names the columns, in the order of the values of a row
  public static List<List<Object>> rows(DataLoader loader, List<String> names) {
    List<List<Object>> rows = new ArrayList<>();
    try (EpochIterator<Batch> epoch = loader.iterator()) {
      while (epoch.hasNext()) {
        try (Batch batch = epoch.next()) {
          rows.addAll(rows(batch, names));
        }
      }
    }
    return rows;
  }

  /// {@return the rows of a batch}
  ///
  /// @param batch the batch
  /// @param names the columns, in the order of the values of a row
  public static List<List<Object>> rows(Batch batch, List<String> names) {
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < batch.rowCount(); row++) {
      List<@Nullable Object> values = new ArrayList<>();
      for (String name : names) {
        Object column = batch.column(name);
        values.add(
            comparable(column instanceof List<?> list ? list.get(row) : Array.get(column, row)));
      }
      rows.add(values);
    }
    return rows;
  }

  private static @Nullable Object comparable(@Nullable Object value) {
    return switch (value) {
      case byte[] bytes -> HexFormat.of().formatHex(bytes);
      case List<?> list -> list.stream().map(Delivered::comparable).toList();
      case Map<?, ?> struct -> {
        Map<Object, @Nullable Object> comparable = new LinkedHashMap<>();
        struct.forEach((name, part) -> comparable.put(name, comparable(part)));
        yield comparable;
      }
      case Map.Entry<?, ?> entry ->
          new SimpleEntry<>(comparable(entry.getKey()), comparable(entry.getValue()));
      case null, default -> value;
    };
  }

  /// Asserts that rows are those that were expected, in any order.
  ///
  /// @param what what was read
  /// @param found the rows
  /// @param expected the rows that were written
  public static void assertSameRows(
      String what, List<List<Object>> found, List<List<Object>> expected) {
    Map<List<Object>, Integer> left = new HashMap<>();
    expected.forEach(row -> left.merge(row, 1, Integer::sum));
    found.forEach(row -> left.merge(row, -1, Integer::sum));
    left.forEach((row, count) -> {
      if (count != 0) {
        throw new AssertionError(
            "%s: the row %s comes %d times too %s."
                .formatted(what, row, Math.abs(count), count > 0 ? "seldom" : "often"));
      }
    });
  }

  /// Asserts that rows are those that were expected, in their order.
  ///
  /// @param what what was read
  /// @param found the rows
  /// @param expected the rows that were written
  public static void assertRows(
      String what, List<List<Object>> found, List<List<Object>> expected) {
    int both = Math.min(found.size(), expected.size());
    for (int row = 0; row < both; row++) {
      if (!found.get(row).equals(expected.get(row))) {
        throw new AssertionError(
            "%s: row %d of %d is %s, but expected %s."
                .formatted(what, row, found.size(), found.get(row), expected.get(row)));
      }
    }
    if (found.size() != expected.size()) {
      throw new AssertionError(
          "%s: there are %d rows, but expected %d. %s"
              .formatted(
                  what,
                  found.size(),
                  expected.size(),
                  found.size() > both
                      ? "The first too many is " + found.get(both) + "."
                      : "The first that is missing is " + expected.get(both) + "."));
    }
  }
}
