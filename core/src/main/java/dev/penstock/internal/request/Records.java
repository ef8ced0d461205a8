package dev.penstock.internal.request;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Makes records, and reads their components, by reflection.
final class Records {
  private Records() {}

  static <R extends Record> R made(Class<R> type, @Nullable Object... values) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Cannot make a " + type + ": " + e, e);
    }
  }

  static @Nullable Object value(Record record, RecordComponent component) {
    try {
      return component.getAccessor().invoke(record);
    } catch (InvocationTargetException | IllegalAccessException e) {
      throw new IllegalStateException("Cannot read " + component + ": " + e, e);
    }
  }

  /// Returns whether nothing is said in a record.
  static boolean isEmpty(Record record) {
    return Arrays.stream(record.getClass().getRecordComponents())
        .allMatch(component -> {
          Object value = value(record, component);
          return value == null || (value instanceof Record part && isEmpty(part));
        });
  }
}
