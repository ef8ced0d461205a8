package dev.penstock.internal.pipeline;

import dev.penstock.batch.Pinnable;
import dev.penstock.internal.workers.UserCode;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Pins every [Pinnable] in what users' code made: in maps, lists, arrays and records, as torch's
/// `pin_memory` does in dicts, lists, tuples and named tuples. What holds a replaced one is copied.
@SuppressWarnings("ReferenceEquality") // a part was replaced if it is another object
final class PinnedParts {
  private PinnedParts() {}

  @SuppressWarnings("unchecked") // only read, and copied
  static Object of(Object made) {
    return switch (made) {
      case Pinnable<?> own -> own.pinMemory();
      case Map<?, ?> map -> ofMap((Map<Object, @Nullable Object>) map);
      case List<?> list -> ofList(list);
      case Object[] array -> ofArray(array);
      case Record record -> ofRecord(record);
      default -> made;
    };
  }

  private static Map<?, ?> ofMap(Map<Object, @Nullable Object> map) {
    @Nullable Object[] values = map.values().toArray();
    @Nullable Object[] pinned = ofArray(values);
    if (pinned == values) {
      return map;
    }
    Map<Object, @Nullable Object> copy =
        map instanceof SortedMap<Object, @Nullable Object> sorted
            ? new TreeMap<>(sorted)
            : new LinkedHashMap<>(map);
    int at = 0;
    for (Map.Entry<Object, @Nullable Object> entry : copy.entrySet()) {
      entry.setValue(pinned[at++]);
    }
    return copy;
  }

  private static List<?> ofList(List<?> list) {
    @Nullable Object[] parts = list.toArray();
    @Nullable Object[] pinned = ofArray(parts);
    return pinned == parts ? list : new ArrayList<>(Arrays.asList(pinned));
  }

  /// Returns the array itself if nothing in it was replaced.
  private static @Nullable Object[] ofArray(@Nullable Object[] array) {
    @Nullable Object[] copy = array;
    for (int i = 0; i < array.length; i++) {
      Object part = array[i];
      Object pinned = part == null ? null : of(part);
      if (pinned != part) {
        copy = copy == array ? array.clone() : copy;
        copy[i] = pinned;
      }
    }
    return copy;
  }

  private static Record ofRecord(Record record) {
    Form form = Form.OF.get(record.getClass());
    try {
      @Nullable Object[] parts = new Object[form.readers.size()];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = form.readers.get(i).invoke(record);
      }
      @Nullable Object[] pinned = ofArray(parts);
      return pinned == parts ? record : (Record) form.constructor.newInstance(pinned);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(
          "Cannot pin the components of record "
              + record.getClass().getTypeName()
              + ": its code failed.",
          e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /// How a class of records is read and made anew; without readers if it may not be.
  private record Form(List<Method> readers, Constructor<?> constructor) {
    static final ClassValue<Form> OF =
        new ClassValue<>() {
          @Override
          protected Form computeValue(Class<?> type) {
            return Form.of(type);
          }
        };

    static Form of(Class<?> type) {
      RecordComponent[] components = type.getRecordComponents();
      List<Method> readers = Stream.of(components).map(RecordComponent::getAccessor).toList();
      Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class[]::new);
      Constructor<?> constructor;
      try {
        constructor = type.getDeclaredConstructor(types);
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException(e);
      }
      if (constructor.trySetAccessible() && readers.stream().allMatch(Method::trySetAccessible)) {
        return new Form(readers, constructor);
      }
      UserCode.warn(
          PinnedParts.class,
          "Nothing in records {} is pinned: module {} does not open its package to dev.penstock."
              + " Open it, or let the record implement Pinnable.",
          type.getTypeName(),
          type.getModule().getName());
      return new Form(List.of(), constructor);
    }
  }
}
