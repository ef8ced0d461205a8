package dev.penstock.batch;

import dev.penstock.internal.choice.Sentence;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The properties in the constructor of a Kotlin data class, in its order.
final class KotlinParts {
  /* The compiler makes a method for each, component1, component2, ..., which tell the order but not
   * the names. The names are those of the first fields: there is one for each property of the
   * constructor, before those of the body. All this is checked, because Java does not promise an
   * order of fields. Kotlin's own reflection would be a library of 3 MB. */

  private KotlinParts() {}

  /// {@return the properties of a data class; none of another class}
  ///
  /// @throws IllegalArgumentException if its properties cannot be told or read
  static List<RowParts.Part> of(Class<?> type) {
    List<Method> components = new ArrayList<>();
    if (isKotlin(type) && has(type, "copy")) {
      Method next = component(type, 1);
      while (next != null) {
        components.add(next);
        next = component(type, components.size() + 1);
      }
    }
    List<Field> fields = components.isEmpty() ? List.of() : fields(type);
    List<RowParts.Part> parts = new ArrayList<>();
    for (Method component : components) {
      Field field = parts.size() < fields.size() ? fields.get(parts.size()) : null;
      if (field == null || field.getType() != component.getReturnType()) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Cannot read the properties of data class %s: its %s() has no field in its place."
                    + " Write a Collator of your own.",
                type.getTypeName(), component.getName()));
      }
      if (component.getName().indexOf('-') >= 0) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Cannot read property '%s' of data class %s: its type is a value class, such as"
                    + " UInt, of which Java sees only what is inside. Make it an Int, a Long or"
                    + " another type without one.",
                field.getName(), type.getTypeName()));
      }
      parts.add(new RowParts.Part(field.getName(), component, List.of()));
    }
    return parts;
  }

  private static boolean isKotlin(Class<?> type) {
    return Arrays.stream(type.getAnnotations())
        .anyMatch(each -> each.annotationType().getName().equals("kotlin.Metadata"));
  }

  /// Returns the method of a property. A hyphen and a hash follow its name if the property's type
  /// is a value class, a dollar sign and the module's name if it is internal.
  private static @Nullable Method component(Class<?> type, int number) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(each -> each.getParameterCount() == 0 && isNamed(each, "component" + number))
        .findFirst()
        .orElse(null);
  }

  private static boolean has(Class<?> type, String name) {
    return Arrays.stream(type.getDeclaredMethods())
        .anyMatch(each -> isNamed(each, name) && each.getReturnType() == type);
  }

  private static boolean isNamed(Method method, String name) {
    String found = method.getName();
    return found.equals(name) || found.startsWith(name + "-") || found.startsWith(name + "$");
  }

  private static List<Field> fields(Class<?> type) {
    return Arrays.stream(type.getDeclaredFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
        .toList();
  }
}
