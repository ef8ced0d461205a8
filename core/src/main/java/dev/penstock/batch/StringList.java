package dev.penstock.batch;

import java.util.AbstractList;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/// The strings of a column: an unmodifiable list over an array, null where the row is null.
public final class StringList extends AbstractList<@Nullable String> implements RandomAccess {
  private final @Nullable String[] values;

  /// Makes a list over an array, which must no longer change.
  ///
  /// @param values one string per row
  public StringList(@Nullable String[] values) {
    this.values = values;
  }

  @Override
  public @Nullable String get(int index) {
    return values[index];
  }

  @Override
  public int size() {
    return values.length;
  }
}
