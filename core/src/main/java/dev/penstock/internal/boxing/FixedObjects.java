package dev.penstock.internal.boxing;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Makes objects of values of a fixed width.
final class FixedObjects extends ObjectMaker {
  private final ValueBoxer boxer;
  private final int bytesEach;
  private MemorySegment values = MemorySegment.NULL;
  private @Nullable MemorySegment validity;

  FixedObjects(DataType type) {
    this.boxer = ValueBoxer.of(type);
    this.bytesEach =
        switch (type) {
          case DataType.Bool _ -> 0;
          case DataType.Decimal _ -> 40 + 64; // most are small
          case DataType.FixedBinary _, DataType.Interval _ -> ARRAY_BYTES + type.byteWidth();
          case DataType.Uuid _ -> 32;
          case DataType.Date _, DataType.Time _, DataType.Timestamp _ -> 24;
          default -> 16;
        };
  }

  @Override
  public void bind(ColumnSlice slice) {
    values = slice.values();
    validity = slice.validity();
  }

  @Override
  public long make(int from, int count, @Nullable Object[] objects, int to)
      throws BadValueException {
    for (int i = 0; i < count; i++) {
      boolean present = isPresent(validity, from + i);
      objects[to + i] = present ? boxer.box(values, from + i) : null;
    }
    return (long) count * bytesEach;
  }
}
