package dev.penstock.batch;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/// The strings of a column: an unmodifiable list, null where the row is null.
public final class StringList extends AbstractList<@Nullable String> implements RandomAccess {
  private final List<@Nullable String> values;

  /// Makes a list over an array, which must no longer change.
  ///
  /// @param values one string per row
  public StringList(@Nullable String[] values) {
    this.values = Arrays.asList(values);
  }

  /// Makes a list of strings that are made when they are read.
  ///
  /// @param values one string per row, which must no longer change
  public StringList(List<@Nullable String> values) {
    this.values = values;
  }

  @Override
  public @Nullable String get(int index) {
    return values.get(index);
  }

  @Override
  public int size() {
    return values.size();
  }
}
