package dev.penstock.report.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Items as a report has them: a list for each of their fields.
///
/// @param <T> what all fields are
final class Columns<T> {
  private final Map<String, List<T>> columns = new LinkedHashMap<>();

  Columns(String... names) {
    for (String name : names) {
      columns.put(name, new ArrayList<>());
    }
  }

  void add(String name, T value) {
    of(name).add(value);
  }

  List<T> of(String name) {
    return Objects.requireNonNull(columns.get(name), name);
  }

  /// How many items there are.
  int size() {
    return columns.values().iterator().next().size();
  }

  Map<String, Object> data() {
    return new LinkedHashMap<>(columns);
  }
}
