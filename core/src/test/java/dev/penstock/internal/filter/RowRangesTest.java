package dev.penstock.internal.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.split.RowRange;
import dev.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

class RowRangesTest {
  @Seeded(runs = 300)
  void setsOfRowsAreCombinedRowByRow(Random random) {
    List<RowRange> left = ranges(random, 2);
    List<RowRange> right = ranges(random, 2);
    BitSet both = bits(left);
    both.and(bits(right));
    assertThat(RowRanges.both(left, right)).isEqualTo(ranges(both));

    List<RowRange> touching = ranges(random, 0);
    BitSet either = bits(left);
    either.or(bits(touching));
    assertThat(RowRanges.either(left, touching)).isEqualTo(ranges(either));
    assertThat(RowRanges.either(touching, left)).isEqualTo(ranges(either));
  }

  private static List<RowRange> ranges(Random random, int leastGap) {
    List<RowRange> ranges = new ArrayList<>();
    int count = random.nextInt(6);
    for (int i = 0, row = random.nextInt(5); i < count; i++) {
      RowRange range = new RowRange(row, 1 + random.nextInt(random.nextBoolean() ? 3 : 20));
      ranges.add(range);
      row = (int) range.end() + leastGap + random.nextInt(10);
    }
    return ranges;
  }

  private static BitSet bits(List<RowRange> ranges) {
    BitSet bits = new BitSet();
    ranges.forEach(range -> bits.set((int) range.offset(), (int) range.end()));
    return bits;
  }

  private static List<RowRange> ranges(BitSet bits) {
    List<RowRange> ranges = new ArrayList<>();
    for (int from = bits.nextSetBit(0); from >= 0; ) {
      int to = bits.nextClearBit(from);
      ranges.add(new RowRange(from, to - from));
      from = bits.nextSetBit(to);
    }
    return ranges;
  }
}
