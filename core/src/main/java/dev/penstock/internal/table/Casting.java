package dev.penstock.internal.table;

import dev.penstock.format.SchemaMismatchException;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.util.ArrayList;
import java.util.List;

/// Finds the type of a file's column after the user's casts; `place` says where it is, for
/// messages.
record Casting(SchemaRules rules, Object place) {
  /// Returns the type of a column, or of a part of it, after its casts.
  ///
  /// @param path its dotted name; elements of a list or map have the name of the list or map
  /// @throws SchemaMismatchException if values of the type cannot be cast
  DataType applied(String path, DataType type) throws SchemaMismatchException {
    if (rules.casts().isEmpty()) {
      return type;
    }
    CastRule cast = rules.cast(path).orElse(null);
    boolean byWildcard = cast != null && cast.hasWildcard();
    return switch (type) {
      case DataType.Struct(List<Field> parts) -> {
        if (cast != null && !byWildcard) {
          throw refused(path, type, cast, "Cast its parts one by one, as 'column.part'.");
        }
        List<Field> changed = new ArrayList<>();
        for (Field part : parts) {
          DataType partType = applied(path + "." + part.name(), part.type());
          changed.add(new Field(part.name(), partType, part.nullable()));
        }
        yield new DataType.Struct(changed);
      }
      case DataType.Map _ -> {
        if (cast != null && !byWildcard) {
          throw refused(path, type, cast, "Maps come as they are.");
        }
        yield type;
      }
      case DataType.List(DataType element, boolean nullable)
          when cast == null || element instanceof DataType.Struct ->
          new DataType.List(applied(path, element), nullable);
      default -> cast == null ? type : to(path, type, cast.type(), cast);
    };
  }

  private DataType to(String path, DataType from, DataType to, CastRule cast)
      throws SchemaMismatchException {
    if (from instanceof DataType.List(DataType element, boolean nullable)) {
      DataType wanted = to instanceof DataType.List(DataType type, boolean _) ? type : to;
      return new DataType.List(to(path, element, wanted, cast), nullable);
    }
    if (!isPossible(from, to)) {
      throw refused(path, from, cast, "Choose another type, or columns that can be cast.");
    }
    return to;
  }

  private SchemaMismatchException refused(
      String path, DataType type, CastRule cast, String whatToDo) {
    return new SchemaMismatchException(
        Sentence.of(
            "Cannot cast column '%s': it is %s in %s but there is no cast from that to %s. %s",
            path, type, place, cast.type(), whatToDo));
  }

  static boolean isField(DataType type) {
    return switch (type) {
      case DataType.Bool _,
          DataType.Int _,
          DataType.Floating _,
          DataType.Decimal _,
          DataType.Utf8 _,
          DataType.Uuid _,
          DataType.Date _,
          DataType.Time _,
          DataType.Timestamp _ ->
          true;
      default -> false;
    };
  }

  /// Returns whether there is a cast at all, even if single values do not fit.
  static boolean isPossible(DataType from, DataType to) {
    return from.equals(to)
        || switch (from) {
          case DataType.Null _ -> true;
          case DataType.Bool _ -> to instanceof DataType.Int || to instanceof DataType.Floating;
          case DataType.Int _, DataType.Decimal _ ->
              to instanceof DataType.Int
                  || to instanceof DataType.Floating
                  || to instanceof DataType.Decimal;
          case DataType.Floating _ -> to instanceof DataType.Int || to instanceof DataType.Floating;
          case DataType.Date _ -> to instanceof DataType.Timestamp;
          case DataType.Time(DataType.TimeUnit _, boolean utc) ->
              to instanceof DataType.Time(DataType.TimeUnit _, boolean other) && utc == other;
          case DataType.Timestamp(DataType.TimeUnit _, boolean utc) ->
              to instanceof DataType.Date
                  || (to instanceof DataType.Timestamp(DataType.TimeUnit _, boolean other)
                      && utc == other);
          case DataType.Utf8 _, DataType.Binary _ -> to.isBytes();
          case DataType.Variant _ -> isField(to);
          case DataType.FixedBinary _,
              DataType.Uuid _,
              DataType.Interval _,
              DataType.List _,
              DataType.Struct _,
              DataType.Map _,
              DataType.Unsupported _ ->
              false;
        };
  }
}
