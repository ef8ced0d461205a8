package dev.penstock.transform;

import dev.penstock.internal.choice.Choices;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// Replaces a column by one boolean column for each of its categories, as scikit-learn's
/// `OneHotEncoder`: `origin` with the categories `ATL` and `ORD` becomes `origin_ATL` and
/// `origin_ORD`, in its place. In a feature matrix they are 0 and 1.
///
/// A null is not a category: all its columns are false. A value outside the categories is an error,
/// or optionally has all columns false.
///
/// @param column the column, of strings, integers or booleans
/// @param categories the categories as text, integers in decimal, booleans as `true` and `false`;
///   at least one, all different
/// @param ignoreUnknown whether a value outside the categories is accepted
public record OneHot(String column, List<String> categories, boolean ignoreUnknown)
    implements ColumnTransform {
  /// Copies the categories. Throws [IllegalArgumentException] if there is none, or one is there
  /// twice.
  public OneHot {
    categories = Choices.given("The categories of column '" + column + "'", categories);
    if (categories.isEmpty()) {
      throw new IllegalArgumentException(
          "The one-hot columns of column '" + column + "' need at least one category.");
    }
    HashSet<String> seen = new HashSet<>();
    for (String category : categories) {
      if (!seen.add(category)) {
        throw new IllegalArgumentException(
            "The categories of column '" + column + "' have '" + category + "' twice.");
      }
    }
  }

  /// {@return the transform with given categories of strings, in the given order} Any other value
  /// is an error.
  ///
  /// @param column the column
  /// @param categories at least one, all different
  /// @throws IllegalArgumentException if there is no category, or one is there twice
  public static OneHot of(String column, String... categories) {
    return new OneHot(column, Arrays.asList(categories), false);
  }

  /// {@return the transform with given categories of integers, in the given order} Any other value
  /// is an error.
  ///
  /// @param column the column
  /// @param categories at least one, all different
  /// @throws IllegalArgumentException if there is no category, or one is there twice
  public static OneHot of(String column, long... categories) {
    return new OneHot(column, Arrays.stream(categories).mapToObj(Long::toString).toList(), false);
  }

  /// {@return the transform that accepts values outside the categories: all their columns are
  /// false}
  public OneHot ignoringUnknown() {
    return new OneHot(column, categories, true);
  }

  /// Returns the names of the columns: `column_category`.
  @Override
  public List<String> outputs() {
    return categories.stream().map(category -> column + "_" + category).toList();
  }

  @Override
  public ColumnBlock apply(ColumnBlock block, TransformContext context) {
    ColumnSlice _ = block.slice(column); // its error lists the existing columns
    Field field = block.schema().fields().get(block.schema().indexOf(column));
    int[] codes = codes(block, field);
    byte[][] bits = new byte[categories.size()][(codes.length + 7) / 8];
    for (int row = 0; row < codes.length; row++) {
      if (codes[row] >= 0) {
        bits[codes[row]][row >>> 3] |= (byte) (1 << (row & 7));
      }
    }
    List<String> names = outputs();
    List<Field> fields = new ArrayList<>();
    List<ColumnSlice> slices = new ArrayList<>();
    for (Field each : block.schema().fields()) {
      if (!each.equals(field)) {
        fields.add(each);
        slices.add(block.slice(each.name()));
      } else {
        for (int i = 0; i < bits.length; i++) {
          fields.add(new Field(names.get(i), new DataType.Bool(), false));
          slices.add(
              ColumnSlice.fixed(
                  new DataType.Bool(), codes.length, 0, null, MemorySegment.ofArray(bits[i])));
        }
      }
    }
    return block.withColumns(fields, slices);
  }

  /// Returns the index of each row's category, or -1 if it has none.
  private int[] codes(ColumnBlock block, Field field) {
    int[] codes = new int[block.rowCount()];
    boolean[] present = block.present(column);
    switch (field.type()) {
      case DataType.Utf8 _ -> {
        Map<String, Integer> places = places();
        String[] values = block.strings(column);
        for (int i = 0; i < codes.length; i++) {
          Integer place = places.get(values[i]);
          codes[i] = !present[i] ? -1 : place != null ? place : unknown(values[i]);
        }
      }
      case DataType.Int(int bits, boolean signed) -> {
        boolean unsigned = bits == 64 && !signed;
        Map<Long, Integer> places = integers(unsigned);
        long[] values = block.longs(column);
        for (int i = 0; i < codes.length; i++) {
          Integer place = places.get(values[i]);
          codes[i] = !present[i] ? -1 : place != null ? place : unknown(text(values[i], unsigned));
        }
      }
      case DataType.Bool _ -> {
        Map<String, Integer> places = places();
        boolean[] values = block.booleans(column);
        for (int i = 0; i < codes.length; i++) {
          String value = Boolean.toString(values[i]);
          Integer place = places.get(value);
          codes[i] = !present[i] ? -1 : place != null ? place : unknown(value);
        }
      }
      default -> throw Numbers.refuse(field, "strings, integers or booleans");
    }
    return codes;
  }

  static String text(long value, boolean unsigned) {
    return unsigned ? Long.toUnsignedString(value) : Long.toString(value);
  }

  private Map<String, Integer> places() {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < categories.size(); i++) {
      places.put(categories.get(i), i);
    }
    return places;
  }

  private Map<Long, Integer> integers(boolean unsigned) {
    Map<Long, Integer> places = new HashMap<>();
    for (int i = 0; i < categories.size(); i++) {
      String category = categories.get(i);
      try {
        places.put(unsigned ? Long.parseUnsignedLong(category) : Long.parseLong(category), i);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Cannot transform column '%s': it has integers but the category '%s' is none in 64"
                    + " bits.",
                column, category),
            e);
      }
    }
    return places;
  }

  private int unknown(String value) {
    if (ignoreUnknown) {
      return -1;
    }
    throw new IllegalArgumentException(
        Sentence.of(
            "Cannot transform column '%s': '%s' is not one of its %s categories. Add it, or use"
                + " ignoringUnknown().",
            column, value, categories.size()));
  }

  @Override
  public String toString() {
    return Sentence.of(
        "one-hot %s: categories %s%s",
        column, categories, ignoreUnknown ? ", others ignored" : ", others refused");
  }
}
