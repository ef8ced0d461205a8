package dev.penstock.schema;

import java.util.ArrayList;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/// The type of a column: what its values mean and how decoded values lie in memory.
///
/// Decoded columns use Arrow's layout, little-endian. `byteWidth()` is the size of one value there;
/// booleans are one bit each, least significant first; strings, binaries, lists and maps have
/// 32-bit offsets.
///
/// Elements of tensors have a [dev.penstock.batch.DType] instead, limited to the types that
/// frameworks compute with. `docs/reference/columns.md` says which column becomes which tensor.
public sealed interface DataType {
  /// True or false; one bit per value.
  record Bool() implements DataType {
    @Override
    public String toString() {
      return "bool";
    }
  }

  /// An integer.
  ///
  /// @param bits 8, 16, 32 or 64
  /// @param signed false for unsigned integers
  record Int(int bits, boolean signed) implements DataType {
    /// Throws [IllegalArgumentException] if `bits` is not 8, 16, 32 or 64.
    public Int {
      requireOneOf("Integer width", bits, 8, 16, 32, 64);
    }

    @Override
    public String toString() {
      return (signed ? "int" : "uint") + bits;
    }
  }

  /// An IEEE 754 floating-point number.
  ///
  /// @param bits 16, 32 or 64
  record Floating(int bits) implements DataType {
    /// Throws [IllegalArgumentException] if `bits` is not 16, 32 or 64.
    public Floating {
      requireOneOf("Floating-point width", bits, 16, 32, 64);
    }

    @Override
    public String toString() {
      return "float" + bits;
    }
  }

  /// A decimal: an unscaled two's complement integer divided by `10^scale`.
  ///
  /// Values take 8 bytes up to precision 18, 16 up to 38 and 32 up to 76.
  ///
  /// @param precision the number of decimal digits, in `[1, 76]`
  /// @param scale the digits after the point, in `[0, precision]`
  record Decimal(int precision, int scale) implements DataType {
    /// Throws [IllegalArgumentException] if precision or scale is out of range.
    public Decimal {
      if (precision < 1 || precision > 76) {
        throw new IllegalArgumentException(
            "Decimal precision must be in [1, 77), got " + precision);
      }
      if (scale < 0 || scale > precision) {
        throw new IllegalArgumentException(
            "Decimal scale must be in [0, " + (precision + 1) + "), got " + scale);
      }
    }

    @Override
    public String toString() {
      return "decimal(" + precision + ", " + scale + ")";
    }
  }

  /// Text in UTF-8.
  record Utf8() implements DataType {
    @Override
    public String toString() {
      return "string";
    }
  }

  /// Bytes of any length.
  record Binary() implements DataType {
    @Override
    public String toString() {
      return "binary";
    }
  }

  /// Bytes of one length.
  ///
  /// @param byteWidth the length in bytes, at least 1
  record FixedBinary(int byteWidth) implements DataType {
    /// Throws [IllegalArgumentException] if `byteWidth` is below 1.
    public FixedBinary {
      if (byteWidth < 1) {
        throw new IllegalArgumentException("Byte width must be at least 1, got " + byteWidth);
      }
    }

    @Override
    public String toString() {
      return "fixed(" + byteWidth + ")";
    }
  }

  /// A UUID: 16 bytes, most significant first.
  record Uuid() implements DataType {
    /// Parses a UUID: 8, 4, 4, 4 and 12 hexadecimal digits in any case, separated by hyphens.
    /// [UUID#fromString] is laxer: it reads fewer digits, and signs, as another UUID.
    ///
    /// @param text the text
    /// @return the UUID
    /// @throws IllegalArgumentException if it is not a UUID
    public static UUID parse(String text) {
      UUID uuid = UUID.fromString(text);
      if (!uuid.toString().equalsIgnoreCase(text)) {
        throw new IllegalArgumentException("'" + text + "' is no UUID.");
      }
      return uuid;
    }

    @Override
    public String toString() {
      return "uuid";
    }
  }

  /// Parquet's interval: 12 bytes, three unsigned 32-bit little-endian counts of months, days and
  /// milliseconds.
  record Interval() implements DataType {
    @Override
    public String toString() {
      return "interval";
    }
  }

  /// A calendar date: days since 1970-01-01 as a 32-bit integer.
  record Date() implements DataType {
    @Override
    public String toString() {
      return "date";
    }
  }

