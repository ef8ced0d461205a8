package dev.penstock.internal.planfile;

import dev.penstock.spi.format.RowSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The bytes of a block of matches: which rows of some files match the filter.
final class MatchesCode {
  private static final int NONE = 0;
  private static final int ALL = 1;
  private static final int SOME = 2; // a bit for each row, the lowest of each byte first

  private MatchesCode() {}

  /// Writes the matches of some files.
  ///
  /// @param rows how many rows each has
  static void write(BlockWriter out, List<Optional<RowSet>> matches, long[] rows) {
    long[] kinds = new long[rows.length];
    for (int i = 0; i < kinds.length; i++) {
      long count = matches.get(i).map(RowSet::count).orElse(rows[i]);
      kinds[i] = count == rows[i] ? ALL : count == 0 ? NONE : SOME;
    }
    out.numbers(kinds);
    for (int i = 0; i < kinds.length; i++) {
      if (kinds[i] == SOME) {
        bits(out, matches.get(i).orElseThrow(), rows[i]);
      }
    }
  }

  private static void bits(BlockWriter out, RowSet matches, long rows) {
    int step = 1 << 16;
    int[] found = new int[step + RowSet.ROOM];
    for (long from = 0; from < rows && !out.isFull(); from += step) {
      int part = (int) Math.min(step, rows - from);
      byte[] bits = new byte[(part + 7) / 8];
      int count = matches.between(from, from + part, found);
      for (int i = 0; i < count; i++) {
        bits[found[i] >> 3] |= (byte) (1 << (found[i] & 7));
      }
      out.raw(bits, 0, bits.length);
    }
  }

  static List<Optional<RowSet>> read(BlockReader in, long[] rows) {
    long[] kinds = in.counts(rows.length, "a kind of matches");
    List<Optional<RowSet>> read = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      BlockReader.require(kinds[i], SOME + 1L, "a kind of matches");
      RowSet matches = new RowSet(0);
      if (kinds[i] == SOME) {
        bits(in, matches, rows[i]);
      }
      matches.finish();
      read.add(kinds[i] == ALL ? Optional.empty() : Optional.of(matches));
    }
    in.requireEnd();
    return read;
  }

  private static void bits(BlockReader in, RowSet matches, long rows) {
    int step = 1 << 16;
    for (long from = 0; from < rows; from += step) {
      int part = (int) Math.min(step, rows - from);
      byte[] bits = in.raw((part + 7) / 8);
      long[] marks = new long[(part + 63) / 64];
      for (int i = 0; i < bits.length; i++) {
        marks[i / 8] |= (bits[i] & 0xffL) << (8 * (i % 8));
      }
      matches.addMarked(from, marks, part);
    }
  }
}
