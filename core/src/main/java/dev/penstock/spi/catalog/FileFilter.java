package dev.penstock.spi.catalog;

import dev.penstock.filter.Filter;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.filter.FilterBinder;
import dev.penstock.internal.filter.Pruner;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnStatistics;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Tells which files may have rows that a filter keeps, by what a catalog says of their values.
///
/// **Threads.** Immutable; safe for any.
public final class FileFilter {
  private final Condition condition;

  private FileFilter(Condition condition) {
    this.condition = condition;
  }

  /// {@return a filter of files}
  ///
  /// @param filter keeps rows
  /// @param schema the columns of the table
  /// @throws IllegalArgumentException if a column does not exist, or its type cannot be compared
  ///   with the value
  public static FileFilter of(Filter filter, Schema schema) {
    return new FileFilter(FilterBinder.bind(filter, schema));
  }

  /// {@return whether a file may have a row that the filter keeps; false only if no row matches}
  ///
  /// @param statistics returns what is known of the values of a column, by its name or path, in all
  ///   rows of the file; [ColumnStatistics#UNKNOWN] if nothing is
  public boolean mayMatch(Function<String, ColumnStatistics> statistics) {
    return !Pruner.reduce(condition, statistics).isNever();
  }

  /// {@return the statistics of a column that has one value in all rows of a file; they decide
  /// every test of it}
  ///
  /// @param value the value, of the class that [dev.penstock.spi.format.Bound] names for the
  ///   column's type, or NaN; null if all rows are null
  public static ColumnStatistics constant(@Nullable Comparable<?> value) {
    return Pruner.constant(value);
  }
}
