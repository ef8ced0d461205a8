package dev.penstock.batch;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/// The components of a record class, read by reflection.
final class RecordFields {
  private static final ClassValue<RecordFields> OF =
      new ClassValue<>() {
        @Override
        protected RecordFields computeValue(Class<?> type) {
          return new RecordFields(type);
        }
      };

  private final String[] names;
  private final Method[] accessors;

  private RecordFields(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    names = new String[components.length];
    accessors = new Method[components.length];
    for (int field = 0; field < components.length; field++) {
      names[field] = components[field].getName();
      accessors[field] = components[field].getAccessor();
      if (!accessors[field].trySetAccessible()) {
        throw new IllegalArgumentException(closed(type));
      }
    }
  }

  private static String closed(Class<?> type) {
    Module own = RecordFields.class.getModule();
    return "Cannot read the components of record "
        + type.getTypeName()
        + ": module "
        + type.getModule().getName()
        + " does not open its package. Add 'opens "
        + type.getPackageName()
        + (own.isNamed() ? " to " + own.getName() : "")
        + ";' to its module-info.java, or write a Collator of your own.";
  }

  /// Returns the components of a record class.
  ///
  /// @throws IllegalArgumentException if its module does not open its package
  static RecordFields of(Class<?> type) {
    return OF.get(type);
  }

  /// Returns how many components there are.
  int count() {
    return names.length;
  }

  /// Returns the name of a component.
  String name(int field) {
    return names[field];
  }

  /// Returns the value of a component of a record of this class.
  @Nullable Object get(@Nullable Object row, int field) {
    try {
      return accessors[field].invoke(row);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(closed(accessors[field].getDeclaringClass()), e);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(
          "Cannot read component '" + names[field] + "' of a record: its accessor failed.",
          e.getCause());
    }
  }
}
