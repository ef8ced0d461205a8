package dev.penstock.internal.filter;

import dev.penstock.filter.Operator;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.filter.Condition.All;
import dev.penstock.internal.filter.Condition.Any;
import dev.penstock.internal.filter.Condition.Folded;
import dev.penstock.internal.filter.Condition.Leaf;
import dev.penstock.internal.filter.Condition.Pair;
import dev.penstock.internal.memory.Raw;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A condition prepared for slices: removes the rows for which it is not true from a set of rows.
///
/// Only rows in the set are tested, 64 at a time. So a part of an `and` costs nothing where earlier
/// parts left no rows, and a part of an `or` nothing where earlier parts are true.
sealed interface RowFilter
    permits RowFilter.AllOf, RowFilter.AnyOf, LeafFilter, RowFilter.PairFilter, FoldFilter {
  /// Keeps the rows for which the condition is true, and returns whether any is left. `rows` has
  /// one bit per row; rows not in the set stay out.
  boolean keep(long[] rows, Slice slice);

  /// Rows to test; the first of them is counted from 0 in the file.
  record Slice(long firstRow, int rowCount, Function<String, ColumnSlice> columns) {
    /// Returns the values of a column, which must have the type that the condition was bound to;
    /// null for any.
    ColumnSlice column(String name, @Nullable DataType type) {
      ColumnSlice column = columns.apply(name);
      if (column.rowCount() != rowCount) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Cannot filter by column '%s': it has %s rows but expected %s.",
                name, column.rowCount(), rowCount));
      }
      if (type != null && !column.type().equals(type)) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Cannot filter by column '%s': it is %s but the filter was made for %s.",
                name, column.type(), type));
      }
      return column;
    }
  }

  static RowFilter of(Condition condition, FileRowNumbers file) {
    return switch (condition) {
      case All(List<Condition> parts) -> new AllOf(merged(parts, file));
      case Any(List<Condition> parts) ->
          new AnyOf(parts.stream().map(part -> of(part, file)).toList());
      case Leaf leaf -> LeafFilter.of(leaf);
      case Pair pair -> PairFilter.of(pair);
      case Folded folded -> new FoldFilter(folded, file);
    };
  }

  /// Returns the tests of all parts, merging parts such as `x >= 1 and x < 5` into one test.
  private static List<RowFilter> merged(List<Condition> parts, FileRowNumbers file) {
    List<RowFilter> tests = new ArrayList<>();
    for (Condition part : parts) {
      RowFilter test = of(part, file);
      boolean joined = false;
      for (int i = 0; i < tests.size() && !joined; i++) {
        LeafFilter both =
            tests.get(i) instanceof LeafFilter mine && test instanceof LeafFilter other
                ? mine.and(other)
                : null;
        if (both != null) {
          tests.set(i, both);
          joined = true;
        }
      }
      if (!joined) {
        tests.add(test);
      }
    }
    return tests;
  }

  static int words(int rowCount) {
    return (rowCount >> 6) + ((rowCount & 63) == 0 ? 0 : 1);
  }

  /// Returns the bits of rows `[64 * word, 64 * word + 64)`; those after the last row are
  /// undefined.
  static long bits(MemorySegment bits, int word, int rowCount) {
    int left = rowCount - (word << 6);
    if (left >= 64) {
      return bits.get(Raw.LONG, (long) word << 3);
    }
    long result = 0;
    for (int i = 0; i << 3 < left; i++) {
      result |= (bits.get(Raw.BYTE, ((long) word << 3) + i) & 0xffL) << (i << 3);
    }
    return result;
  }

  record AllOf(List<RowFilter> parts) implements RowFilter {
    @Override
    public boolean keep(long[] rows, Slice slice) {
      for (int i = 0; i < parts.size(); i++) {
        if (!parts.get(i).keep(rows, slice)) {
          return false;
        }
      }
      return true;
    }
  }

  /// A comparison of two columns on the rows of a slice: first for nulls, then of the values.
  record PairFilter(Pair pair, PairOrder values) implements RowFilter {
    static PairFilter of(Pair pair) {
      return new PairFilter(pair, PairOrder.of(pair.leftType(), pair.rightType()));
    }

    @Override
    public boolean keep(long[] rows, Slice slice) {
      int rowCount = slice.rowCount();
      ColumnSlice left = slice.column(pair.left(), pair.leftType());
      ColumnSlice right = slice.column(pair.right(), pair.rightType());
      long any = 0;
      for (int w = 0; w < words(rowCount); w++) {
        long asked = rows[w];
        if (asked != 0) {
          asked &= present(left.validity(), w, rowCount) & present(right.validity(), w, rowCount);
        }
        rows[w] = keep(left, right, w, asked);
        any |= rows[w];
      }
      return any != 0;
    }

    private static long present(@Nullable MemorySegment validity, int word, int rowCount) {
      return validity == null ? -1 : bits(validity, word, rowCount);
    }

    private long keep(ColumnSlice left, ColumnSlice right, int word, long asked) {
      long kept = 0;
      for (long rest = asked; rest != 0; rest &= rest - 1) {
        int i = Long.numberOfTrailingZeros(rest);
        int order = values.order(left, right, (word << 6) + i);
        boolean holds =
            order == PairOrder.UNORDERED
                ? pair.operator() == Operator.NE
                : pair.operator().test(order);
        kept |= (holds != pair.negated() ? 1L : 0L) << i;
      }
      return kept;
    }
  }

  final class AnyOf implements RowFilter {
    private final List<RowFilter> parts;
    private long[] found = new long[0];
    private long[] open = new long[0];

    AnyOf(List<RowFilter> parts) {
      this.parts = parts;
    }

    @Override
    public boolean keep(long[] rows, Slice slice) {
      int words = words(slice.rowCount());
      if (found.length < words) {
        found = new long[words];
        open = new long[words];
      }
      Arrays.fill(found, 0, words, 0);
      long anyOpen = -1;
      for (int i = 0; i < parts.size() && anyOpen != 0; i++) {
        for (int w = 0; w < words; w++) {
          open[w] = rows[w] & ~found[w];
        }
        parts.get(i).keep(open, slice);
        anyOpen = 0;
        for (int w = 0; w < words; w++) {
          found[w] |= open[w];
          anyOpen |= rows[w] & ~found[w];
        }
      }
      long left = 0;
      for (int w = 0; w < words; w++) {
        rows[w] = found[w];
        left |= found[w];
      }
      return left != 0;
    }
  }
}
