package dev.penstock.internal.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.filter.Filter;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.BloomFilter;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.split.RowRange;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrunerTest {
  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("x", new DataType.Int(64, true), true),
              new Field("f", new DataType.Floating(64), true),
              new Field("s", new DataType.Utf8(), true),
              new Field("y", new DataType.Int(64, true), true)));

  private static Condition bind(String filter) {
    return FilterBinder.bind(Filter.parse(filter), SCHEMA);
  }

  private static OptionalLong count(long count) {
    return count < 0 ? OptionalLong.empty() : OptionalLong.of(count);
  }

  /// Statistics of so many values; -1 where a count is unknown.
  private static ColumnStatistics statistics(
      long nulls, long nans, @Nullable Comparable<?> lower, @Nullable Comparable<?> upper) {
    return new ColumnStatistics(count(10), count(nulls), count(nans), bound(lower), bound(upper));
  }

  private static @Nullable Bound bound(@Nullable Comparable<?> value) {
    return value == null ? null : new Bound(value, false);
  }

  private static String verdict(String filter, ColumnStatistics statistics) {
    Condition reduced = Pruner.reduce(bind(filter), _ -> statistics);
    return reduced.isNever() ? "never" : reduced.isAlways() ? "always" : "open";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // nulls | lower | upper | filter | verdict
        "0 | 10 | 20 | x = 9 | never",
        "0 | 10 | 20 | x = 10 | open",
        "0 | 10 | 10 | x = 10 | always",
        "1 | 10 | 10 | x = 10 | open",
        "-1 | 10 | 10 | x = 10 | open",
        "0 | 10 | 10 | x != 10 | never",
        "0 | 10 | 20 | x != 21 | always",
        "0 | 10 | 20 | x != 20 | open",
        "0 | 10 | 20 | x < 10 | never",
        "0 | 10 | 20 | x <= 10 | open",
        "0 | 10 | 20 | x < 20 | open",
        "0 | 10 | 20 | x <= 20 | always",
        "0 | 10 | 20 | x > 20 | never",
        "0 | 10 | 20 | x >= 10 | always",
        "0 | 10 | | x >= 10 | always",
        "0 | | 20 | x >= 10 | open",
        "2 | 10 | 20 | not x > 20 | open",
        "0 | 10 | 20 | not x > 20 | always",
        "0 | 10 | 20 | not x <= 20 | never",
        "0 | 10 | 20 | x in (1, 9, 21) | never",
        "0 | 10 | 20 | x in (1, 15) | open",
        "0 | 10 | 10 | x in (1, 10, 20) | always",
        "0 | 10 | 10 | x not in (1, 10, 20) | never",
        "0 | 10 | 20 | x not in (1, 21) | always",
        "-1 | 10 | 20 | x not in (1, 21) | open",
        "0 | 10 | 20 | x in () | never",
        "0 | 10 | 20 | x not in () | always",
        "0 | 10 | 20 | x is null | never",
        "0 | 10 | 20 | x is not null | always",
        "10 | | | x is null | always",
        "10 | | | x is not null | never",
        "10 | | | x = 1 or x != 1 | never",
        "-1 | | | x is null | open",
        "0 | 10 | 20 | x > 15 and x < 5 | never",
        "0 | 10 | 20 | x > 15 or x > 5 | always",
        "0 | 10 | 20 | x = 2.5 | never",
        "0 | 10 | 20 | x != 2.5 | always",
      })
  void boundsOfNumbersDecide(
      long nulls, @Nullable Long lower, @Nullable Long upper, String filter, String verdict) {
    assertThat(verdict(filter, statistics(nulls, -1, lower, upper))).isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // NaN | lower | upper | filter | verdict
        "0 | 1 | 2 | f < 3 | always",
        "-1 | 1 | 2 | f < 3 | open",
        "-1 | 1 | 2 | f >= 3 | never",
        "-1 | 1 | 2 | not f < 3 | open",
        "0 | 1 | 2 | not f < 3 | never",
        "-1 | 1 | 2 | not f >= 3 | always",
        "-1 | 1 | 1 | f != 1 | open",
        "0 | 1 | 1 | f != 1 | never",
        "-1 | 1 | 2 | f != 3 | always",
        "-1 | 1 | 2 | f not in (3, 4) | always",
        "-1 | 1 | 2 | f in (3, 4) | never",
        "-1 | 1 | 1 | f in (1) | open",
        "-1 | 1 | 2 | f is nan | open",
        "0 | 1 | 2 | f is nan | never",
        "0 | 1 | 2 | f is not nan | always",
        "10 | | | f is nan | always",
        "10 | | | f is not nan | never",
        "10 | | | f < 3 | never",
        "10 | | | f != 3 | always",
        "0 | -0.0 | 0.0 | f = 0 | always",
        "0 | -0.0 | 0.0 | f < 0 | never",
        "0 | -0.0 | 0.0 | f in (0, 1) | always",
        "0 | -0.0 | 1 | f >= 0 | always",
        "0 | -0.0 | 1 | f < 0 | never",
      })
  void boundsSayNothingAboutNaN(
      long nans, @Nullable Double lower, @Nullable Double upper, String filter, String verdict) {
    assertThat(verdict(filter, statistics(0, nans, lower, upper))).isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "abc | abd | s starts with 'ab' | always",
        "abc | abd | s not starts with 'ab' | never",
        "abc | abd | s starts with 'abd' | open",
        "abc | abd | s starts with 'abe' | never",
        "abc | abd | s starts with 'aa' | never",
        "abc | abd | s starts with 'abca' | open",
        "abc | b | s starts with 'ab' | open",
        "abc | | s starts with 'aa' | never",
        " | abc | s starts with 'abd' | never",
        "a | z | s starts with '' | always",
        "abc | abd | s like 'ab%' | always",
        "abc | abd | s like 'aa%c' | never",
        "abc | abd | s like 'ab_' | open",
        "abc | abd | s not like 'aa%c' | always",
        "abc | abd | s not like 'ab%c' | open",
        "abc | abc | s like '%b_' | always",
        "abc | abc | s not like '%b_' | never",
        "a | z | s < 'a' | never",
        "a | z | s <= 'zz' | always",
      })
  void boundsOfTextDecide(
      @Nullable String lower, @Nullable String upper, String filter, String verdict) {
    ColumnStatistics statistics =
        statistics(
            0,
            -1,
            lower == null ? null : ByteString.utf8(lower),
            upper == null ? null : ByteString.utf8(upper));
    assertThat(verdict(filter, statistics)).isEqualTo(verdict);
  }

  @Test
  void whatStatisticsDecideIsLeftOut() {
    ColumnStatistics low = statistics(0, -1, 10L, 20L);
    Function<String, ColumnStatistics> known =
        column -> column.equals("x") ? low : ColumnStatistics.UNKNOWN;
    assertThat(Pruner.reduce(bind("x > 5 and y = 1"), known)).isEqualTo(bind("y = 1"));
    assertThat(Pruner.reduce(bind("x > 25 or y = 1"), known)).isEqualTo(bind("y = 1"));
    assertThat(Pruner.reduce(bind("(x > 25 or y = 1) and (f > 0 or x > 15)"), known))
        .isEqualTo(bind("y = 1 and (f > 0 or x > 15)"));
    assertThat(Pruner.reduce(bind("x in (1, 10, 15, 20, 21)"), known))
        .isEqualTo(bind("x in (10, 15, 20)"));
    assertThat(Pruner.reduce(bind("x not in (1, 10, 15, 20, 21)"), known))
        .isEqualTo(bind("x not in (10, 15, 20)"));
  }

  @Test
  void boundsThatAreApartDecideAComparisonOfColumns() {
    ColumnStatistics low = statistics(0, -1, 1L, 5L);
    ColumnStatistics high = statistics(0, -1, 5L, 9L);
    ColumnStatistics higher = statistics(0, -1, 6L, 9L);
    ColumnStatistics nulls = statistics(1, -1, 6L, 9L);
    ColumnStatistics nothing = statistics(10, -1, null, null);

    assertThat(verdict("x < y", low, higher)).isEqualTo("always");
    assertThat(verdict("x < y", low, high)).isEqualTo("open");
    assertThat(verdict("x <= y", low, high)).isEqualTo("always");
    assertThat(verdict("x > y", low, high)).isEqualTo("never");
    assertThat(verdict("x = y", low, higher)).isEqualTo("never");
    assertThat(verdict("not x = y", low, higher)).isEqualTo("always");
    assertThat(verdict("not x = y", low, nulls)).isEqualTo("open");
    assertThat(verdict("x != y", low, nothing)).isEqualTo("never");
    assertThat(verdict("x < y", ColumnStatistics.UNKNOWN, high)).isEqualTo("open");
    assertThat(verdict("f >= x", statistics(0, -1, 7.0, 8.0), low)).isEqualTo("open");
    assertThat(verdict("f >= x", statistics(0, 0, 7.0, 8.0), low)).isEqualTo("always");
    assertThat(verdict("f < x", statistics(0, -1, 7.0, 8.0), low)).isEqualTo("never");
    assertThat(verdict("not f < x", statistics(0, -1, 7.0, 8.0), low)).isEqualTo("always");
    assertThat(verdict("f = x", statistics(0, 10, null, null), low)).isEqualTo("never");
  }

  /// Of the column that is named first, and of the other.
  private static String verdict(String filter, ColumnStatistics first, ColumnStatistics other) {
    Condition condition = bind(filter);
    String name = condition.columns().iterator().next();
    Condition reduced = Pruner.reduce(condition, column -> column.equals(name) ? first : other);
    return reduced.isNever() ? "never" : reduced.isAlways() ? "always" : "open";
  }

  @Test
  void noRowsMatchAnything() {
    ColumnStatistics none = new ColumnStatistics(count(0), count(-1), count(-1), null, null);
    assertThat(verdict("x is null", none)).isEqualTo("never");
  }

  @Nested
  class WithBloomFilters {
    private final List<Comparable<?>> asked = new ArrayList<>();

    private boolean mayMatch(String filter, Comparable<?>... there) throws IOException {
      BloomFilter bloom =
          value -> {
            asked.add(value);
            return Arrays.asList(there).contains(value);
          };
      return Pruner.mayMatch(
          bind(filter), column -> column.equals("x") ? Optional.of(bloom) : Optional.empty());
    }

    @Test
    void valuesThatAreNotThereRuleOut() throws IOException {
      assertThat(mayMatch("x = 5", 1L)).isFalse();
      assertThat(mayMatch("x = 5", 5L)).isTrue();
      assertThat(mayMatch("x in (5, 6)", 1L)).isFalse();
      assertThat(mayMatch("x in (5, 6)", 6L)).isTrue();
      assertThat(mayMatch("x = 5 or x = 6", 1L)).isFalse();
      assertThat(mayMatch("x = 5 or y = 6", 1L)).isTrue();
      assertThat(mayMatch("x = 5 and y = 6", 1L)).isFalse();
    }

    @Test
    void otherTestsAskNothing() throws IOException {
      assertThat(mayMatch("x != 5 and x > 5 and not x = 5 and x not in (5, 6) and x is null"))
          .isTrue();
      assertThat(asked).isEmpty();
    }

    @Test
    void aLongListIsNotAskedFor() throws IOException {
      StringBuilder list = new StringBuilder("0");
      for (int i = 1; i <= 256; i++) {
        list.append(", ").append(i);
      }
      assertThat(mayMatch("x in (" + list + ")")).isTrue();
      assertThat(asked).isEmpty();
    }
  }

  @Nested
  class WithPages {
    private final Map<String, List<PageStatistics>> pages = new HashMap<>();
    private final List<String> read = new ArrayList<>();

    private List<RowRange> rows(String filter) throws IOException {
      return Pruner.rows(
          bind(filter),
          new RowRange(1000, 30),
          column -> {
            read.add(column);
            return pages.getOrDefault(column, List.of());
          });
    }

    private PageStatistics page(long first, long count, long lower, long upper) {
      return new PageStatistics(
          first,
          count,
          new ColumnStatistics(count(count), count(0), count(-1), bound(lower), bound(upper)));
    }

    @Test
    void rangesOfColumnsThatDoNotAlignAreCombined() throws IOException {
      pages.put("x", List.of(page(0, 10, 0, 9), page(10, 10, 10, 19), page(20, 10, 20, 29)));
      pages.put("y", List.of(page(0, 15, 0, 14), page(15, 15, 15, 29)));
      assertThat(rows("x >= 10")).containsExactly(new RowRange(1010, 20));
      assertThat(rows("x = 5 or x = 25"))
          .containsExactly(new RowRange(1000, 10), new RowRange(1020, 10));
      assertThat(rows("x >= 10 and y < 10")).containsExactly(new RowRange(1010, 5));
      assertThat(rows("x < 5 or y < 5")).containsExactly(new RowRange(1000, 15));
      assertThat(rows("x < 5 and y > 20")).isEmpty();
      assertThat(rows("x < 5 and s = 'a'")).containsExactly(new RowRange(1000, 10));
      assertThat(rows("x < 5 or s = 'a'")).containsExactly(new RowRange(1000, 30));
    }

    @Test
    void pagesOfAColumnAreReadOnceAndOnlyWhileRowsAreLeft() throws IOException {
      pages.put("x", List.of(page(0, 30, 0, 9)));
      rows("x < 5 and x > 3 and s = 'a'");
      assertThat(read).containsExactly("x", "s");
      read.clear();
      rows("x > 10 and s = 'a'");
      assertThat(read).containsExactly("x");
    }
  }

  @Nested
  class OnRandomRows {
    private record Table(RandomRows rows, NaiveFilter naive, Filter filter, Condition condition) {
      static Table random(Random random) {
        RandomRows rows = new RandomRows(random, 1 + random.nextInt(4), 1 + random.nextInt(300));
        Filter filter = rows.filter(random.nextInt(4));
        return new Table(
            rows,
            new NaiveFilter(rows.typesByName()),
            filter,
            FilterBinder.bind(filter, rows.schema()));
      }

      List<Integer> matching(int from, int count) {
        return RowSelectorTest.naive(naive, filter, rows, from, count);
      }

      ColumnStatistics statistics(Random random, String column, int from, int count) {
        return HonestStatistics.of(random, rows, column, from, count);
      }
    }

    @Seeded(runs = 1500)
    void whatIsLeftOfAConditionKeepsTheSameRows(Random random) {
      Table table = Table.random(random);
      for (int from = 0; from < table.rows.rowCount(); ) {
        int first = from;
        int count = Math.min(table.rows.rowCount() - from, 1 + random.nextInt(100));
        Condition reduced =
            Pruner.reduce(
                table.condition, column -> table.statistics(random, column, first, count));
        assertThat(
                RowSelectorTest.selected(
                    new RowSelector(reduced, RowSelectorTest.FILE), table.rows, from, count))
            .as("rows %s to %s where %s, reduced to %s", from, from + count, table.filter, reduced)
            .isEqualTo(table.matching(from, count));
        from += count;
      }
    }

    @Seeded(runs = 300)
    void columnsOfOneValueAreDecided(Random random) {
      Table table = Table.random(random);
      for (int row = 0; row < Math.min(30, table.rows.rowCount()); row++) {
        int at = row;
        Condition reduced =
            Pruner.reduce(
                table.condition,
                column -> {
                  Object value = table.rows.value(column, at);
                  return Pruner.constant(
                      value == null ? null : RandomRows.bound(table.rows.type(column), value));
                });
        boolean kept = !table.matching(row, 1).isEmpty();
        assertThat(kept ? reduced.isAlways() : reduced.isNever())
            .as("row %s where %s is %s", row, table.filter, reduced)
            .isTrue();
      }
    }

    @Seeded(runs = 500)
    void pagesWithMatchingRowsAreOpen(Random random) throws IOException {
      Table table = Table.random(random);
      int rowCount = table.rows.rowCount();
      RowRange group = new RowRange(random.nextInt(1000), rowCount);
      List<RowRange> open =
          Pruner.rows(table.condition, group, column -> pages(random, table, column));
      long end = group.offset() - 1;
      Set<Long> rows = new HashSet<>();
      for (RowRange range : open) {
        assertThat(range.offset()).isGreaterThan(end);
        end = range.end();
        for (long row = range.offset(); row < end; row++) {
          rows.add(row);
        }
      }
      assertThat(end).isLessThanOrEqualTo(group.end());
      for (int row : table.matching(0, rowCount)) {
        assertThat(rows).as("where %s", table.filter).contains(group.offset() + row);
      }
    }

    private List<PageStatistics> pages(Random random, Table table, String column) {
      List<PageStatistics> pages = new ArrayList<>();
      for (int from = 0; from < table.rows.rowCount() && random.nextInt(200) > 0; ) {
        int count = Math.min(table.rows.rowCount() - from, random.nextInt(1 + random.nextInt(100)));
        pages.add(new PageStatistics(from, count, table.statistics(random, column, from, count)));
        from += count;
      }
      boolean whole =
          pages.stream().mapToLong(PageStatistics::rowCount).sum() == table.rows.rowCount();
      return whole ? pages : List.of();
    }

    @Seeded(runs = 500)
    void bloomFiltersRuleOutNoRowGroupWithMatchingRows(Random random) throws IOException {
      Table table = Table.random(random);
      int rowCount = table.rows.rowCount();
      Condition reduced =
          Pruner.reduce(table.condition, column -> table.statistics(random, column, 0, rowCount));
      boolean may =
          Pruner.mayMatch(
              reduced,
              column ->
                  random.nextInt(4) == 0
                      ? Optional.empty()
                      : Optional.of(bloom(random, table.rows, column)));
      if (!may) {
        assertThat(table.matching(0, rowCount)).as("where %s", table.filter).isEmpty();
      }
    }

    /// As the format's filters: exact of class, wrong at times, and equal for both zeros.
    private static BloomFilter bloom(Random random, RandomRows rows, String column) {
      Set<Object> there = new HashSet<>();
      for (int row = 0; row < rows.rowCount(); row++) {
        Object value = rows.value(column, row);
        if (value != null) {
          there.add(RandomRows.bound(rows.type(column), value));
        }
      }
      return value -> {
        for (Object each : there) {
          assertThat(value).hasSameClassAs(each);
        }
        boolean negativeZero =
            (value.equals(0f) && there.contains(-0f)) || (value.equals(0d) && there.contains(-0d));
        return there.contains(value) || negativeZero || random.nextInt(10) == 0;
      };
    }
  }
}
