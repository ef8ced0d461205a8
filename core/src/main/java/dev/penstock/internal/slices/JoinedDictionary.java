package dev.penstock.internal.slices;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.spi.format.Dictionary;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Copies of dictionaries, joined one after another.
///
/// **Ownership.** Owns its memory until [#release()].
///
/// **Threads.** One at a time.
final class JoinedDictionary {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private final Buffer values;
  private final Buffer offsets;
  private int size;
  private long bytes;
  private boolean isUnused; // nothing was joined since the last clear()
  private @Nullable Dictionary last; // the last one joined; only compared
  private int lastFirst; // where its entries start
  private @Nullable Dictionary joined;

  JoinedDictionary(ScratchMemory memory) {
    this.values = new Buffer(memory);
    this.offsets = new Buffer(memory);
  }

  /// Forgets all entries as soon as a different dictionary is joined.
  void clear() {
    isUnused = true;
  }

  @SuppressWarnings("ReferenceEquality") // slices that share a dictionary share the instance
  boolean isLast(Dictionary dictionary) {
    return dictionary == last;
  }

  /// Returns whether there is room: offsets have 32 bits.
  boolean hasRoom(Dictionary dictionary) {
    long taken = isUnused ? 0 : bytes;
    return taken + bytes(dictionary) <= Integer.MAX_VALUE;
  }

  private static long bytes(Dictionary dictionary) {
    MemorySegment ends = dictionary.offsets();
    return dictionary.size() == 0
        ? 0
        : ends.getAtIndex(INT, dictionary.size()) - (long) ends.getAtIndex(INT, 0);
  }

  /// Adds the entries of a dictionary, unless it was the last one joined.
  ///
  /// @return where they start: the number to add to the codes of its rows. Nulls have the code 0,
  ///   so it is 0 for a dictionary without entries
  int join(Dictionary dictionary) {
    if (!isLast(dictionary)) {
      last = null; // also if append() runs out of memory
      joined = null;
      if (isUnused) {
        size = 0;
        bytes = 0;
      }
      lastFirst = dictionary.size() == 0 ? 0 : size;
      append(dictionary);
      last = dictionary;
    }
    isUnused = false;
    return lastFirst;
  }

  private void append(Dictionary dictionary) {
    int count = dictionary.size();
    MemorySegment ends = offsets.grow((size + (long) count + 1) * 4, (size + 1L) * 4);
    ends.setAtIndex(INT, size, (int) bytes);
    if (count == 0) {
      return;
    }
    int first = dictionary.offsets().getAtIndex(INT, 0);
    long added = bytes(dictionary);
    MemorySegment target = values.grow(bytes + added, bytes);
    MemorySegment.copy(dictionary.values(), first, target, bytes, added);
    for (int i = 1; i <= count; i++) {
      int end = dictionary.offsets().getAtIndex(INT, i) - first;
      ends.setAtIndex(INT, (long) size + i, (int) (bytes + end));
    }
    size += count;
    bytes += added;
  }

  /// Returns all entries: the same instance, and valid, until others are added.
  Dictionary dictionary() {
    Dictionary all = joined;
    if (all == null) {
      all =
          new Dictionary(
              size,
              values.segment().asSlice(0, bytes),
              offsets.segment().asSlice(0, (size + 1L) * 4));
      joined = all;
    }
    return all;
  }

  long capacity() {
    return values.capacity() + offsets.capacity();
  }

  void release() {
    values.release();
    offsets.release();
    last = null;
    joined = null;
    size = 0;
    bytes = 0;
  }
}
