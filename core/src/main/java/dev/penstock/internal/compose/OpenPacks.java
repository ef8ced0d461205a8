package dev.penstock.internal.compose;

import java.util.Arrays;
import java.util.BitSet;

/// Packs that have room.
///
/// Best fit: D. S. Johnson, Near-optimal bin packing algorithms, 1973.
final class OpenPacks {
  private static final int NONE = -1;

  private final int length;
  private final BitSet rooms = new BitSet(); // in which some pack has room for so many
  private final int[] last; // by room, the last pack that has it
  private int[] before = new int[64]; // by pack, the one before it with the same room
  private int packs;

  OpenPacks(int length) {
    this.length = length;
    this.last = new int[length + 1];
    Arrays.fill(last, NONE);
  }

  /// Puts `count`, at least 1 and at most the length of a pack, into the pack where it leaves least
  /// room, or into a new one; returns the number of the pack, from 0.
  int put(int count) {
    int room = rooms.nextSetBit(count);
    int pack = room < 0 ? packs++ : take(room);
    int left = (room < 0 ? length : room) - count;
    if (pack == before.length) {
      before = Arrays.copyOf(before, 2 * pack);
    }
    if (left > 0) {
      before[pack] = last[left];
      last[left] = pack;
      rooms.set(left);
    }
    return pack;
  }

  private int take(int room) {
    int pack = last[room];
    last[room] = before[pack];
    if (before[pack] == NONE) {
      rooms.clear(room);
    }
    return pack;
  }
}
