package dev.penstock.transform;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The different values of a column, up to a maximum number. They are a set, so they depend only on
/// the rows, not on their order. Safe for any thread.
final class Categories {
  private final Field field;
  private final int max;
  private final Set<String> found = ConcurrentHashMap.newKeySet();

  Categories(Field field, int max) {
    this.field = field;
    this.max = max;
    switch (field.type()) {
      case DataType.Utf8 _, DataType.Int _, DataType.Bool _ -> {}
      default -> throw Numbers.refuse(field, "strings, integers or booleans");
    }
  }

  /// Adds the values of a block. Stops at one above the limit, which is enough to report it.
  void add(ColumnBlock block) {
    Set<String> own = new HashSet<>();
    boolean[] present = block.present(field.name());
    switch (field.type()) {
      case DataType.Utf8 _ -> {
        String[] values = block.strings(field.name());
        for (int i = 0; i < values.length && own.size() <= max; i++) {
          if (present[i]) {
            own.add(values[i]);
          }
        }
      }
      case DataType.Int _ -> {
        long[] values = block.longs(field.name());
        Set<Long> numbers = new HashSet<>();
        for (int i = 0; i < values.length && numbers.size() <= max; i++) {
          if (present[i]) {
            numbers.add(values[i]);
          }
        }
        numbers.forEach(value -> own.add(OneHot.text(value, isUnsigned())));
      }
      default -> {
        boolean[] values = block.booleans(field.name());
        for (int i = 0; i < values.length; i++) {
          if (present[i]) {
            own.add(Boolean.toString(values[i]));
          }
        }
      }
    }
    if (found.size() <= max) {
      found.addAll(own);
    }
  }

  private boolean isUnsigned() {
    return field.type() instanceof DataType.Int(int bits, boolean signed) && bits == 64 && !signed;
  }

  /// Returns the values in order.
  List<String> sorted() {
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot fit column '" + field.name() + "': there is no value in it but nulls.");
    }
    if (found.size() > max) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot fit column '%s': it has more than %s categories. Allow more, or use"
                  + " HashBuckets.",
              field.name(), max));
    }
    return found.stream().sorted(order()).toList();
  }

  private Comparator<String> order() {
    if (!(field.type() instanceof DataType.Int)) {
      return Comparator.comparing(
          text -> text.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);
    }
    return isUnsigned()
        ? Comparator.comparing(Long::parseUnsignedLong, Long::compareUnsigned)
        : Comparator.comparingLong(Long::parseLong);
  }
}
