package dev.penstock.internal.checked;

import dev.penstock.filter.Operator;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.filter.Condition.Test;
import dev.penstock.internal.filter.FileRowNumbers;
import dev.penstock.internal.filter.RowSelector;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// What a file states of a column's values, in row groups and pages, compared with the values.
final class ColumnFacts {
  private final List<Fact> facts;
  private long next; // the first row that was not compared

  private ColumnFacts(List<Fact> facts) {
    this.facts = facts;
  }

  /// Returns what a file states of the rows of a reader, for each of its columns.
  static List<ColumnFacts> of(
      CheckedFormat format,
      StorageFile file,
      FileMetadata metadata,
      Schema columns,
      long firstRow,
      long rowCount)
      throws IOException {
    List<ColumnFacts> all = new ArrayList<>();
    for (Field column : columns.fields()) {
      List<Fact> facts = new ArrayList<>();
      long start = 0;
      List<RowGroup> groups = metadata.rowGroups();
      for (int group = 0; group < groups.size(); group++) {
        long end = start + groups.get(group).rowCount();
        boolean isRead = start < firstRow + rowCount && firstRow < end;
        if (isRead && CheckedMetadata.boundClass(column.type()) != null) {
          Contract contract =
              new Contract(
                  "format '" + format.name() + "'",
                  format.format().getClass().getName(),
                  file.location());
          String place = CheckedMetadata.place(group, column.name());
          ColumnStatistics stated = metadata.statistics(group, column.name());
          facts.add(new Fact(contract, place, column, start, end, stated));
          int number = 0;
          for (PageStatistics page : format.pageStatistics(file, metadata, group, column.name())) {
            long first = start + page.firstRow();
            String at = place + ", page " + number++;
            facts.add(
                new Fact(contract, at, column, first, first + page.rowCount(), page.statistics()));
          }
        }
        start = end;
      }
      all.add(new ColumnFacts(facts));
    }
    return all;
  }

  /// Compares a slice, unless it was compared before.
  void check(ColumnSlice slice, long firstRow) {
    if (firstRow >= next) {
      next = firstRow + slice.rowCount();
      facts.forEach(fact -> fact.check(slice, firstRow));
    }
  }

  /// What is stated of the rows `[first, end)`.
  private static final class Fact {
    private final Contract contract;
    private final String place;
    private final Field column;
    private final long first;
    private final long end;
    private final ColumnStatistics stated;
    private long rows; // that were compared
    private long nulls;
    private long nans;

    Fact(
        Contract contract,
        String place,
        Field column,
        long first,
        long end,
        ColumnStatistics stated) {
      this.contract = contract;
      this.place = place;
      this.column = column;
      this.first = first;
      this.end = end;
      this.stated = stated;
    }

    void check(ColumnSlice slice, long firstRow) {
      long from = Math.max(first, firstRow);
      long to = Math.min(end, firstRow + slice.rowCount());
      if (from >= to) {
        return;
      }
      requireNone(slice, firstRow, stated.lower(), Operator.LT, "below the lower bound");
      requireNone(slice, firstRow, stated.upper(), Operator.GT, "above the upper bound");
      rows += to - from;
      nulls += rows(slice, firstRow, new Test.IsNull()).count();
      if (stated.nanCount().isPresent()) {
        nans += rows(slice, firstRow, new Test.IsNaN()).count();
      }
      if (rows == end - first) {
        requireEqual(stated.nullCount(), nulls, "nulls");
        requireEqual(stated.nanCount(), nans, "NaN");
      }
    }

    private void requireNone(
        ColumnSlice slice, long firstRow, @Nullable Bound bound, Operator operator, String what) {
      if (bound == null) {
        return;
      }
      Comparable<?> value = inCondition(bound, operator);
      OptionalLong row = rows(slice, firstRow, new Test.Compare(operator, value)).findFirst();
      if (row.isPresent()) {
        throw contract.broken(
            place + ", row " + row.getAsLong(),
            "gave a value "
                + what
                + " "
                + bound.value()
                + " of the statistics, or the file is damaged");
      }
    }

    /// Returns the bound as a condition has it: without -0.0, and a decimal in the column's scale.
    private Comparable<?> inCondition(Bound bound, Operator operator) {
      return switch (bound.value()) {
        case Double number -> number + 0.0;
        case Float number -> number + 0.0f;
        case BigDecimal number when column.type() instanceof DataType.Decimal(int _, int scale) ->
            number.setScale(
                scale, operator == Operator.LT ? RoundingMode.CEILING : RoundingMode.FLOOR);
        default -> bound.value();
      };
    }

    private void requireEqual(OptionalLong count, long found, String what) {
      if (count.orElse(found) != found) {
        throw contract.broken(
            place,
            "stated "
                + count.getAsLong()
                + " "
                + what
                + " but gave "
                + found
                + ", or the file is damaged");
      }
    }

    /// Returns those of the stated rows that pass a test.
    private LongStream rows(ColumnSlice slice, long firstRow, Test test) {
      RowSelector selector =
          new RowSelector(
              new Condition.Leaf(column.name(), column.type(), test, false),
              new FileRowNumbers("", LongUnaryOperator.identity()));
      int count = selector.select(firstRow, slice.rowCount(), _ -> slice);
      return Arrays.stream(selector.numbers(), 0, count)
          .mapToLong(number -> firstRow + number)
          .filter(row -> row >= first && row < end);
    }
  }
}
