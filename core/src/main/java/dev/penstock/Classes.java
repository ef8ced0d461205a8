package dev.penstock;

import dev.penstock.filter.Filter;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.transform.ColumnBlock;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;

/// The rows of a dataset by the values of a column.
final class Classes {
  private static final int MOST = 1_000;

  /// The values of a block.
  ///
  /// @param values each once
  /// @param hasNulls whether rows have none
  private record Found(Set<Comparable<?>> values, boolean hasNulls) {}

  private Classes() {}

  /// Returns a dataset for each value.
  ///
  /// @return in ascending order of values; the last one with the rows that have none, if some do
  static List<StructuredDataset> of(StructuredDataset dataset, String column) {
    Field field = dataset.columns(column).schema().fields().getFirst();
    if (!(field.type() instanceof DataType.Bool)
        && !(field.type() instanceof DataType.Utf8)
        && !(field.type() instanceof DataType.Int)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot balance by column '%s': it is %s. Expected strings, integers or"
                  + " booleans.",
              column, field.type()));
    }
    Set<Comparable<?>> values = new TreeSet<>();
    boolean hasNulls = false;
    for (Found found : dataset.mapBlocks(List.of(column), block -> found(block, column))) {
      values.addAll(found.values());
      hasNulls |= found.hasNulls();
      requireFew(values, column);
    }
    if (values.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot balance by column '" + column + "': no row has a value.");
    }
    List<StructuredDataset> classes = new ArrayList<>();
    values.forEach(value -> classes.add(kept(dataset, Filter.col(column).eq(value))));
    if (hasNulls) {
      classes.add(kept(dataset, Filter.col(column).isNull()));
    }
    return classes;
  }

  private static StructuredDataset kept(StructuredDataset dataset, Filter condition) {
    return dataset.filter(dataset.filter().map(own -> own.and(condition)).orElse(condition));
  }

  private static void requireFew(Set<Comparable<?>> values, String column) {
    if (values.size() > MOST) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot balance by column '%s': it has more than %s values, such as %s."
                  + " Expected a column of classes.",
              column, MOST, values.stream().limit(3).toList()));
    }
  }

  private static Found found(ColumnBlock block, String column) {
    boolean[] present = block.present(column);
    IntFunction<Comparable<?>> rows = rows(block, column);
    Set<Comparable<?>> values = new TreeSet<>();
    boolean hasNulls = false;
    for (int row = 0; row < present.length && values.size() <= MOST; row++) {
      if (present[row]) {
        values.add(rows.apply(row));
      } else {
        hasNulls = true;
      }
    }
    return new Found(values, hasNulls);
  }

  private static IntFunction<Comparable<?>> rows(ColumnBlock block, String column) {
    return switch (block.schema().find(column).orElseThrow().type()) {
      case DataType.Utf8 _ -> {
        String[] texts = block.strings(column);
        yield row -> texts[row];
      }
      case DataType.Bool _ -> {
        boolean[] truths = block.booleans(column);
        yield row -> truths[row];
      }
      case DataType.Int(int bits, boolean signed) when bits == 64 && !signed -> {
        long[] numbers = block.longs(column);
        yield row -> new BigDecimal(Long.toUnsignedString(numbers[row]));
      }
      default -> {
        long[] numbers = block.longs(column);
        yield row -> numbers[row];
      }
    };
  }
}
