package dev.penstock.internal.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FetchRangesTest {
  private static final long KB = 1 << 10;

  private static FetchAdvice advice(long gap, long range) {
    return new FetchAdvice(8, gap, range, Optional.empty());
  }

  private static ByteRange range(long from, long to) {
    return new ByteRange(from, to - from);
  }

  @Test
  void neighboursAreOneRequest() {
    List<ByteRange> wanted = List.of(range(300 * KB, 400 * KB), range(100 * KB, 300 * KB));
    assertThat(FetchRanges.of(wanted, 1000 * KB, advice(0, 1000 * KB)))
        .containsExactly(range(100 * KB, 400 * KB));
  }

  @Test
  void smallGapsAreReadOverAndLargeOnesNot() {
    List<ByteRange> wanted =
        List.of(range(0, 800 * KB), range(864 * KB, 900 * KB), range(1100 * KB, 1200 * KB));
    assertThat(FetchRanges.of(wanted, 2000 * KB, advice(1000 * KB, 5000 * KB)))
        .containsExactly(range(0, 900 * KB), range(1100 * KB, 1200 * KB));
    List<ByteRange> more = new ArrayList<>(wanted);
    more.add(range(1200 * KB, 2000 * KB)); // now the gap of 200 kB is a small part of all
    assertThat(FetchRanges.of(more, 2000 * KB, advice(1000 * KB, 5000 * KB)))
        .containsExactly(range(0, 2000 * KB));
    assertThat(FetchRanges.of(more, 2000 * KB, advice(100 * KB, 5000 * KB))).hasSize(2);
  }

  @Test
  void largeRangesAreCutAndCountedInTheOrderOfNeed() {
    // Two columns of 100 and 200 kB: both their starts are wanted before either's end.
    List<ByteRange> wanted = List.of(range(0, 100 * KB), range(100 * KB, 300 * KB));
    assertThat(FetchRanges.of(wanted, 300 * KB, advice(0, 50 * KB)))
        .containsExactly(
            range(0, 50 * KB),
            range(100 * KB, 150 * KB),
            range(150 * KB, 200 * KB),
            range(50 * KB, 100 * KB),
            range(200 * KB, 250 * KB),
            range(250 * KB, 300 * KB));
  }

  @Seeded(runs = 300)
  void wantedBytesAreAskedForOnceAndFewOthers(Random random) {
    int fileBytes = 1 + random.nextInt(4_000_000);
    List<ByteRange> wanted = new ArrayList<>();
    BitSet bytes = new BitSet();
    for (int i = random.nextInt(12); i >= 0; i--) {
      int from = random.nextInt(fileBytes);
      int to = from + random.nextInt(Math.min(fileBytes - from, 600_000) + 1);
      wanted.add(range(from, to));
      bytes.set(from, to);
    }
    wanted.add(range(fileBytes, fileBytes + 10L)); // of a file that says what is not true
    FetchAdvice advice = advice(random.nextInt(2_000_000), 1 + random.nextInt(1_000_000));
    List<ByteRange> asked = new ArrayList<>(FetchRanges.of(wanted, fileBytes, advice));

    assertThat(asked).allMatch(range -> range.length() <= advice.rangeBytes());
    asked.sort(Comparator.comparingLong(ByteRange::offset));
    BitSet covered = new BitSet();
    long total = 0;
    for (ByteRange range : asked) {
      covered.set((int) range.offset(), (int) range.end());
      total += range.length();
    }
    assertThat(total).as("no byte twice").isEqualTo(covered.cardinality());
    BitSet missing = (BitSet) bytes.clone();
    missing.andNot(covered);
    assertThat(missing.isEmpty()).isTrue();
    long freeGaps = 64 * KB * wanted.size();
    assertThat(total - bytes.cardinality()).isLessThanOrEqualTo(bytes.cardinality() / 4 + freeGaps);
  }
}
