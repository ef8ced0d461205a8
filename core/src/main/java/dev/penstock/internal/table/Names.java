package dev.penstock.internal.table;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Compares names of columns; if `caseSensitive`, `id` and `ID` are two.
public record Names(boolean caseSensitive) {
  /// What is between a column of lists and a field of the structs in them, in a path.
  private static final String IN_LISTS = "[].";

  public boolean same(String a, String b) {
    return key(a).equals(key(b));
  }

  /// Returns a key that is equal for all names of one column.
  String key(String name) {
    return caseSensitive ? name : name.toLowerCase(Locale.ROOT);
  }

  public int indexOf(List<Field> fields, String name) {
    for (int i = 0; i < fields.size(); i++) {
      if (same(fields.get(i).name(), name)) {
        return i;
      }
    }
    return -1;
  }

  /// Returns the places of all columns by their keys; of several with one key, the first. For
  /// structs, which may have thousands of parts.
  Map<String, Integer> places(List<Field> fields) {
    Map<String, Integer> places = HashMap.newHashMap(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      places.putIfAbsent(key(fields.get(i).name()), i);
    }
    return places;
  }

  /// Does not search all columns, as there may be thousands.
  int indexOf(Schema schema, String name) {
    return caseSensitive ? schema.indexOf(name) : schema.indexOfIgnoringCase(name);
  }

  /// Looks up a column or a part of a struct, as [#stored] does, or a field of structs in lists,
  /// which is lists of its values: `messages[].content` of `messages`. It has its name or path in
  /// the schema.
  Optional<Field> find(Schema schema, String path) {
    return stored(schema, path).or(() -> listField(schema, path).flatMap(this::lists));
  }

  private Optional<Field> lists(ColumnSource.ListField source) {
    DataType.List list = (DataType.List) source.type();
    return find(parts(list), source.field())
        .map(part ->
            new Field(
                source.path() + IN_LISTS + part.name(),
                new DataType.List(part.type(), list.nullableElements() || part.nullable()),
                true));
  }

  /// Returns the fields of the structs in lists; none where the lists have only nulls.
  public static Schema parts(DataType.List list) {
    return Schema.of(
        list.element() instanceof DataType.Struct(List<Field> parts) ? parts : List.of());
  }

  /// Looks up a field of structs in lists by the column of the lists, as [#stored] takes it, `[].`,
  /// and the field.
  public Optional<ColumnSource.ListField> listField(Schema schema, String path) {
    for (int at = path.indexOf(IN_LISTS); at >= 0; at = path.indexOf(IN_LISTS, at + 1)) {
      Field column = stored(schema, path.substring(0, at)).orElse(null);
      if (column != null
          && column.type() instanceof DataType.List(DataType element, boolean _)
          && (element instanceof DataType.Struct || element instanceof DataType.Null)) {
        String field = path.substring(at + IN_LISTS.length());
        return Optional.of(new ColumnSource.ListField(column.name(), column.type(), field));
      }
    }
    return Optional.empty();
  }

  /// Returns the parts of the structs at a path, as [#find] takes it: of a column of structs, or
  /// with `[]` at its end of a column of lists of structs. None if there are no structs.
  List<Field> parts(Schema schema, String path) {
    String start = path + ".";
    ColumnSource.ListField field = listField(schema, start).orElse(null);
    if (field != null) {
      Schema parts = parts((DataType.List) field.type());
      String rest = field.field();
      return rest.isEmpty() ? parts.fields() : parts(parts, rest.substring(0, rest.length() - 1));
    }
    return stored(schema, path)
        .map(found ->
            found.type() instanceof DataType.Struct(List<Field> parts) ? parts : List.<Field>of())
        .orElse(List.of());
  }

  /// Returns a path as casts have it: with a dot, too, before a field of structs in lists.
  static String dotted(String path) {
    return path.replace(IN_LISTS, ".");
  }

  /// Looks up a column or a part of a struct, as [Schema#find] does; it has its name or path in the
  /// schema.
  public Optional<Field> stored(Schema schema, String path) {
    return caseSensitive ? schema.find(path) : find(schema.fields(), indexOf(schema, path), path);
  }

  private Optional<Field> find(List<Field> fields, int index, String path) {
    return index >= 0
        ? Optional.of(fields.get(index))
        : fields.stream().flatMap(field -> part(field, path).stream()).findFirst();
  }

  private Optional<Field> part(Field column, String path) {
    int length = column.name().length();
    if (!(column.type() instanceof DataType.Struct(List<Field> parts))
        || path.length() <= length
        || path.charAt(length) != '.'
        || !same(column.name(), path.substring(0, length))) {
      return Optional.empty();
    }
    String rest = path.substring(length + 1);
    return find(parts, indexOf(parts, rest), rest)
        .map(part ->
            new Field(
                column.name() + "." + part.name(),
                part.type(),
                column.nullable() || part.nullable()));
  }

  /// Looks up a field of a column of variants by the column, as [#find] takes it, a dot, and the
  /// names of the field.
  Optional<ColumnSource> variantField(Schema schema, String path) {
    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      Field column = find(schema, path.substring(0, dot)).orElse(null);
      if (column != null && column.type() instanceof DataType.Variant) {
        return Optional.of(new ColumnSource.VariantField(column.name(), path.substring(dot + 1)));
      }
    }
    return Optional.empty();
  }

  /// Returns two names of one column, in a list of columns or in their structs, if there are such.
  Optional<List<String>> ambiguous(List<Field> fields) {
    Map<String, String> names = new HashMap<>();
    for (Field field : fields) {
      String before = names.put(key(field.name()), field.name());
      if (before != null) {
        return Optional.of(List.of(before, field.name()));
      }
    }
    return caseSensitive
        ? Optional.empty()
        : fields.stream().flatMap(field -> ambiguous(field.type()).stream()).findFirst();
  }

  Optional<List<String>> ambiguous(DataType type) {
    return switch (type) {
      case DataType.Struct(List<Field> parts) -> ambiguous(parts);
      case DataType.List(DataType element, boolean _) -> ambiguous(element);
      case DataType.Map map -> ambiguous(map.key()).or(() -> ambiguous(map.value()));
      default -> Optional.empty();
    };
  }
}
