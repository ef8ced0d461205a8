package dev.penstock.internal.pipeline;

import dev.penstock.format.ColumnSlice;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Makes structs: maps of field names to values, in the order of the fields.
final class StructObjects extends ObjectMaker {
  private final List<String> names;
  private final List<ObjectMaker> fields;
  private @Nullable MemorySegment validity;

  StructObjects(DataType.Struct type) {
    this.names = type.fields().stream().map(Field::name).toList();
    this.fields = type.fields().stream().map(field -> of(field.type())).toList();
  }

  @Override
  void bind(ColumnSlice slice) {
    validity = slice.validity();
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).bind(slice.children().get(i));
    }
  }

  @Override
  void make(int from, int count, @Nullable Object[] objects, int to) throws BadValueException {
    @Nullable Object[] value = new Object[1];
    for (int i = 0; i < count; i++) {
      objects[to + i] = isPresent(validity, from + i) ? struct(from + i, value) : null;
    }
  }

  private Object struct(int row, @Nullable Object[] value) throws BadValueException {
    Map<String, @Nullable Object> struct = LinkedHashMap.newLinkedHashMap(names.size());
    for (int i = 0; i < names.size(); i++) {
      fields.get(i).make(row, 1, value, 0);
      struct.put(names.get(i), value[0]);
    }
    return Collections.unmodifiableMap(struct);
  }
}
