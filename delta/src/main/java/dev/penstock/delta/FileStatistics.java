package dev.penstock.delta;

import dev.penstock.delta.internal.log.JsonText;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ColumnStatistics;
import java.time.DateTimeException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What a log says of the values in a data file. What cannot be understood is left out: a filter
/// then rules out fewer files.
///
/// @param columns the columns of the table
/// @param schema the same in core's form
/// @param stated the `stats` of the file
record FileStatistics(List<DeltaColumn> columns, Schema schema, Map<?, ?> stated) {
  /// Bounds of timestamps are cut to milliseconds.
  private static final long CUT_MICROS = 1_000;

  /// Reads the statistics.
  ///
  /// @param text the `stats` of a file
  static FileStatistics of(List<DeltaColumn> columns, Schema schema, @Nullable String text) {
    return new FileStatistics(columns, schema, text == null ? Map.of() : JsonText.object(text));
  }

  /// Returns what is known of a column.
  ///
  /// @param column its name, or the path of a part of a struct
  ColumnStatistics of(String column) {
    DataType type = schema.find(column).map(field -> field.type()).orElse(null);
    if (type == null || type.isNested()) {
      return ColumnStatistics.UNKNOWN;
    }
    OptionalLong rows = count(stated.get("numRecords"));
    List<String> path = DeltaColumn.storedPath(columns, column);
    OptionalLong nulls = count(find("nullCount", path));
    if (rows.isPresent() && nulls.orElse(0) > rows.getAsLong()) {
      return ColumnStatistics.UNKNOWN;
    }
    boolean areNulls = rows.isPresent() && rows.equals(nulls);
    Bound lower = areNulls ? null : bound(type, find("minValues", path), true);
    Bound upper = areNulls ? null : bound(type, find("maxValues", path), false);
    if (lower != null && upper != null && lower.compareTo(upper.value()) > 0) {
      return ColumnStatistics.UNKNOWN;
    }
    return new ColumnStatistics(rows, nulls, OptionalLong.empty(), lower, upper);
  }

  private @Nullable Object find(String kind, List<String> path) {
    Object at = stated.get(kind);
    for (String name : path) {
      at = at instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return at;
  }

  private static OptionalLong count(@Nullable Object value) {
    try {
      long count = value == null ? -1 : Long.parseLong(value.toString());
      return count < 0 ? OptionalLong.empty() : OptionalLong.of(count);
    } catch (NumberFormatException _) {
      return OptionalLong.empty();
    }
  }

  private static @Nullable Bound bound(DataType type, @Nullable Object stated, boolean lower) {
    if (!(stated instanceof String text)) {
      return null;
    }
    Comparable<?> value;
    try {
      value = LogValue.of(type, text).bound();
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException _) {
      return null;
    }
    return switch (value) {
      case null -> null;
      case Float number when number == 0 -> new Bound(lower ? -0f : 0f, false);
      case Double number when number == 0 -> new Bound(lower ? -0d : 0d, false);
      case Long micros when type instanceof DataType.Timestamp && !lower ->
          new Bound(micros + CUT_MICROS, false);
      default -> new Bound(value, false);
    };
  }
}
