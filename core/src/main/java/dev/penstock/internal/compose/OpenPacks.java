package dev.penstock.internal.compose;

import java.util.Arrays;
import java.util.TreeMap;

/// Packs that have room.
///
/// Best fit: D. S. Johnson, Near-optimal bin packing algorithms, 1973.
final class OpenPacks {
  private final TreeMap<Integer, Integer> byRoom = new TreeMap<>(); // the last pack of each
  private int[] before = new int[64]; // by pack, the one before it with the same room; -1 for none
  private int packs;

  /// Puts something into the pack where it leaves least room, or into a new one.
  ///
  /// @param count its size
  /// @param length the size of a new pack
  /// @return the number of the pack, from 0
  int put(int count, int length) {
    Integer room = byRoom.ceilingKey(count);
    int pack = room == null ? packs++ : take(room);
    int left = (room == null ? length : room) - count;
    if (pack == before.length) {
      before = Arrays.copyOf(before, 2 * pack);
    }
    if (left > 0) {
      Integer other = byRoom.put(left, pack);
      before[pack] = other == null ? -1 : other;
    }
    return pack;
  }

  private int take(int room) {
    int pack = byRoom.getOrDefault(room, -1);
    if (before[pack] < 0) {
      byRoom.remove(room);
    } else {
      byRoom.put(room, before[pack]);
    }
    return pack;
  }
}
