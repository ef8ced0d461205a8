package dev.penstock.delta;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.delta.internal.log.JsonText;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What a log says of the values in a data file. What cannot be understood is left out: a filter
/// then rules out fewer files.
///
/// Bounds are text that writers shorten: decimals become doubles, times are cut or rounded to
/// milliseconds, strings end early. A bound is moved outwards by what may have been lost, unless
/// its type or its text shows that nothing was.
///
/// @param schema the same in core's form
/// @param stated the `stats` of the file
record FileStatistics(List<DeltaColumn> columns, Schema schema, Map<?, ?> stated) {
  private static final String ROWS = "numRecords";

  /// The digits of which a double keeps any; decimals of more may have been rounded to one.
  private static final int DOUBLE_DIGITS = 15;

  /// The digits after the point of a time in microseconds.
  private static final int MICROS_DIGITS = 6;

  /// The least character that writers append to a string that they cut.
  private static final int LEAST_MARK = 0xfffd;

  /// Reads the statistics.
  static FileStatistics of(List<DeltaColumn> columns, Schema schema, @Nullable String text) {
    return new FileStatistics(columns, schema, text == null ? Map.of() : JsonText.object(text));
  }

  /// Returns how many rows the file has, deleted ones included; reads no more of the text.
  static OptionalLong rows(@Nullable String text) {
    return count(text == null ? null : JsonText.value(text, ROWS));
  }

  /// Returns what is known of a column.
  ///
  /// @param column its name, or the path of a part of a struct
  ColumnStatistics of(String column) {
    DataType type = schema.find(column).map(field -> field.type()).orElse(null);
    if (type == null || type.isNested()) {
      return ColumnStatistics.UNKNOWN;
    }
    OptionalLong rows = count(stated.get(ROWS));
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
    try {
      Comparable<?> value = LogValue.of(type, text).bound();
      Comparable<?> sure = value == null ? null : outwards(type, text, value, lower);
      return sure == null ? null : new Bound(sure, false);
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException _) {
      return null;
    }
  }

  /// Returns the nearest value that is a bound whatever the writer lost; null if there is none.
  private static @Nullable Comparable<?> outwards(
      DataType type, String text, Comparable<?> value, boolean lower) {
    return switch (value) {
      case Float number when number == 0 -> lower ? -0f : 0f;
      case Double number when number == 0 -> lower ? -0d : 0d;
      case BigDecimal number when ((DataType.Decimal) type).precision() > DOUBLE_DIGITS -> {
        BigDecimal slack = number.abs().movePointLeft(DOUBLE_DIGITS);
        yield lower
            ? number.subtract(slack).setScale(number.scale(), RoundingMode.FLOOR)
            : number.add(slack).setScale(number.scale(), RoundingMode.CEILING);
      }
      case Long micros when type instanceof DataType.Timestamp ->
          Math.addExact(micros, lower ? -unit(text) : unit(text));
      // The protocol has no bounds of binaries, and writers escape bytes in their own ways.
      case ByteString _ when type instanceof DataType.Binary -> null;
      case ByteString _ when !lower -> above(text);
      default -> value;
    };
  }

  /// Returns how many microseconds the last digit of a time stands for; 0 if it is one, since
  /// nothing is lost then.
  private static long unit(String text) {
    int point = text.indexOf('.');
    int digits = 0;
    while (point >= 0
        && point + 1 + digits < text.length()
        && Character.isDigit(text.charAt(point + 1 + digits))) {
      digits++;
    }
    long unit = 1;
    for (int i = digits; i < MICROS_DIGITS; i++) {
      unit *= 10;
    }
    return digits == MICROS_DIGITS ? 0 : unit;
  }

  /// Returns what is above all strings that a writer may have cut to a text. Some count in UTF-16:
  /// they cut a character in half, or mark the cut by U+FFFD, which is below four bytes of UTF-8.
  private static ByteString above(String text) {
    int end = 0;
    while (end < text.length()) {
      int point = text.codePointAt(end);
      boolean isHalf = Character.getType(point) == Character.SURROGATE;
      if (isHalf || (point >= LEAST_MARK && point <= Character.MAX_VALUE)) {
        boolean isAfterHalf = end > 0 && text.charAt(end - 1) == '?'; // half a character as UTF-8
        byte[] kept = text.substring(0, isAfterHalf ? end - 1 : end).getBytes(UTF_8);
        byte[] above = Arrays.copyOf(kept, kept.length + 1);
        above[kept.length] = (byte) 0xff;
        return ByteString.of(above);
      }
      end += Character.charCount(point);
    }
    return ByteString.utf8(text);
  }
}
