package dev.penstock.internal.filter;

import dev.penstock.filter.Operator;
import dev.penstock.internal.filter.Condition.All;
import dev.penstock.internal.filter.Condition.Any;
import dev.penstock.internal.filter.Condition.Folded;
import dev.penstock.internal.filter.Condition.Leaf;
import dev.penstock.internal.filter.Condition.Pair;
import dev.penstock.internal.filter.Condition.Test;
import dev.penstock.spi.format.BloomFilter;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.split.RowRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Rules out rows by statistics of their columns, without reading them.
///
/// From coarse to fine, each step uses the condition left by the one before:
///
/// 1. [#reduce] with the facts about a whole file: [#constant] for its partition columns.
/// 2. [#reduce] with the statistics of a row group.
/// 3. [#mayMatch] with its bloom filters.
/// 4. [#rows] with its page index.
///
/// [RowSelector] tests the remaining rows.
///
/// **Threads.** May be called by any number of threads at once.
public final class Pruner {
  /// The most values to look up in a bloom filter, because each may need a separate read.
  private static final int BLOOM_VALUES_MAX = 256;

  private Pruner() {}

  public interface BloomFilters {
    /// Opens the filter of a column, by name or path as the condition has it; called only if
    /// statistics are inconclusive.
    Optional<BloomFilter> open(String column) throws IOException;
  }

  public interface Pages {
    /// Reads the statistics of the pages of a column as
    /// [dev.penstock.spi.format.FileFormat#pageStatistics] does; called at most once for each
    /// column, by name or path as the condition has it.
    List<PageStatistics> read(String column) throws IOException;
  }

  /// Returns the statistics, as if of one row, of a column with one value in all rows; null for
  /// null. With them [#reduce] decides every test of the column.
  public static ColumnStatistics constant(@Nullable Comparable<?> value) {
    OptionalLong none = OptionalLong.of(0);
    OptionalLong one = OptionalLong.of(1);
    return switch (value) {
      case null -> new ColumnStatistics(one, one, none, null, null);
      case Float number when number.isNaN() -> new ColumnStatistics(one, none, one, null, null);
      case Double number when number.isNaN() -> new ColumnStatistics(one, none, one, null, null);
      case Float number when number == 0 ->
          new ColumnStatistics(one, none, none, new Bound(-0f, false), new Bound(0f, false));
      case Double number when number == 0 ->
          new ColumnStatistics(one, none, none, new Bound(-0d, false), new Bound(0d, false));
      default ->
          new ColumnStatistics(one, none, none, new Bound(value, true), new Bound(value, true));
    };
  }

  /// Removes from a condition the parts that statistics decide. `statistics` returns, for a
  /// column's name or path, those of its values in some rows, or [ColumnStatistics#UNKNOWN].
  ///
  /// The result is true for the same of these rows: [Condition#never] if no row can match,
  /// [Condition#always] if all do. Columns that statistics decide completely are no longer in it.
  public static Condition reduce(
      Condition condition, Function<String, ColumnStatistics> statistics) {
    return switch (condition) {
      case All(List<Condition> parts) -> reduce(parts, true, statistics);
      case Any(List<Condition> parts) -> reduce(parts, false, statistics);
      case Leaf leaf -> LeafPruner.reduce(leaf, statistics.apply(leaf.column()));
      case Pair pair ->
          PairPruner.reduce(pair, statistics.apply(pair.left()), statistics.apply(pair.right()));
      case Folded folded -> FoldFilter.reduce(folded, statistics);
    };
  }

  private static Condition reduce(
      List<Condition> parts, boolean all, Function<String, ColumnStatistics> statistics) {
    List<Condition> left = new ArrayList<>();
    for (Condition part : parts) {
      Condition reduced = reduce(part, statistics);
      if (all ? reduced.isNever() : reduced.isAlways()) {
        return reduced;
      }
      if (all ? !reduced.isAlways() : !reduced.isNever()) {
        left.add(reduced);
      }
    }
    if (left.size() == 1) {
      return left.getFirst();
    }
    return all ? new All(List.copyOf(left)) : new Any(List.copyOf(left));
  }

  /// Returns false only if no row matches according to the bloom filters of a row group. The
  /// condition is what [#reduce] left of it with the row group's statistics.
  public static boolean mayMatch(Condition condition, BloomFilters filters) throws IOException {
    switch (condition) {
      case All(List<Condition> parts) -> {
        for (Condition part : parts) {
          if (!mayMatch(part, filters)) {
            return false;
          }
        }
        return true;
      }
      case Any(List<Condition> parts) -> {
        for (Condition part : parts) {
          if (mayMatch(part, filters)) {
            return true;
          }
        }
        return false;
      }
      case Leaf leaf -> {
        return leaf.negated() || mayMatch(leaf, filters);
      }
      case Pair _, Folded _ -> {
        return true;
      }
    }
  }

  private static boolean mayMatch(Leaf leaf, BloomFilters filters) throws IOException {
    List<Comparable<?>> values =
        switch (leaf.test()) {
          case Test.Compare(Operator operator, Comparable<?> value) when operator == Operator.EQ ->
              List.of(value);
          case Test.OneOf(List<Comparable<?>> several) -> several;
          default -> List.of();
        };
    if (values.isEmpty() || values.size() > BLOOM_VALUES_MAX) {
      return true;
    }
    Optional<BloomFilter> filter = filters.open(leaf.column());
    if (filter.isEmpty()) {
      return true;
    }
    for (Comparable<?> value : values) {
      if (filter.get().mightContain(value)) {
        return true;
      }
    }
    return false;
  }

  /// Returns the rows of a row group that may match according to the statistics of its pages:
  /// numbered as `rowGroup` is, ascending and apart from each other.
  public static List<RowRange> rows(Condition condition, RowRange rowGroup, Pages pages)
      throws IOException {
    Map<String, List<PageStatistics>> cache = new HashMap<>();
    Pages once =
        column -> {
          List<PageStatistics> read = cache.get(column);
          if (read == null) {
            read = pages.read(column);
            cache.put(column, read);
          }
          return read;
        };
    return open(condition, rowGroup, once);
  }

  private static List<RowRange> open(Condition condition, RowRange rowGroup, Pages pages)
      throws IOException {
    return switch (condition) {
      case All(List<Condition> parts) -> {
        List<RowRange> rows = List.of(rowGroup);
        for (int i = 0; i < parts.size() && !rows.isEmpty(); i++) {
          rows = RowRanges.both(rows, open(parts.get(i), rowGroup, pages));
        }
        yield rows;
      }
      case Any(List<Condition> parts) -> {
        List<RowRange> rows = List.of();
        for (Condition part : parts) {
          rows = RowRanges.either(rows, open(part, rowGroup, pages));
        }
        yield rows;
      }
      case Leaf leaf -> open(leaf, rowGroup, pages.read(leaf.column()));
      // The pages of two columns have different rows.
      case Pair _, Folded _ -> List.of(rowGroup);
    };
  }

  private static List<RowRange> open(Leaf leaf, RowRange rowGroup, List<PageStatistics> pages) {
    if (pages.isEmpty()) {
      return List.of(rowGroup);
    }
    List<RowRange> rows = new ArrayList<>();
    for (PageStatistics page : pages) {
      if (page.rowCount() > 0 && LeafPruner.mayMatch(leaf, page.statistics())) {
        rows.add(new RowRange(rowGroup.offset() + page.firstRow(), page.rowCount()));
      }
    }
    return RowRanges.either(rows, List.of());
  }
}
