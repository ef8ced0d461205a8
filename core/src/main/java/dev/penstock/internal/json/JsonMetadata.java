package dev.penstock.internal.json;

import dev.penstock.advice.Advice;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.text.TextForm;
import dev.penstock.internal.text.TextGroups;
import dev.penstock.internal.text.TextTypes;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.TextMetadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The metadata of a JSON file, known after its records were counted. Columns of its sample may be
/// left out.
record JsonMetadata(Schema schema, JsonFiles.Sample sample, TextForm form, TextGroups groups)
    implements TextMetadata {
  @Override
  public List<RowGroup> rowGroups() {
    return groups.rowGroups();
  }

  @Override
  public DataType joined(DataType a, DataType b) {
    return TextTypes.joined(a, b);
  }

  @Override
  public Map<String, Advice> doubts() {
    return sample.doubts();
  }

  @Override
  public Optional<Schema> sampled() {
    return Optional.of(sample.schema());
  }

  @Override
  public boolean reads(DataType type) {
    return switch (type) {
      case DataType.List(DataType element, boolean _) -> reads(element);
      case DataType.Map(DataType key, DataType value, boolean _) ->
          key instanceof DataType.Utf8 && reads(value);
      case DataType.Struct(List<Field> fields) ->
          fields.stream().allMatch(field -> reads(field.type()));
      default -> TextTypes.reads(type);
    };
  }

  @Override
  public boolean mayLackColumns() {
    return true;
  }

  @Override
  public JsonMetadata as(Schema columns) {
    return new JsonMetadata(TextTypes.settled(columns), sample, form, groups);
  }
}
