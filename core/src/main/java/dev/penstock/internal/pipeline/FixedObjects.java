package dev.penstock.internal.pipeline;

import dev.penstock.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Makes objects of values that all have one width.
final class FixedObjects extends ObjectMaker {
  private final FixedValue value;
  private MemorySegment values = MemorySegment.NULL;
  private @Nullable MemorySegment validity;

  FixedObjects(FixedValue value) {
    this.value = value;
  }

  @Override
  void bind(ColumnSlice slice) {
    values = slice.values();
    validity = slice.validity();
  }

  @Override
  void make(int from, int count, @Nullable Object[] objects, int to) throws BadValueException {
    for (int i = 0; i < count; i++) {
      boolean present = isPresent(validity, from + i);
      objects[to + i] = present ? value.at(values, from + i) : null;
    }
  }
}
