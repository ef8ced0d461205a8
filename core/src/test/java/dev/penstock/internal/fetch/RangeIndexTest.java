package dev.penstock.internal.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.format.ByteRange;
import dev.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/// Things found by their bytes are those that a look at all of them finds.
class RangeIndexTest {
  /// Compared by identity: several have the same bytes.
  private static final class Thing {
    private final ByteRange range;

    Thing(ByteRange range) {
      this.range = range;
    }

    boolean overlaps(ByteRange bytes) {
      return range.offset() < bytes.end() && bytes.offset() < range.end();
    }
  }

  private static final Comparator<Thing> BY_OFFSET =
      Comparator.comparingLong(each -> each.range.offset());

  private static ByteRange range(Random random) {
    return new ByteRange(random.nextInt(60), random.nextInt(random.nextInt(8) == 0 ? 60 : 6));
  }

  @Seeded(runs = 60)
  void findsWhatALookAtAllFinds(Random random) {
    RangeIndex<Thing> index = new RangeIndex<>(thing -> thing.range);
    List<Thing> all = new ArrayList<>();
    for (int step = 0; step < 200; step++) {
      if (random.nextInt(3) == 0 && !all.isEmpty()) {
        Thing gone = all.remove(random.nextInt(all.size()));
        index.remove(gone);
        index.remove(gone); // which is not there any more
        assertThat(index.contains(gone)).isFalse();
      } else {
        Thing added = new Thing(range(random));
        all.add(added);
        index.add(added);
      }
      ByteRange bytes = range(random);
      List<Thing> overlapping = all.stream().filter(each -> each.overlaps(bytes)).toList();
      assertThat(index.overlapping(bytes))
          .isSortedAccordingTo(BY_OFFSET)
          .containsExactlyInAnyOrderElementsOf(overlapping);
      Set<Thing> passing = Set.copyOf(random.nextBoolean() ? overlapping : some(all, random));
      Predicate<Thing> test = passing::contains;
      assertThat(index.allMatch(bytes, test)).isEqualTo(overlapping.stream().allMatch(test));
      assertThat(all).allMatch(index::contains);
      assertThat(index.all())
          .isSortedAccordingTo(BY_OFFSET)
          .containsExactlyInAnyOrderElementsOf(all);
    }
  }

  private static List<Thing> some(List<Thing> things, Random random) {
    return things.stream().filter(_ -> random.nextInt(8) > 0).toList();
  }
}
