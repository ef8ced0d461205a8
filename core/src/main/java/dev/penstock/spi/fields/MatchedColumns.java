package dev.penstock.spi.fields;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// The columns of a file under the names that they have in the table.
///
/// @param counted columns computed from the place of a row
/// @param schema all of them
record MatchedColumns(
    List<StoredField> stored, List<Match> columns, List<CountedColumn> counted, Schema schema) {
  /// {@return the columns on the path to a column or a part of a struct, the wanted one last, found
  /// as [Schema#find] does; empty if there is none}
  Optional<List<Match>> find(String path) {
    return find(columns, path);
  }

  private static Optional<List<Match>> find(List<Match> columns, String path) {
    for (Match column : columns) {
      if (column.field().name().equals(path)) {
        return Optional.of(List.of(column));
      }
    }
    for (Match column : columns) {
      String start = column.field().name() + ".";
      if (column.field().type() instanceof DataType.Struct && path.startsWith(start)) {
        Optional<List<Match>> rest = find(column.parts(), path.substring(start.length()));
        if (rest.isPresent()) {
          List<Match> way = new ArrayList<>();
          way.add(column);
          way.addAll(rest.get());
          return Optional.of(way);
        }
      }
    }
    return Optional.empty();
  }

  /// Returns the column of a name that is computed.
  Optional<CountedColumn> counted(String name) {
    return counted.stream().filter(column -> column.name().equals(name)).findFirst();
  }

  /// {@return the index of the last column on a path that exists in the file, so that its format
  /// knows the path}
  static int depth(List<Match> way) {
    int depth = 0;
    while (depth + 1 < way.size() && way.get(depth + 1).stored() != null) {
      depth++;
    }
    return depth;
  }

  /// Returns the last column on a path that the file has.
  static StoredField readable(List<Match> way) {
    return Objects.requireNonNull(way.get(depth(way)).stored());
  }
}
