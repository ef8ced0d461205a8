package dev.penstock.spi.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.penstock.testing.Seeded;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.LongStream;

class RowSetTest {
  /// Chunks with all rows, none, few and many, as a set of bits has them.
  @Seeded(runs = 30)
  void hasTheRowsOfASetOfBits(Random random) {
    int rows = random.nextInt(400_000);
    long firstRow = random.nextLong(1L << 40);
    BitSet bits = new BitSet();
    for (int from = 0; from < rows; ) {
      int to = Math.min(rows, from + 1 + random.nextInt(150_000));
      double share = new double[] {0, 0.001, 0.06, 0.07, 0.5, 0.999, 1}[random.nextInt(7)];
      for (int row = from; row < to; row++) {
        bits.set(row, random.nextDouble() < share);
      }
      from = to;
    }
    RowSet set = new RowSet(firstRow);
    for (int from = 0; from < rows; ) {
      int to = Math.min(rows, from + 1 + random.nextInt(20_000));
      int again = random.nextInt(3) == 0 ? random.nextInt(from + 1) : from; // is looked at twice
      long[] matches =
          LongStream.range(again, to)
              .filter(row -> bits.get((int) row))
              .map(row -> firstRow + row)
              .toArray();
      if (again == from && random.nextBoolean()) {
        BitSet marks = bits.get(from, to);
        boolean flip = random.nextBoolean();
        if (flip) {
          marks.flip(0, to - from);
        }
        long[] words = Arrays.copyOf(marks.toLongArray(), (to - from) / 64 + 1);
        if (flip) {
          set.addUnmarked(firstRow + from, words, to - from);
        } else {
          set.addMarked(firstRow + from, words, to - from);
        }
      } else {
        set.add(matches, matches.length, firstRow + to);
      }
      from = to;
    }
    set.finish();
    assertThat(set.count()).isEqualTo(bits.cardinality());
    // Each step counts the rows of a chunk: all rows took 20 s.
    int[] before = new int[rows + 1];
    for (int row = 0; row < rows; row++) {
      before[row + 1] = before[row] + (bits.get(row) ? 1 : 0);
    }
    for (int row = 0; row < rows; row += 1 + random.nextInt(20)) {
      // To put an assertion together takes longer than what it asserts.
      if (set.before(firstRow + row) != before[row]) {
        fail("before %s: %s, expected %s", row, set.before(firstRow + row), before[row]);
      }
      if (bits.get(row) && set.row(before[row]) != firstRow + row) {
        fail("match %s: %s, expected %s", before[row], set.row(before[row]), firstRow + row);
      }
    }
    assertThat(set.before(firstRow + rows)).isEqualTo(before[rows]);
    for (int i = 0; i < 20 && rows > 0; i++) {
      int from = random.nextInt(rows);
      int to = from + random.nextInt(Math.min(100_000, rows - from) + 1);
      int[] found = new int[to - from + RowSet.ROOM];
      int matches = set.between(firstRow + from, firstRow + to, found);
      assertThat(Arrays.copyOf(found, matches))
          .as("between %s and %s", from, to)
          .isEqualTo(bits.get(from, to).stream().toArray());
    }
    assertThat(set.bytes()).isLessThan(rows / 7 + 100 * (rows / 65_536 + 1));
  }
}
