package dev.penstock.orc;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.FieldId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import org.apache.orc.TypeDescription;
import org.jspecify.annotations.Nullable;

/// A column of a file, or a part of one: its type for the loader, and its place in ORC's schema.
///
/// @param field name and type; all are nullable, because ORC does not say otherwise
/// @param id the number of the type in ORC's tree, in pre-order
/// @param lastId the highest number in its subtree
/// @param children the fields of a struct, the element of a list, key and value of a map
record OrcColumn(
    Field field, int id, int lastId, int index, TypeDescription orc, List<OrcColumn> children) {
  private static final String ID_ATTRIBUTE = "iceberg.id";

  /// Returns the column of an ORC type; [DataType.Unsupported] if any part of it cannot be read.
  ///
  /// @param times gives the unit of a column of timestamps, by its id
  static OrcColumn of(
      String name, int index, TypeDescription orc, IntFunction<DataType.TimeUnit> times) {
    List<OrcColumn> children = new ArrayList<>();
    List<TypeDescription> parts = orc.getChildren() == null ? List.of() : orc.getChildren();
    for (int i = 0; i < parts.size(); i++) {
      String part =
          orc.getCategory() == TypeDescription.Category.STRUCT ? orc.getFieldNames().get(i) : "";
      children.add(of(part, i, parts.get(i), times));
    }
    Field field = new Field(name, type(orc, children, times), true);
    return new OrcColumn(field, orc.getId(), orc.getMaximumId(), index, orc, List.copyOf(children));
  }

  private static DataType type(
      TypeDescription orc, List<OrcColumn> children, IntFunction<DataType.TimeUnit> times) {
    DataType unsupported = new DataType.Unsupported(orc.toString());
    if (children.stream().anyMatch(part -> part.type() instanceof DataType.Unsupported)) {
      return unsupported;
    }
    return switch (orc.getCategory()) {
      case BOOLEAN -> new DataType.Bool();
      case BYTE -> new DataType.Int(8, true);
      case SHORT -> new DataType.Int(16, true);
      case INT -> new DataType.Int(32, true);
      case LONG -> new DataType.Int(64, true);
      case FLOAT -> new DataType.Floating(32);
      case DOUBLE -> new DataType.Floating(64);
      case STRING, CHAR, VARCHAR -> new DataType.Utf8();
      case BINARY, Geometry, Geography -> new DataType.Binary();
      case DATE -> new DataType.Date();
      case TIMESTAMP -> new DataType.Timestamp(times.apply(orc.getId()), false);
      case TIMESTAMP_INSTANT -> new DataType.Timestamp(times.apply(orc.getId()), true);
      case DECIMAL -> new DataType.Decimal(orc.getPrecision(), orc.getScale());
      case LIST -> new DataType.List(children.getFirst().type(), true);
      case MAP -> new DataType.Map(children.getFirst().type(), children.getLast().type(), true);
      case STRUCT ->
          children.isEmpty()
                  || children.stream().map(c -> c.field().name()).distinct().count()
                      < children.size()
              ? unsupported
              : new DataType.Struct(children.stream().map(OrcColumn::field).toList());
      case UNION -> unsupported;
    };
  }

  /// Returns the column marked as unreadable.
  OrcColumn unreadable(DataType.Unsupported type) {
    return new OrcColumn(new Field(field.name(), type, true), id, lastId, index, orc, List.of());
  }

  /// Returns the field id that the table's writer gave it.
  FieldId fieldId() {
    boolean hasParts = !(type() instanceof DataType.Unsupported);
    return new FieldId(
        number(orc.getAttributeValue(ID_ATTRIBUTE)),
        hasParts ? children.stream().map(OrcColumn::fieldId).toList() : List.of());
  }

  private static OptionalInt number(@Nullable String text) {
    try {
      return text == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
    } catch (NumberFormatException _) {
      return OptionalInt.empty();
    }
  }

  DataType type() {
    return field.type();
  }

  /// Returns how a time becomes a value of this column of timestamps.
  StoredTimes.Unit times() {
    return type() instanceof DataType.Timestamp(DataType.TimeUnit unit, boolean _)
            && unit == DataType.TimeUnit.MICROS
        ? StoredTimes.Unit.MICROS
        : StoredTimes.Unit.NANOS;
  }
}
