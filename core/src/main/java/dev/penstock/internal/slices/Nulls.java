package dev.penstock.internal.slices;

import dev.penstock.internal.memory.Buffer;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Which rows of a copy are null. Bits are written from the first null on.
final class Nulls {
  private final Buffer bits;
  private int count;

  Nulls(Buffer bits) {
    this.bits = bits;
  }

  void clear() {
    count = 0;
  }

  int count() {
    return count;
  }

  /// Returns the bits, as [ColumnSlice#validity] has them.
  @Nullable MemorySegment validity() {
    return count == 0 ? null : bits.segment();
  }

  /// Appends chosen rows behind the first `rows`.
  void append(@Nullable MemorySegment validity, Selection chosen, int rows) {
    int added = chosen.count();
    if (validity == null) {
      appendPresent(added, rows);
      return;
    }
    if (count == 0) {
      begin(rows, rows + added);
    }
    count += added - chosen.copyBits(validity, Bits.room(bits, rows + added), rows);
  }

  /// Appends rows with values behind the first `rows`.
  void appendPresent(int added, int rows) {
    if (count > 0) {
      Bits.set(Bits.room(bits, rows + added), rows, added, true);
    }
  }

  /// Marks the nulls among neighbouring rows of a slice at their places among `all` rows.
  void place(@Nullable MemorySegment validity, int first, int[] places, int placed, int all) {
    for (int done = 0; validity != null && done < placed; done += 64) {
      long absent = Validity.nulls(validity, first + done, Math.min(64, placed - done));
      for (; absent != 0; absent &= absent - 1) {
        if (count++ == 0) {
          begin(all, all);
        }
        Bits.set(bits.segment(), places[done + Long.numberOfTrailingZeros(absent)], false);
      }
    }
  }

  /// Makes room for bits, and sets the first ones.
  private void begin(int present, int room) {
    bits.ensure((room + 7L) / 8).asSlice(0, (present + 7L) / 8).fill((byte) -1);
  }
}
