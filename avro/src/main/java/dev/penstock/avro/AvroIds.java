package dev.penstock.avro;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.FieldId;
import java.util.List;
import java.util.OptionalInt;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;

/// The ids that Iceberg's writers give to fields, elements, keys and values, as properties of the
/// schema.
final class AvroIds {
  private AvroIds() {}

  /// Returns the ids of the fields of a record, which need not belong to a table.
  static List<FieldId> of(Schema record) {
    return record.getFields().stream()
        .map(field -> new FieldId(id(field, "field-id"), parts(field.schema())))
        .toList();
  }

  private static List<FieldId> parts(Schema schema) {
    Schema value = AvroTypes.value(schema);
    return AvroTypes.type(value) instanceof DataType.Unsupported
        ? List.of()
        : switch (value.getType()) {
          case RECORD -> of(value);
          case ARRAY ->
              List.of(new FieldId(id(value, "element-id"), parts(value.getElementType())));
          case MAP ->
              List.of(
                  new FieldId(id(value, "key-id"), List.of()),
                  new FieldId(id(value, "value-id"), parts(value.getValueType())));
          case UNION ->
              AvroTypes.type(value) instanceof DataType.Struct
                  ? AvroTypes.members(value).stream()
                      .map(member -> new FieldId(OptionalInt.empty(), parts(member)))
                      .toList()
                  : List.of();
          default -> List.of();
        };
  }

  private static OptionalInt id(JsonProperties from, String property) {
    return from.getObjectProp(property) instanceof Integer id
        ? OptionalInt.of(id)
        : OptionalInt.empty();
  }
}
