package dev.penstock.internal.pipeline;

import dev.penstock.internal.hash.XxHash64;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The place of each text of a list, looked up by its bytes in UTF-8 without making a string.
final class CodeTable implements TextCoder {
  /* A table with open addressing, at most half full: the hash chooses the first slot, the next ones
   * follow. A slot has the whole hash, so that bytes are compared when the text is most likely
   * found, and the place plus one, so that an empty slot has 0. */

  private final MemorySegment bytes; // of all texts, one after another
  private final int[] starts;
  private final long[] hashes;
  private final int[] places;
  private final int mask;

  CodeTable(List<String> texts) {
    byte[][] encoded = new byte[texts.size()][];
    starts = new int[texts.size() + 1];
    for (int i = 0; i < encoded.length; i++) {
      encoded[i] = texts.get(i).getBytes(StandardCharsets.UTF_8);
      starts[i + 1] = Math.addExact(starts[i], encoded[i].length);
    }
    byte[] all = new byte[starts[encoded.length]];
    bytes = MemorySegment.ofArray(all);
    int slots = Integer.highestOneBit(Math.max(1, encoded.length)) * 4;
    mask = slots - 1;
    hashes = new long[slots];
    places = new int[slots];
    for (int i = 0; i < encoded.length; i++) {
      System.arraycopy(encoded[i], 0, all, starts[i], encoded[i].length);
      long hash = XxHash64.hash(encoded[i]);
      int slot = (int) hash & mask;
      while (places[slot] != 0) {
        slot = slot + 1 & mask;
      }
      hashes[slot] = hash;
      places[slot] = i + 1;
    }
  }

  @Override
  public int code(MemorySegment source, long start, int length) {
    long hash = XxHash64.hash(source, start, length);
    int slot = (int) hash & mask;
    while (places[slot] != 0) {
      int place = places[slot] - 1;
      if (hashes[slot] == hash && isAt(place, source, start, length)) {
        return place;
      }
      slot = slot + 1 & mask;
    }
    return UNKNOWN;
  }

  private boolean isAt(int place, MemorySegment source, long start, int length) {
    int from = starts[place];
    int to = starts[place + 1];
    return to - from == length
        && MemorySegment.mismatch(source, start, start + length, bytes, from, to) < 0;
  }
}
