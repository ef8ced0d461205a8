package dev.penstock.internal.boxing;

import dev.penstock.internal.variant.VariantNames;
import dev.penstock.internal.variant.VariantValue;
import dev.penstock.spi.format.BytesView;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Makes the objects of variants, see [VariantValue#object()].
final class VariantObjects extends ObjectMaker {
  /// About how many bytes of objects a byte of a variant becomes.
  private static final int GROWTH = 8;

  private BytesView view;
  private byte[] bytes = new byte[256];
  private @Nullable VariantNames names;

  @SuppressWarnings("NullAway.Init") // bind() comes before make()
  VariantObjects() {}

  @Override
  public void bind(ColumnSlice slice) {
    view = new BytesView(slice);
  }

  @Override
  public long make(int from, int count, @Nullable Object[] objects, int to) {
    long made = 0;
    for (int i = 0; i < count; i++) {
      objects[to + i] = view.isPresent(from + i) ? object(from + i) : null;
      made += objects[to + i] == null ? 0 : (long) GROWTH * view.length();
    }
    return made;
  }

  private @Nullable Object object(int row) {
    view.find(row);
    int length = view.length();
    if (bytes.length < length) {
      bytes = new byte[Math.max(length, 2 * bytes.length)];
    }
    MemorySegment.copy(view.segment(), ValueLayout.JAVA_BYTE, view.start(), bytes, 0, length);
    VariantValue value = VariantValue.of(bytes, length, names);
    names = value.names();
    return value.object();
  }
}
