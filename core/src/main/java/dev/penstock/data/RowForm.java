package dev.penstock.data;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/// How a row holds its parts: as a list, by index, or as a map, by name.
///
/// @param names the parts' names, in order; of a list "0", "1" and so on, as a collator names them
/// @param row makes a row from its parts
record RowForm<R>(List<String> names, Function<Object[], R> row) {
  /// Rows that are unmodifiable lists of a number of parts.
  @SuppressWarnings("unchecked") // The caller supplies parts of this type.
  static <V> RowForm<List<V>> list(int parts) {
    List<String> names = IntStream.range(0, parts).mapToObj(Integer::toString).toList();
    return new RowForm<>(
        names, values -> (List<V>) Collections.unmodifiableList(Arrays.asList(values)));
  }

  /// Rows that are unmodifiable maps of the parts, in order.
  static <V> RowForm<Map<String, V>> map(Iterable<String> partNames) {
    List<String> names = new java.util.ArrayList<>();
    partNames.forEach(names::add);
    return new RowForm<>(
        List.copyOf(names), values -> Collections.unmodifiableMap(named(names, values)));
  }

  @SuppressWarnings("unchecked") // The caller supplies parts of this type.
  private static <V> Map<String, V> named(List<String> names, Object[] values) {
    Map<String, V> row = LinkedHashMap.newLinkedHashMap(values.length);
    for (int part = 0; part < values.length; part++) {
      row.put(names.get(part), (V) values[part]);
    }
    return row;
  }
}
