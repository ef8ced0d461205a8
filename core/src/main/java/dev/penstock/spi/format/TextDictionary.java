package dev.penstock.spi.format;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The distinct variable-width values that the codes of a [ColumnSlice] refer to.
///
/// Slices that share a dictionary share the instance, and an instance equals only itself: another
/// one may have other values in the same memory.
///
/// **Ownership.** As the slice's.
///
/// @param size how many values
/// @param values their bytes, one after another
/// @param offsets `size + 1` 32-bit offsets into `values`, rising
public record TextDictionary(int size, MemorySegment values, MemorySegment offsets) {
  @Override
  @SuppressWarnings("ReferenceEquality")
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
