package dev.penstock.internal.boxing;

import java.util.AbstractList;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/// Strings of a batch, each made when it is first read.
///
/// **Threads.** Safe for any: two may make the same string.
public final class LateStrings extends AbstractList<@Nullable String> implements RandomAccess {
  /// The strings of rows side by side.
  interface Block {
    String get(int row);
  }

  private final @Nullable Object[] values;

  /// @param values for each row a string, null, or what [LateTexts] puts there
  public LateStrings(@Nullable Object[] values) {
    this.values = values;
  }

  @Override
  public @Nullable String get(int index) {
    Object value = values[index];
    if (value instanceof Block block) {
      value = block.get(index);
      values[index] = value;
    }
    return (String) value;
  }

  @Override
  public int size() {
    return values.length;
  }
}
