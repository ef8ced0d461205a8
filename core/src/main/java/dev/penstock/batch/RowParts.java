package dev.penstock.batch;

import dev.penstock.internal.choice.Sentence;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parts of a row whose class names them, read by reflection: the components of a record, the
/// properties of a Kotlin data class, the parameters of a Scala case class.
final class RowParts {
  private static final ClassValue<RowParts> OF =
      new ClassValue<>() {
        @Override
        protected RowParts computeValue(Class<?> type) {
          List<Part> parts = type.isRecord() ? components(type) : KotlinParts.of(type);
          parts.forEach(part -> requireReadable(type, part));
          return new RowParts(parts);
        }
      };

  /// A part.
  ///
  /// @param reader the method that returns it
  /// @param arguments what the method is called with
  record Part(String name, Method reader, List<Object> arguments) {}

  private final List<Part> parts;

  private RowParts(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  /// {@return the parts of rows like this one; null if its class does not name any}
  ///
  /// @throws IllegalArgumentException if they cannot be read: its module does not open its package,
  ///   or Kotlin stores one in another form
  static @Nullable RowParts of(Object row) {
    RowParts found = OF.get(row.getClass());
    if (found.parts.isEmpty()) {
      found = new RowParts(ScalaParts.of(row)); // only a row can tell their names
    }
    return found.parts.isEmpty() && !row.getClass().isRecord() ? null : found;
  }

  private static List<Part> components(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .map(each -> new Part(each.getName(), each.getAccessor(), List.of()))
        .toList();
  }

  private static void requireReadable(Class<?> type, Part part) {
    if (!part.reader.trySetAccessible()) {
      throw new IllegalArgumentException(closed(type));
    }
  }

  private static String closed(Class<?> type) {
    Module own = RowParts.class.getModule();
    return Sentence.of(
        "Cannot read the %s %s: module %s does not open its package. Add 'opens %s%s;' to its"
            + " module-info.java, or write a Collator of your own.",
        type.isRecord() ? "components of record" : "properties of data class",
        type.getTypeName(),
        type.getModule().getName(),
        type.getPackageName(),
        own.isNamed() ? " to " + own.getName() : "");
  }

  /// Returns how many parts there are.
  int count() {
    return parts.size();
  }

  String name(int part) {
    return parts.get(part).name;
  }

  /// Returns a part of a row of this class.
  @Nullable Object get(@Nullable Object row, int part) {
    Part wanted = parts.get(part);
    try {
      return wanted.reader.invoke(row, wanted.arguments.toArray());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(closed(wanted.reader.getDeclaringClass()), e);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(
          "Cannot read '" + wanted.name + "' of a row: its accessor failed.", e.getCause());
    }
  }
}
