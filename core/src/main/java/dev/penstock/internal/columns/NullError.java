package dev.penstock.internal.columns;

import dev.penstock.batch.NullValueException;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.slices.Validity;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Makes the error for a null that is not allowed.
public interface NullError {
  NullValueException at(int index);

  /// One of the methods of [NullValueException].
  interface Named {
    NullValueException of(String column, String row, String file);
  }

  static NullError in(Rows rows, String column, Named error) {
    return row -> {
      RowOrigin origin = rows.origin(row);
      return error.of(column, origin.row(), origin.file().text());
    };
  }

  /// Throws the error of the first null among some values; without bits, none is null.
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