  /// A time of day, counted from midnight: 32 bits for milliseconds, else 64.
  ///
  /// @param unit what is counted
  /// @param utc true if the time is in UTC, false if it is a local time without a zone
  record Time(TimeUnit unit, boolean utc) implements DataType {
    @Override
    public String toString() {
      return "time[" + unit + (utc ? ", UTC]" : "]");
    }
  }

  /// A point in time: a 64-bit count since 1970-01-01T00:00:00.
  ///
  /// @param unit what is counted
  /// @param utc true if the count starts at midnight UTC, false if it is a local date and time
  record Timestamp(TimeUnit unit, boolean utc) implements DataType {
    @Override
    public String toString() {
      return "timestamp[" + unit + (utc ? ", UTC]" : "]");
    }
  }

  /// A list of values of one type, of any length.
  ///
  /// Two list types are equal if their element types are; the name that a file gives the elements
  /// does not count.
  ///
  /// @param element the type of the elements
  /// @param nullableElements whether an element may be null
  record List(DataType element, boolean nullableElements) implements DataType {
    @Override
    public String toString() {
      return "list<" + element + ">";
    }
  }

  /// A struct: named values of several types.
  ///
  /// @param fields the values, in order; at least one, their names all different
  record Struct(java.util.List<Field> fields) implements DataType {
    /// Throws [IllegalArgumentException] if there are no names, or two are equal.
    public Struct {
      fields = java.util.List.copyOf(fields);
      if (fields.isEmpty()) {
        throw new IllegalArgumentException("A struct needs at least one field.");
      }
      if (fields.stream().map(Field::name).distinct().count() != fields.size()) {
        throw new IllegalArgumentException(
            "Cannot make a struct with two fields of one name: " + fields);
      }
    }

    @Override
    public String toString() {
      return fields.stream()
          .map(field -> field.name() + ": " + field.type())
          .collect(Collectors.joining(", ", "struct<", ">"));
    }
  }

  /// A map: any number of keys with a value each. In memory it is a list of structs of `key` and
  /// `value`.
  ///
  /// @param key the type of the keys, which are never null
  /// @param value the type of the values
  /// @param nullableValues whether a value may be null
  record Map(DataType key, DataType value, boolean nullableValues) implements DataType {
    /// {@return the type of a map's entries: a struct with the fields `key` and `value`}
    public Struct entry() {
      return new Struct(
          java.util.List.of(
              new Field("key", key, false), new Field("value", value, nullableValues)));
    }

    @Override
    public String toString() {
      return "map<" + key + ", " + value + ">";
    }
  }

  /// A value of any shape: Parquet's `VARIANT`. In memory it is bytes of any length: the metadata
  /// that has the names of its fields, and then the value, both as Parquet encodes them.
  ///
  /// A cast to [Utf8] makes JSON of it, and a cast of `column.field` makes a column of a field.
  record Variant() implements DataType {
    @Override
    public String toString() {
      return "variant";
    }
  }

  /// The type of a column that has only nulls in a file. Writers use it if they saw no value; other
  /// files of the table give the type. A value takes 4 bytes. A dataset's schema never contains it:
  /// if no file has a better type, the column is `int32`.
  record Null() implements DataType {
    @Override
    public String toString() {
      return "null";
    }
  }

  /// A type that this version cannot read. It is shown by name; reading it is an error.
  ///
  /// @param description the type as the file states it, for example `int32 (DECIMAL)`
  record Unsupported(String description) implements DataType {
    @Override
    public String toString() {
      return description;
    }
  }

  /// The unit of a time or timestamp.
  enum TimeUnit {
    /// Milliseconds.
    MILLIS("ms", 3),
    /// Microseconds.
    MICROS("us", 6),
    /// Nanoseconds.
    NANOS("ns", 9);

    private final String symbol;
    private final int digits;

    TimeUnit(String symbol, int digits) {
      this.symbol = symbol;
      this.digits = digits;
    }

    /// {@return how many decimal digits of a second the unit counts: 3, 6 or 9}
    public int digits() {
      return digits;
    }

    /// {@return how many of the unit make a second, a power of ten}
    public long perSecond() {
      return digits == 3 ? 1_000L : digits == 6 ? 1_000_000L : 1_000_000_000L;
    }

    @Override
    public String toString() {
      return symbol;
    }
  }

  /// Parses the text form of a type that has no fields or elements.
  ///
  /// @param text as `toString()` writes it, for example `int64`, `decimal(10, 2)` or `timestamp[us,
  ///   UTC]`; blanks do not matter
  /// @return the type
  /// @throws IllegalArgumentException if the text names no type, or one with parts, such as a list
  ///   or struct
  static DataType parse(String text) {
    return TypeText.parse(text);
  }

