package dev.penstock.internal.matches;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.format.RowSet;
import dev.penstock.split.RowRange;
import dev.penstock.storage.Location;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KnownMatchesTest {
  private static final Location FILE = Location.of(Path.of("file.parquet"));

  private static RowSet set(BitSet matches, int from, int to) {
    RowSet set = new RowSet(from);
    long[] rows = matches.stream().filter(row -> row >= from && row < to).asLongStream().toArray();
    set.add(rows, rows.length, to);
    set.finish();
    return set;
  }

  /// Rows are known when what was tested covers them, however it was cut, and then rightly.
  @Seeded(runs = 60)
  void whatWasTestedIsKnown(Random random) throws IOException {
    int rows = 1 + random.nextInt(50_000);
    BitSet matches = new BitSet();
    double share = random.nextInt(3) / 2.0 * random.nextDouble();
    IntStream.range(0, rows).filter(_ -> random.nextDouble() < share).forEach(matches::set);
    KnownMatches known = new KnownMatches();
    BitSet tested = new BitSet();
    for (int step = 0; step < 30; step++) {
      int from = random.nextInt(rows);
      int to = Math.min(rows, from + 1 + random.nextInt(rows / (1 + random.nextInt(9)) + 1));
      if (step % 2 == 0) {
        known.add(FILE, from, to, set(matches, from, to));
        tested.set(from, to);
        assertThat(known.rows(FILE, from, to)).as("what was just tested").isNotNull();
      } else {
        KnownRange found = known.rows(FILE, from, to);
        assertThat(found != null).isEqualTo(tested.nextClearBit(from) >= to);
        if (found != null) {
          check(found, matches, from, to, random);
        }
      }
    }
  }

  private static void check(KnownRange found, BitSet matches, int from, int to, Random random)
      throws IOException {
    List<Integer> expected = new ArrayList<>();
    matches.stream().filter(row -> row >= from && row < to).forEach(expected::add);
    assertThat(found.count()).isEqualTo(expected.size());

    RowMatcher choice = found.matcher();
    List<Integer> chosen = new ArrayList<>();
    for (int row = from; row < to; ) {
      int most = 1 + random.nextInt(Math.min(10_000, to - row));
      int looked = choice.look(row, most);
      if (random.nextInt(4) == 0) { // fewer of the same rows
        looked = choice.look(row, 1 + random.nextInt(looked));
      }
      assertThat(looked).isBetween(1, most);
      int first = row;
      int[] numbers = choice.numbers();
      Arrays.stream(numbers, 0, choice.count()).forEach(number -> chosen.add(first + number));
      row += looked + (random.nextInt(9) == 0 ? gap(matches, row + looked, to) : 0);
    }
    assertThat(chosen).isEqualTo(expected);

    int gap = random.nextInt(3);
    int middle = from + 1 + random.nextInt(to - from);
    List<RowRange> ranges = new ArrayList<>(List.of(new RowRange(from, middle - from)));
    if (middle + gap < to) {
      ranges.add(new RowRange(middle + gap, to - middle - gap));
      expected.removeIf(row -> row >= middle && row < middle + gap);
    } else {
      expected.removeIf(row -> row >= middle);
    }
    BitSet trimmed = new BitSet();
    for (RowRange range : found.trim(ranges)) {
      assertThat(trimmed.length()).isLessThanOrEqualTo((int) range.offset());
      assertThat(matches.get((int) range.end() - 1)).as("its last row").isTrue();
      trimmed.set((int) range.offset(), (int) range.end());
    }
    expected.forEach(row -> assertThat(trimmed.get(row)).isTrue());
  }

  /// Returns how many rows follow that do not match.
  private static int gap(BitSet matches, int row, int to) {
    int next = matches.nextSetBit(row);
    return (next < 0 ? to : Math.min(to, next)) - row;
  }

  @Test
  void noMoreIsKeptThanMayBe() {
    BitSet matches = new BitSet();
    IntStream.range(0, 1000).map(i -> 100 * i).forEach(matches::set);
    KnownMatches known = new KnownMatches(3500);
    for (int round = 0; round < 3; round++) {
      for (int from = 0; from < 100_000; from += 10_000) { // 200 bytes of matches each, and more
        known.add(FILE, from, from + 10_000, set(matches, from, from + 10_000));
      }
      assertThat(known.rows(FILE, 0, 100_000)).isNull();
      KnownRange some = known.rows(FILE, 0, 60_000);
      assertThat(some).isNotNull();
      assertThat(some.count()).isEqualTo(600);
    }
    KnownMatches nothing = new KnownMatches(0);
    nothing.add(FILE, 0, 10, set(matches, 0, 10));
    assertThat(nothing.rows(FILE, 0, 10)).isNull();
  }
}
