package dev.penstock.iceberg.internal.deletes;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Keys of deleted rows, each with the highest sequence number of its delete files: rows of older
/// data files are deleted.
///
/// **Threads.** One at a time adds keys; then any number may query.
sealed interface DeletedKeys {
  /// The result for a key that deletes nothing.
  long NEVER = -1;

  /// Keys of 64 bits, in a hash table with open addressing. A small filter that fits into a cache
  /// is checked first, because most rows are not deleted.
  final class Longs implements DeletedKeys {
    private static final int FILTER_BITS = 16;

    /// Up to this many keys are sorted, to test ranges exactly.
    private static final int FEW_MAX = 1 << 12;

    private long[] keys = new long[32];
    private long[] sequences = filled(32);
    private long[] filter = new long[32 * FILTER_BITS / 64];
    private int shift = 64 - 5;
    private int count;
    private long ofNull = NEVER;
    private long lowest = Long.MAX_VALUE;
    private long highest = Long.MIN_VALUE;
    private volatile long @Nullable [] few; // sorted, on first use

    void add(long key, long sequence) {
      if (count >= keys.length / 2) {
        grow();
      }
      put(key, sequence);
    }

    void addNull(long sequence) {
      ofNull = Math.max(ofNull, sequence);
    }

    private void put(long key, long sequence) {
      long hash = KeyBytes.mix(key);
      int place = place(key, hash);
      if (sequences[place] == NEVER) {
        keys[place] = key;
        lowest = Math.min(lowest, key);
        highest = Math.max(highest, key);
        count++;
        long bit = filterBit(hash);
        filter[(int) (bit >>> 6)] |= 1L << bit;
      }
      sequences[place] = Math.max(sequences[place], sequence);
    }

    private long filterBit(long hash) {
      return hash >>> (shift - 4);
    }

    /// Returns the slot of a key, or the free slot for it.
    private int place(long key, long hash) {
      int mask = keys.length - 1;
      int place = (int) (hash >>> shift);
      while (sequences[place] != NEVER && keys[place] != key) {
        place = (place + 1) & mask;
      }
      return place;
    }

    private void grow() {
      long[] oldKeys = keys;
      long[] oldSequences = sequences;
      int length = Math.multiplyExact(oldKeys.length, 2);
      if (length > 1 << 28) {
        throw new IllegalStateException("More keys are deleted than memory can hold: " + count);
      }
      keys = new long[length];
      sequences = filled(length);
      filter = new long[length / 64 * FILTER_BITS];
      shift--;
      count = 0;
      for (int i = 0; i < oldKeys.length; i++) {
        if (oldSequences[i] != NEVER) {
          put(oldKeys[i], oldSequences[i]);
        }
      }
    }

    /// Returns the highest sequence number of a key, or [#NEVER].
    long find(long key) {
      long hash = KeyBytes.mix(key);
      long bit = filterBit(hash);
      return (filter[(int) (bit >>> 6)] & 1L << bit) == 0 ? NEVER : sequences[place(key, hash)];
    }

    /// Marks the keys that are deleted.
    ///
    /// @param values the keys, in `[0, rows)`
    /// @param sequence keys with a higher sequence number than this are deleted
    /// @param hits scratch space for `rows` numbers
    /// @param gone a bit for each, set if it is deleted
    void mark(long[] values, int rows, long sequence, int[] hits, long[] gone) {
      /* Two loops: the first is branch-free and keeps only few rows, so that the processor runs
       * many filter look-ups in parallel. */
      long[] bits = filter;
      int down = shift - 4;
      int count = 0;
      for (int i = 0; i < rows; i++) {
        long bit = KeyBytes.mix(values[i]) >>> down;
        hits[count] = i;
        count += (int) (bits[(int) (bit >>> 6)] >>> bit) & 1;
      }
      for (int i = 0; i < count; i++) {
        int row = hits[i];
        long key = values[row];
        if (sequences[place(key, KeyBytes.mix(key))] > sequence) {
          gone[row >>> 6] |= 1L << row;
        }
      }
    }