  /// {@return `bool`, the type of booleans}
  static DataType bool() {
    return new Bool();
  }

  /// {@return `int8`, the type of signed integers of 8 bits}
  static DataType int8() {
    return new Int(8, true);
  }

  /// {@return `int16`, the type of signed integers of 16 bits}
  static DataType int16() {
    return new Int(16, true);
  }

  /// {@return `int32`, the type of signed integers of 32 bits}
  static DataType int32() {
    return new Int(32, true);
  }

  /// {@return `int64`, the type of signed integers of 64 bits}
  static DataType int64() {
    return new Int(64, true);
  }

  /// {@return `float16`, the type of floating-point numbers of 16 bits}
  static DataType float16() {
    return new Floating(16);
  }

  /// {@return `float32`, the type of floating-point numbers of 32 bits}
  static DataType float32() {
    return new Floating(32);
  }

  /// {@return `float64`, the type of floating-point numbers of 64 bits}
  static DataType float64() {
    return new Floating(64);
  }

  /// {@return `string`, the type of text in UTF-8}
  static DataType string() {
    return new Utf8();
  }

  /// {@return `date`, the type of calendar dates}
  static DataType date() {
    return new Date();
  }

  /// {@return the bytes of one decoded value; 0 where values have no byte width of their own:
  /// [Bool] (one bit), [Utf8], [Binary] and [Variant] (offsets), [List], [Struct], [Map],
  /// [Unsupported]}
  default int byteWidth() {
    return switch (this) {
      case Bool _, Utf8 _, Binary _, Variant _, List _, Struct _, Map _, Unsupported _ -> 0;
      case Int(int bits, boolean _) -> bits / 8;
      case Floating(int bits) -> bits / 8;
      case Decimal(int precision, int _) -> precision <= 18 ? 8 : precision <= 38 ? 16 : 32;
      case FixedBinary(int width) -> width;
      case Uuid _ -> 16;
      case Interval _ -> 12;
      case Date _, Null _ -> 4;
      case Time(TimeUnit unit, boolean _) -> unit == TimeUnit.MILLIS ? 4 : 8;
      case Timestamp _ -> 8;
    };
  }

  /// {@return whether decoded values have 32-bit offsets into a run of bytes: [Utf8], [Binary] and
  /// [Variant]}
  default boolean isVariableWidth() {
    return isBytes() || this instanceof Variant;
  }

  /// {@return whether values are bytes or text, which can be read as each other: [Utf8] and
  /// [Binary]}
  default boolean isBytes() {
    return this instanceof Utf8 || this instanceof Binary;
  }

  /// {@return whether a value is made of other values: [List], [Struct] and [Map]}
  default boolean isNested() {
    return this instanceof List || this instanceof Struct || this instanceof Map;
  }

  /// {@return the type that can hold the values of this type and another: this type, with nested
  /// values nullable if they are in either type; empty if the two differ in anything else}
  ///
  /// @param other the other type
  default Optional<DataType> joined(DataType other) {
    return switch (this) {
      case List(DataType element, boolean nullable)
          when other instanceof List(DataType otherElement, boolean otherNullable) ->
          element.joined(otherElement).map(type -> new List(type, nullable || otherNullable));
      case Struct(java.util.List<Field> fields) when other instanceof Struct that ->
          joined(fields, that.fields()).map(Struct::new);
      case Map map when other instanceof Map that ->
          map.key
              .joined(that.key)
              .flatMap(key ->
                  map.value
                      .joined(that.value)
                      .map(
                          value -> new Map(key, value, map.nullableValues || that.nullableValues)));
      default -> equals(other) ? Optional.of(this) : Optional.empty();
    };
  }

  private static Optional<java.util.List<Field>> joined(
      java.util.List<Field> left, java.util.List<Field> right) {
    if (left.size() != right.size()) {
      return Optional.empty();
    }
    java.util.List<Field> joined = new ArrayList<>();
    for (int i = 0; i < left.size(); i++) {
      left.get(i).joined(right.get(i)).ifPresent(joined::add);
    }
    return joined.size() == left.size() ? Optional.of(joined) : Optional.empty();
  }

  private static void requireOneOf(String what, int value, int... allowed) {
    for (int each : allowed) {
      if (each == value) {
        return;
      }
    }
    throw new IllegalArgumentException(
        what + " must be one of " + java.util.Arrays.toString(allowed) + ", got " + value);
  }
}
