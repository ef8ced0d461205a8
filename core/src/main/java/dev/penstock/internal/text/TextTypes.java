package dev.penstock.internal.text;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Detects the types of text, and joins those of several samples.
public final class TextTypes {
  /// The type of a column with only nulls.
  public static final DataType UNKNOWN = new DataType.Null();

  /// The most columns of a file, and the most fields of the objects in a sample, at all depths
  /// together.
  public static final int COLUMNS_MAX = 100_000;

  private static final DataType MICROS = new DataType.Timestamp(TimeUnit.MICROS, false);
  private static final DataType MICROS_UTC = new DataType.Timestamp(TimeUnit.MICROS, true);
  private static final DataType NANOS = new DataType.Timestamp(TimeUnit.NANOS, false);
  private static final DataType NANOS_UTC = new DataType.Timestamp(TimeUnit.NANOS, true);

  /* A sample's times may exceed 64 bits of nanoseconds, such as the end of 9999 that databases use
   * for "forever". Until all samples are joined, types that text never has mark this. */
  private static final DataType FAR_DATE = new DataType.FixedBinary(1);
  private static final DataType FAR_MICROS = new DataType.FixedBinary(2);
  private static final DataType FAR_MICROS_UTC = new DataType.FixedBinary(3);

  /// The last day that nanoseconds cover completely, as days from 1970; the first is its negative.
  private static final long NANOS_DAYS_MAX = 106_751;

  private TextTypes() {}

  /// Returns the narrowest type of a text that is not null: `int64`, `float64`, `bool`, a date, a
  /// timestamp, or string. A whole number beyond `int64` is a string, because `float64` would lose
  /// digits. Blanks around a value are ignored, as when it is read.
  public static DataType of(long start, long end) {
    long from = Swar.blanksEnd(start, end);
    long to = Swar.blanksStart(from, end);
    if (from == to) {
      return DataType.string();
    }
    if (WholeText.isWhole(from, to)) {
      boolean fits = WholeText.signed(from, to) != WholeText.NONE || !WholeText.isNone(from, to);
      return fits ? DataType.int64() : DataType.string();
    }
    if (FloatText.bits(from, to) != FloatText.NONE) {
      return DataType.float64();
    }
    if (BoolText.word(from, to) >= 0) {
      return DataType.bool();
    }
    if (to - from >= 10 && Swar.load(from + 4) == '-') {
      return ofTime(from, to);
    }
    return DataType.string();
  }

  private static DataType ofTime(long from, long to) {
    long days = TimeText.date(from, to);
    if (days != TimeText.NONE) {
      return Math.abs(days) > NANOS_DAYS_MAX ? FAR_DATE : DataType.date();
    }
    for (boolean utc : new boolean[] {false, true}) {
      boolean near = TimeText.timestamp(from, to, TimeUnit.NANOS, utc) != TimeText.NONE;
      if (TimeText.timestamp(from, to, TimeUnit.MICROS, utc) != TimeText.NONE) {
        return near ? (utc ? MICROS_UTC : MICROS) : utc ? FAR_MICROS_UTC : FAR_MICROS;
      }
      if (near) {
        return utc ? NANOS_UTC : NANOS;
      }
    }
    return DataType.string();
  }

  /// Returns the narrowest type for the texts of two samples; string if there is no other.
  public static DataType joined(DataType a, DataType b) {
    if (a.equals(b) || b.equals(UNKNOWN)) {
      return a;
    }
    if (a.equals(UNKNOWN)) {
      return b;
    }
    if (isFar(a) || isFar(b)) {
      DataType all = joined(near(a), near(b));
      return all.equals(DataType.date())
          ? FAR_DATE
          : all.equals(MICROS)
              ? FAR_MICROS
              : all.equals(MICROS_UTC) ? FAR_MICROS_UTC : DataType.string();
    }
    return switch (a) {
      case DataType.Int _, DataType.Floating _
          when b instanceof DataType.Int || b instanceof DataType.Floating ->
          DataType.float64();
      case DataType.Date _ when b instanceof DataType.Timestamp(TimeUnit _, boolean utc) && !utc ->
          b;
      case DataType.Timestamp(TimeUnit _, boolean utc) when !utc && b instanceof DataType.Date -> a;
      case DataType.Timestamp(TimeUnit unit, boolean utc)
          when b instanceof DataType.Timestamp(TimeUnit other, boolean otherUtc)
              && utc == otherUtc ->
          unit.compareTo(other) > 0 ? a : b;
      case DataType.List(DataType element, boolean _)
          when b instanceof DataType.List(DataType other, boolean _) ->
          new DataType.List(joined(element, other), true);
      case DataType.Struct(List<Field> fields)
          when b instanceof DataType.Struct(List<Field> others) ->
          new DataType.Struct(joined(fields, others));
      default -> DataType.string();
    };
  }

  private static boolean isFar(DataType type) {
    return !near(type).equals(type);
  }

  /// Returns the type without the mark for times out of range.
  public static DataType near(DataType type) {
    return type.equals(FAR_DATE)
        ? DataType.date()
        : type.equals(FAR_MICROS) ? MICROS : type.equals(FAR_MICROS_UTC) ? MICROS_UTC : type;
  }

  /// Returns the columns of two samples with their joined types: the first sample's in order, then
  /// those that only the other has.
  public static List<Field> joined(List<Field> fields, List<Field> others) {
    Map<String, DataType> types = new LinkedHashMap<>();
    fields.forEach(field -> types.put(field.name(), field.type()));
    others.forEach(field -> types.merge(field.name(), field.type(), TextTypes::joined));
    List<Field> joined = new ArrayList<>();
    types.forEach((name, type) -> joined.add(new Field(name, type, true)));
    return joined;
  }

  /// Returns the columns, with string for types that no sample shows, after all samples were
  /// joined.
  public static Schema settled(Schema schema) {
    return Schema.of(settled(schema.fields()));
  }

  private static List<Field> settled(List<Field> fields) {
    return fields.stream()
        .map(field -> new Field(field.name(), settled(field.type()), field.nullable()))
        .toList();
  }

  private static DataType settled(DataType type) {
    return switch (type) {
      case DataType.Null _ -> DataType.string();
      case DataType.List(DataType element, boolean nullable) ->
          new DataType.List(settled(element), nullable);
      case DataType.Map(DataType key, DataType value, boolean nullable) ->
          new DataType.Map(settled(key), settled(value), nullable);
      case DataType.Struct(List<Field> fields) -> new DataType.Struct(settled(fields));
      default -> near(type);
    };
  }

  /// Returns whether [TextColumn] decodes a type. It decodes none that is nested.
  public static boolean reads(DataType type) {
    return switch (type) {
      case DataType.Bool _, DataType.Int _, DataType.Floating _, DataType.Decimal _ -> true;
      case DataType.Date _, DataType.Time _, DataType.Timestamp _ -> true;
      case DataType.Uuid _, DataType.Utf8 _ -> true;
      case DataType.Binary _, DataType.FixedBinary _, DataType.Interval _ -> false;
      case DataType.List _, DataType.Struct _, DataType.Map _, DataType.Variant _ -> false;
      case DataType.Null _, DataType.Unsupported _ -> false;
    };
  }
}
