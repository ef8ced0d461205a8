package dev.penstock.internal.boxing;

import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes lists; a map is a list of its entries.
final class ListObjects extends ObjectMaker {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private static final int LIST_BYTES = 48; // a list and its unmodifiable wrapper

  private final ObjectMaker element;
  private @Nullable MemorySegment validity;
  private MemorySegment offsets = MemorySegment.NULL;
  private long made; // bytes, in one call

  ListObjects(ObjectMaker element) {
    this.element = element;
  }

  @Override
  public void bind(ColumnSlice slice) {
    validity = slice.validity();
    offsets = Objects.requireNonNull(slice.offsets());
    element.bind(slice.children().getFirst());
  }

  @Override
  public long make(int from, int count, @Nullable Object[] objects, int to)
      throws BadValueException {
    made = 0;
    for (int i = 0; i < count; i++) {
      objects[to + i] = isPresent(validity, from + i) ? list(from + i) : null;
    }
    return made;
  }

  private Object list(int row) throws BadValueException {
    int start = offsets.getAtIndex(INT, row);
    @Nullable Object[] elements = new Object[offsets.getAtIndex(INT, row + 1) - start];
    made += element.make(start, elements.length, elements, 0);
    made += LIST_BYTES + ARRAY_BYTES + (long) elements.length * REFERENCE_BYTES;
    return Collections.<@Nullable Object>unmodifiableList(
        Arrays.<@Nullable Object>asList(elements));
  }
}
