package dev.penstock.blackbox.contract;

import dev.penstock.filter.Filter;
import dev.penstock.filter.Fold;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.tck.internal.NaiveFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Filters that may test folds, too, beside plain evaluations of them.
final class FoldFilters {
  private static final Filter ALWAYS = Filter.fold(List.of(), 1, 0).eq(0);

  private FoldFilters() {}

  /// Makes a filter of some columns of a table, see [NaiveFilter#random].
  static NaiveFilter random(Random random, Schema schema, List<List<Object>> rows, int depth) {
    NaiveFilter filter = NaiveFilter.random(random, schema, rows, depth);
    return switch (random.nextInt(8)) {
      case 0 -> fold(random, schema);
      case 1 -> both(filter, fold(random, schema));
      default -> filter;
    };
  }

  private static NaiveFilter both(NaiveFilter filter, NaiveFilter fold) {
    return new NaiveFilter(
        new Filter.And(List.of(filter.filter(), fold.filter())),
        row -> filter.keeps(row) && fold.keeps(row));
  }

  /// Tests the fold of a key of one to three columns.
  private static NaiveFilter fold(Random random, Schema schema) {
    List<Integer> key = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      int column = random.nextInt(schema.size());
      if (NaiveFold.takes(schema.fields().get(column).type())) {
        key.add(column);
      }
    }
    if (key.isEmpty()) {
      return new NaiveFilter(new Filter.And(List.of(ALWAYS, ALWAYS)), _ -> true);
    }
    List<DataType> types = key.stream().map(c -> schema.fields().get(c).type()).toList();
    List<String> names = key.stream().map(c -> schema.fields().get(c).name()).toList();
    Fold fold = Filter.fold(names, 1 + random.nextInt(5), random.nextLong());
    int[] wanted = random.ints(random.nextInt(4), 0, fold.k()).toArray();
    return new NaiveFilter(
        fold.in(wanted),
        row -> {
          List<Object> values = new ArrayList<>();
          key.forEach(c -> values.add(row.get(c)));
          int number = NaiveFold.of(fold, types, values);
          return Arrays.stream(wanted).anyMatch(each -> each == number);
        });
  }
}
