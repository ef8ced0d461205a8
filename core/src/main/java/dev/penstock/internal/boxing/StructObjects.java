package dev.penstock.internal.boxing;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Makes structs: maps of field names to values, in the order of the fields.
final class StructObjects extends ObjectMaker {
  private static final int MAP_BYTES = 56 + 32; // a map and its unmodifiable wrapper
  private static final int FIELD_BYTES = 40 + 8; // an entry, and its place in the table

  private final List<String> names;
  private final List<ObjectMaker> fields;
  private @Nullable MemorySegment validity;
  private long made; // bytes, in one call

  StructObjects(DataType.Struct type) {
    this.names = type.fields().stream().map(Field::name).toList();
    this.fields = type.fields().stream().map(field -> of(field.type())).toList();
  }

  @Override
  public void bind(ColumnSlice slice) {
    validity = slice.validity();
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).bind(slice.children().get(i));
    }
  }

  @Override
  public long make(int from, int count, @Nullable Object[] objects, int to)
      throws BadValueException {
    @Nullable Object[] value = new Object[1];
    made = 0;
    for (int i = 0; i < count; i++) {
      objects[to + i] = isPresent(validity, from + i) ? struct(from + i, value) : null;
    }
    return made;
  }

  private Object struct(int row, @Nullable Object[] value) throws BadValueException {
    Map<String, @Nullable Object> struct = LinkedHashMap.newLinkedHashMap(names.size());
    for (int i = 0; i < names.size(); i++) {
      made += fields.get(i).make(row, 1, value, 0);
      struct.put(names.get(i), value[0]);
    }
    made += MAP_BYTES + (long) names.size() * FIELD_BYTES;
    return Collections.unmodifiableMap(struct);
  }
}
