package dev.penstock.spi.format;

import dev.penstock.schema.DataType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Helps formats with columns that share a name.
public final class ColumnNames {
  private ColumnNames() {}

  /// {@return the columns in order, with all that share a name replaced by one unreadable column,
  /// because the name is ambiguous} The other columns stay readable.
  ///
  /// @param <C> the format's representation of a column
  /// @param columns the columns of a file
  /// @param name gives a column's name
  /// @param unreadable makes a column unreadable
  public static <C> List<C> distinct(
      List<C> columns,
      Function<C, String> name,
      BiFunction<C, DataType.Unsupported, C> unreadable) {
    Map<String, Integer> counts = new HashMap<>();
    columns.forEach(column -> counts.merge(name.apply(column), 1, Integer::sum));
    if (counts.size() == columns.size()) {
      return columns;
    }
    List<C> distinct = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (C column : columns) {
      int count = counts.getOrDefault(name.apply(column), 1);
      if (count == 1) {
        distinct.add(column);
      } else if (seen.add(name.apply(column))) {
        var type = new DataType.Unsupported("one of " + count + " columns of that name");
        distinct.add(unreadable.apply(column, type));
      }
    }
    return List.copyOf(distinct);
  }
}
