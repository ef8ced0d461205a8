package dev.penstock.internal.boxing;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.util.AbstractMap.SimpleImmutableEntry;
import org.jspecify.annotations.Nullable;

/// Makes the entries of maps, which are never null.
final class EntryObjects extends ObjectMaker {
  private static final int ENTRY_BYTES = 24;

  private final ObjectMaker key;
  private final ObjectMaker value;

  EntryObjects(DataType.Map type) {
    this.key = of(type.key());
    this.value = of(type.value());
  }

  @Override
  public void bind(ColumnSlice slice) {
    key.bind(slice.children().get(0));
    value.bind(slice.children().get(1));
  }

  @Override
  public long make(int from, int count, @Nullable Object[] objects, int to)
      throws BadValueException {
    @Nullable Object[] keys = new Object[count];
    @Nullable Object[] values = new Object[count];
    long made = key.make(from, count, keys, 0) + value.make(from, count, values, 0);
    for (int i = 0; i < count; i++) {
      objects[to + i] =
          new SimpleImmutableEntry<@Nullable Object, @Nullable Object>(keys[i], values[i]);
    }
    return made + (long) count * ENTRY_BYTES;
  }
}
