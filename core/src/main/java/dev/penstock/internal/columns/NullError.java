package dev.penstock.internal.columns;

import dev.penstock.batch.NullValueException;
import dev.penstock.internal.slices.Validity;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Makes the error for a null that is not allowed.
public interface NullError {
  /// Returns the error.
  ///
  /// @param index the value
  NullValueException at(int index);

  /// Refuses nulls.
  ///
  /// @param validity one bit for each value, or null if none is null
  /// @param from the first value
  /// @param error names the first null
  /// @throws NullValueException if a value is null
  static void requireNone(@Nullable MemorySegment validity, int from, int count, NullError error)
      throws NullValueException {
    if (validity == null) {
      return;
    }
    int index = Validity.nextNull(validity, from, from + count);
    if (index < from + count) {
      throw error.at(index);
    }
  }
}