    /// Returns whether a range may contain a key: exact for few keys, else whether it overlaps the
    /// range of all keys.
    boolean anyIn(long low, long high) {
      if (low > highest || high < lowest) {
        return false;
      }
      if (count > FEW_MAX) {
        return true;
      }
      long[] sorted = few;
      if (sorted == null) {
        few = sorted = sorted();
      }
      int found = Arrays.binarySearch(sorted, low);
      int place = found < 0 ? -found - 1 : found;
      return place < sorted.length && sorted[place] <= high;
    }

    private long[] sorted() {
      long[] sorted = new long[count];
      int next = 0;
      for (int i = 0; i < keys.length; i++) {
        if (sequences[i] != NEVER) {
          sorted[next++] = keys[i];
        }
      }
      Arrays.sort(sorted);
      return sorted;
    }

    long findNull() {
      return ofNull;
    }
  }

  /// Keys of any number of bytes.
  final class Bytes implements DeletedKeys {
    private int[] slots = new int[32]; // entry + 1; 0 where free
    private long[] hashes = new long[16];
    private long[] sequences = new long[16];
    private long[] starts = new long[17];
    private byte[][] chunks = new byte[1][0];
    private int count;

    private static final int CHUNK_BYTES = 1 << 20;

    void add(KeyBytes key, long sequence) {
      long hash = key.hash();
      int slot = slot(key.array(), key.length(), hash);
      if (slots[slot] > 0) {
        int entry = slots[slot] - 1;
        sequences[entry] = Math.max(sequences[entry], sequence);
        return;
      }
      if (count == hashes.length) {
        hashes = Arrays.copyOf(hashes, Math.multiplyExact(count, 2));
        sequences = Arrays.copyOf(sequences, 2 * count);
        starts = Arrays.copyOf(starts, 2 * count + 1);
      }
      hashes[count] = hash;
      sequences[count] = sequence;
      keep(key);
      slots[slot] = ++count;
      if (count > slots.length / 2) {
        rehash();
      }
    }

    /// Writes the key into the last chunk, or into a new one. The upper half of its position is the
    /// chunk number, the lower half its start.
    private void keep(KeyBytes key) {
      int chunk = chunks.length - 1;
      long end = starts[count];
      int at = (int) (end >>> 32) == chunk ? (int) end : 0;
      if (chunks[chunk].length - at < key.length() + 4) {
        chunks = Arrays.copyOf(chunks, ++chunk + 1);
        chunks[chunk] = new byte[Math.max(CHUNK_BYTES, key.length() + 4)];
        at = 0;
      }
      byte[] target = chunks[chunk];
      for (int i = 0; i < 4; i++) {
        target[at + i] = (byte) (key.length() >>> (8 * i));
      }
      System.arraycopy(key.array(), 0, target, at + 4, key.length());
      starts[count] = ((long) chunk << 32) | at;
      starts[count + 1] = ((long) chunk << 32) | (at + 4 + key.length());
    }

    private void rehash() {
      slots = new int[Math.multiplyExact(slots.length, 2)];
      for (int entry = 0; entry < count; entry++) {
        int slot = (int) (hashes[entry] >>> 20) & (slots.length - 1);
        while (slots[slot] > 0) {
          slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = entry + 1;
      }
    }

    private int slot(byte[] key, int length, long hash) {
      int mask = slots.length - 1;
      int slot = (int) (hash >>> 20) & mask;
      while (slots[slot] > 0 && !isAt(slots[slot] - 1, key, length, hash)) {
        slot = (slot + 1) & mask;
      }
      return slot;
    }

    private boolean isAt(int entry, byte[] key, int length, long hash) {
      if (hashes[entry] != hash) {
        return false;
      }
      byte[] chunk = chunks[(int) (starts[entry] >>> 32)];
      int at = (int) starts[entry];
      int stored = 0;
      for (int i = 0; i < 4; i++) {
        stored |= (chunk[at + i] & 0xFF) << (8 * i);
      }
      return stored == length && Arrays.equals(chunk, at + 4, at + 4 + length, key, 0, length);
    }

    /// Returns the highest sequence number of a key, or [#NEVER].
    long find(KeyBytes key) {
      int found = slots[slot(key.array(), key.length(), key.hash())];
      return found == 0 ? NEVER : sequences[found - 1];
    }
  }

  private static long[] filled(int length) {
    long[] made = new long[length];
    Arrays.fill(made, NEVER);
    return made;
  }
}
