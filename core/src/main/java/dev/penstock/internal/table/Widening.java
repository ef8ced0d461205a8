package dev.penstock.internal.table;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Finds the type that holds every value of two files' columns exactly.
///
/// @param grows whether the table's type may become wider, and gain parts that only the file has
/// @param givesNulls whether a part of a struct may be missing
record Widening(Names names, boolean grows, boolean givesNulls) {
  /// A column or part, by its dotted name, for which the table so far and one more file have no
  /// common type, or which one of them lacks: then its type there is null.
  record Mismatch(String path, @Nullable DataType table, @Nullable DataType file) {}

  /// Returns the common type. A column or part without one goes to `mismatches` and keeps the
  /// table's type; the others are joined anyway.
  DataType join(String path, DataType table, DataType file, Consumer<Mismatch> mismatches) {
    if (table.equals(file)) {
      return table;
    }
    if (table instanceof DataType.List(DataType element, boolean nullable)
        && file instanceof DataType.List(DataType otherElement, boolean otherNullable)) {
      return new DataType.List(
          join(path, element, otherElement, mismatches), nullable || otherNullable);
    }
    if (table instanceof DataType.Map map && file instanceof DataType.Map other) {
      return new DataType.Map(
          join(path, map.key(), other.key(), mismatches),
          join(path, map.value(), other.value(), mismatches),
          map.nullableValues() || other.nullableValues());
    }
    if (table instanceof DataType.Struct(List<Field> parts)
        && file instanceof DataType.Struct(List<Field> otherParts)) {
      return new DataType.Struct(join(path, parts, otherParts, mismatches));
    }
    DataType wider = wider(table, file);
    boolean fits = grows || table instanceof DataType.Null || table.equals(wider);
    if (wider == null || !fits) {
      mismatches.accept(new Mismatch(path, table, file));
      return table;
    }
    return wider;
  }

  private List<Field> join(
      String path, List<Field> table, List<Field> file, Consumer<Mismatch> mismatches) {
    List<Field> joined = new ArrayList<>();
    Map<String, Integer> places = names.places(file);
    for (Field part : table) {
      Integer index = places.get(names.key(part.name()));
      String partPath = path + "." + part.name();
      if (index == null) {
        joined.add(missing(part, new Mismatch(partPath, part.type(), null), mismatches));
      } else {
        Field other = file.get(index);
        joined.add(
            new Field(
                part.name(),
                join(partPath, part.type(), other.type(), mismatches),
                part.nullable() || other.nullable()));
      }
    }
    if (!grows) {
      return joined;
    }
    Map<String, Integer> known = names.places(table);
    for (Field part : file) {
      if (!known.containsKey(names.key(part.name()))) {
        String partPath = path + "." + part.name();
        joined.add(missing(part, new Mismatch(partPath, null, part.type()), mismatches));
      }
    }
    return joined;
  }

  private Field missing(Field part, Mismatch mismatch, Consumer<Mismatch> mismatches) {
    if (!givesNulls) {
      mismatches.accept(mismatch);
    }
    return new Field(part.name(), part.type(), true);
  }

  /// Returns the narrowest type that holds all values of two types, not both nested, or null.
  static @Nullable DataType wider(DataType a, DataType b) {
    if (a.equals(b) || b instanceof DataType.Null) {
      return a;
    }
    if (a instanceof DataType.Null) {
      return b;
    }
    return switch (a) {
      case DataType.Int left when b instanceof DataType.Int right -> wider(left, right);
      case DataType.Floating(int bits) when b instanceof DataType.Floating(int other) ->
          bits > other ? a : b;
      case DataType.Decimal left when b instanceof DataType.Decimal right -> wider(left, right);
      case DataType.Time(TimeUnit unit, boolean utc)
          when b instanceof DataType.Time(TimeUnit other, boolean otherUtc) && utc == otherUtc ->
          unit.compareTo(other) > 0 ? a : b;
      case DataType.Timestamp(TimeUnit unit, boolean utc)
          when b instanceof DataType.Timestamp(TimeUnit other, boolean otherUtc)
              && utc == otherUtc ->
          unit.compareTo(other) > 0 ? a : b;
      default -> null;
    };
  }

  private static @Nullable DataType wider(DataType.Int a, DataType.Int b) {
    if (a.signed() == b.signed()) {
      return a.bits() > b.bits() ? a : b;
    }
    int signed = a.signed() ? a.bits() : b.bits();
    int unsigned = a.signed() ? b.bits() : a.bits();
    int bits = Math.max(signed, 2 * unsigned);
    return bits > 64 ? null : new DataType.Int(bits, true);
  }

  private static @Nullable DataType wider(DataType.Decimal a, DataType.Decimal b) {
    int scale = Math.max(a.scale(), b.scale());
    int whole = Math.max(a.precision() - a.scale(), b.precision() - b.scale());
    return whole + scale > 76 ? null : new DataType.Decimal(whole + scale, scale);
  }
}
