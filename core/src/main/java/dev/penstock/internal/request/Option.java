package dev.penstock.internal.request;

import dev.penstock.internal.document.JsonFields;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An option: a line of the [OptionTable].
///
/// @param <T> what it is an option of, in Java
/// @param <V> its value in Java
/// @param owner the class of the Python package that takes it, `Loader` or `Packs`
/// @param part the record of the request that has it; null if the client keeps it to itself
/// @param name its name in a request, which is Java's
/// @param form what values it has
/// @param set sets it; null if [Opening] takes it otherwise
/// @param get tells it; null for a value that nobody chose, or where Java does not tell
/// @param words what is said of it
public record Option<T, V>(
    String owner,
    @Nullable Class<?> part,
    String name,
    Form<V> form,
    @Nullable BiFunction<T, V, T> set,
    Function<T, @Nullable V> get,
    OptionWords words) {
  private static final Set<String> REQUIRED =
      Set.of("column", "length", "stride", "tokenizer", "weight");

  /// Takes it from a request; null if it is missing and may be.
  ///
  /// @throws WrongOptionException if it is wrong
  @Nullable V read(JsonFields fields) {
    boolean isRequired = set == null && REQUIRED.contains(name);
    return isRequired || fields.has(name) ? naming(() -> form.read().apply(fields, name)) : null;
  }

  /// Sets it as a part of a request says; nothing if it is missing there.
  ///
  /// @throws WrongOptionException if it is wrong
  @SuppressWarnings("unchecked") // the record has the option's type, which a test asserts
  T applied(T target, @Nullable Object value) {
    BiFunction<T, V, T> setter = set;
    return value == null || setter == null ? target : naming(() -> setter.apply(target, (V) value));
  }

  @SuppressWarnings("unchecked") // as above
  Object shown(Object value) {
    return form.shown().apply((V) value);
  }

  /// Runs a step whose errors are about this option.
  public <R> R naming(Supplier<R> step) {
    try {
      return step.get();
    } catch (WrongOptionException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new WrongOptionException(this, e);
    }
  }
}
