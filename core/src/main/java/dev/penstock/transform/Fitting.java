package dev.penstock.transform;

import dev.penstock.internal.choice.Choices;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// One pass over the rows that finds the numbers of transforms.
///
/// The [Moments] of each block are computed separately and merged in block order: the result is the
/// same, bit for bit, no matter which worker read which block.
final class Fitting {
  private final Preprocessing before;
  private final List<Fit> fits;
  private final Set<String> numbers = new LinkedHashSet<>();
  private final Map<String, Categories> categories = new LinkedHashMap<>();

  /// Prepares the pass.
  ///
  /// @param before the transforms to apply first
  /// @param columns the columns of the rows after those transforms
  private Fitting(Preprocessing before, Schema columns, List<Fit> fits) {
    this.before = before;
    this.fits = fits;
    Set<String> seen = new LinkedHashSet<>();
    for (Fit fit : fits) {
      for (String column : fit.columns()) {
        if (!seen.add(column)) {
          throw new IllegalArgumentException(
              "Cannot fit column '" + column + "' twice: fit it again with fitNext.");
        }
        Field field = require(columns, column);
        if (fit instanceof Fit.OneHotting oneHot) {
          categories.put(column, new Categories(field, oneHot.maxCategories()));
        } else {
          Numbers.require(ColumnBlock.empty(columns), column);
          numbers.add(column);
        }
      }
    }
  }

  private static Field require(Schema columns, String column) {
    int place = columns.indexOf(column);
    if (place < 0) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot fit column '%s': no such column. %s",
              column, Choices.listed("Columns", column, columns.names())));
    }
    return columns.fields().get(place);
  }

  static List<ColumnTransform> fit(BlockSource source, Preprocessing before, List<Fit> fits) {
    if (fits.isEmpty()) {
      return List.of();
    }
    Schema schema = source.schema();
    Schema columns = before.apply(ColumnBlock.empty(schema), Preprocessing.NOWHERE).schema();
    Fitting fitting = new Fitting(before, columns, fits);
    Set<String> read = new TreeSet<>(schema.names());
    read.retainAll(fitting.needed());
    Map<String, Moments> sums = new HashMap<>();
    for (Map<String, Moments> block : source.mapBlocks(List.copyOf(read), fitting::learn)) {
      block.forEach((column, moments) -> sums.merge(column, moments, Moments::and));
    }
    return fitting.made(sums);
  }

  private Set<String> needed() {
    Set<String> needed = new LinkedHashSet<>(numbers);
    needed.addAll(categories.keySet());
    before.transforms().forEach(each -> needed.add(each.column()));
    return needed;
  }

  private Map<String, Moments> learn(ColumnBlock block) {
    ColumnBlock ready = before.apply(block, Preprocessing.NOWHERE);
    categories.values().forEach(each -> each.add(ready));
    Map<String, Moments> moments = new HashMap<>();
    for (String column : numbers) {
      moments.put(column, Moments.of(ready.doubles(column)));
    }
    return moments;
  }

  private List<ColumnTransform> made(Map<String, Moments> sums) {
    List<ColumnTransform> made = new ArrayList<>();
    for (Fit fit : fits) {
      for (String column : fit.columns()) {
        made.add(
            switch (fit) {
              case Fit.Standardizing _ -> {
                Moments moments = finite(column, sums);
                requireRoom(column, moments.mean());
                requireRoom(column, moments.deviation());
                yield new Standardize(column, moments.mean(), moments.deviation());
              }
              case Fit.MinMaxing _ -> {
                Moments moments = finite(column, sums);
                requireRoom(column, moments.max() - moments.min());
                yield new MinMax(column, moments.min(), moments.max());
              }
              case Fit.Bucketizing(List<String> _, int buckets) -> {
                Moments moments = finite(column, sums);
                requireRoom(column, moments.max() - moments.min());
                yield new Bucketize(column, edges(moments.min(), moments.max(), buckets));
              }
              case Fit.OneHotting(List<String> _, int _, boolean ignoreUnknown) ->
                  new OneHot(column, found(column).sorted(), ignoreUnknown);
            });
      }
    }
    return made;
  }

  private Categories found(String column) {
    return Objects.requireNonNull(categories.get(column));
  }

  private static Moments finite(String column, Map<String, Moments> sums) {
    Moments moments = sums.getOrDefault(column, Moments.NONE);
    if (moments.count() == 0) {
      throw new IllegalArgumentException(
          "Cannot fit column '" + column + "': there is no number in it but nulls and NaN.");
    }
    if (Double.isInfinite(moments.min()) || Double.isInfinite(moments.max())) {
      throw new IllegalArgumentException(
          "Cannot fit column '"
              + column
              + "': it has an infinity. Filter such rows, or fit behind a Clip.");
    }
    return moments;
  }

  private static void requireRoom(String column, double result) {
    if (!Double.isFinite(result)) {
      throw new IllegalArgumentException(
          "Cannot fit column '"
              + column
              + "': its numbers are too far apart for a double. Fit behind a Clip.");
    }
  }

  /// Returns the inner edges, as numpy's `linspace(min, max, buckets + 1)[1:-1]`, without
  /// duplicates.
  private static List<Double> edges(double min, double max, int buckets) {
    double step = (max - min) / buckets;
    List<Double> edges = new ArrayList<>();
    double last = min;
    for (int i = 1; i < buckets; i++) {
      double edge = min + step * i;
      if (edge > last && edge < max) {
        edges.add(edge);
        last = edge;
      }
    }
    return edges;
  }
}
