package dev.penstock.batch;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// A choice for all columns, with exceptions for some of them. Immutable.
///
/// @param <T> what is chosen
/// @param all the choice for columns without their own
/// @param byName column, or feature matrix, to its own choice, in insertion order
public record PerColumn<T>(T all, Map<String, T> byName) {
  /// Copies the choices.
  public PerColumn {
    Objects.requireNonNull(all);
    byName.values().forEach(Objects::requireNonNull);
    byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
  }

  /// {@return one choice for all columns}
  ///
  /// @param <T> what is chosen
  /// @param all the choice
  public static <T> PerColumn<T> of(T all) {
    return new PerColumn<>(all, Map.of());
  }

  /// {@return the choices with another one for columns without their own}
  ///
  /// @param choice the choice
  public PerColumn<T> withAll(T choice) {
    return new PerColumn<>(choice, byName);
  }

  /// {@return the choices with another one for a column}
  ///
  /// @param name the column
  /// @param choice the choice
  public PerColumn<T> with(String name, T choice) {
    Map<String, T> changed = new LinkedHashMap<>(byName);
    changed.put(name, choice);
    return new PerColumn<>(all, changed);
  }

  /// {@return the choice for a column: its own, or the one for all}
  ///
  /// @param name the column
  public T forColumn(String name) {
    return byName.getOrDefault(name, all);
  }
}
