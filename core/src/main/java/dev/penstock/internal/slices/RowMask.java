package dev.penstock.internal.slices;

import static dev.penstock.internal.memory.Raw.BYTE;
import static dev.penstock.internal.memory.Raw.LONG;

import dev.penstock.spi.format.RowSet;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Which rows of a slice are kept, where most are.
///
/// **Threads.** One at a time.
public final class RowMask {
  private int[] chosen = {};
  private int count;
  private int rows;
  private long[] mask = {};
  private boolean isMasked; // whether the mask is of these rows

  /// Chooses the live rows of a slice of `sliceRows` rows. Its first row has the number `first` in
  /// the file.
  public void choose(RowSet live, long first, int sliceRows) {
    if (chosen.length < sliceRows + RowSet.ROOM) {
      chosen = new int[Math.max(sliceRows, 8192) + RowSet.ROOM];
    }
    rows = sliceRows;
    count = live.between(first, first + sliceRows, chosen);
    isMasked = false;
  }

  /// Returns the rows, in `[0, count())` of the array.
  public int[] chosen() {
    return chosen;
  }

  public int count() {
    return count;
  }

  /// Returns the rows as a selection, until others are chosen.
  public Selection selection() {
    return new Selection(chosen, 0, count, 0, true, this);
  }

  public boolean areAll() {
    return count == rows;
  }

  private long[] mask() {
    if (!isMasked) {
      int words = (rows + 63) / 64;
      if (mask.length < words) {
        mask = new long[words];
      }
      Arrays.fill(mask, 0, words, 0);
      for (int i = 0; i < count; i++) {
        mask[chosen[i] >>> 6] |= 1L << chosen[i];
      }
      isMasked = true;
    }
    return mask;
  }

  /// Copies the rows' bits next to each other, the first to bit `first`, the last word as a whole;
  /// returns how many are set.
  int copyBits(MemorySegment bits, MemorySegment target, int first) {
    long[] kept = mask();
    int filled = first & 63;
    long at = first / 64 * 8L;
    long word = filled == 0 ? 0 : target.get(LONG, at) & -1L >>> -filled; // of the next word so far
    int set = 0;
    for (int i = 0; 64 * i < rows; i++) {
      long taken = Long.compress(word(bits, i), kept[i]);
      int added = Long.bitCount(kept[i]);
      set += Long.bitCount(taken);
      word |= taken << filled;
      if (filled + added >= 64) {
        target.set(LONG, at, word);
        at += 8;
        word = filled == 0 ? 0 : taken >>> (64 - filled);
      }
      filled = (filled + added) & 63;
    }
    if (filled > 0) {
      target.set(LONG, at, word);
    }
    return set;
  }

  private long word(MemorySegment bits, int index) {
    if (64 * (index + 1) <= rows) {
      return bits.get(LONG, 8L * index);
    }
    long word = 0;
    for (int i = 0; 64 * index + 8 * i < rows; i++) {
      word |= (bits.get(BYTE, 8L * index + i) & 0xFFL) << (8 * i);
    }
    return word;
  }
}
